import assert from "node:assert/strict";
import { hostOf, keyVariableOf } from "../../lib/judges/endpoint.ts";
import { mistakesOf } from "../evaluators/judge_case.ts";

const base = { provider: "openai", model: "m" };
const compatible = { provider: "openai_compatible", model: "m", base_url: "http://127.0.0.1:1/v1" };

const ROWS: readonly (readonly [string, object, readonly string[]])[] = [
  ["a model", base, []],
  ["a function", { provider: "object", object: "judge:overlap" }, []],
  ["a compatible server", { ...compatible, api_key_env: "KEY", structured_outputs: true }, []],
  ["no temperature", { ...base, temperature: null }, []],
  ["no model", { provider: "openai" }, ["model: the provider openai needs the name of a model"]],
  ["no function", { provider: "object" }, [
    "object: the provider object needs object: module:function, a function that judges",
  ]],
  ["a function beside a model", { ...base, object: "a:b" }, ["object: belongs to the provider object alone"]],
  ["a key for a function", { provider: "object", object: "a:b", api_key_env: "K" }, [
    "api_key_env: has no meaning for the provider object, which calls no API",
  ]],
  ["no address", { provider: "openai_compatible", model: "m" }, [
    "base_url: the provider openai_compatible needs the address of its API, up to /v1",
  ]],
  ["an address of another kind", { ...compatible, base_url: "localhost:80" }, [
    "base_url: expected an http:// or https:// URL, such as http://localhost:8000/v1",
  ]],
  ["a credential in the address", { ...compatible, base_url: "https://user:secret@host/v1" }, [
    "base_url.credential: an address must not hold a credential",
  ]],
  ["a key in the query", { ...compatible, base_url: "https://host/v1?key=secret" }, [
    "base_url.credential: an address must not hold a credential",
  ]],
  ["a key over plain http", { ...base, base_url: "http://10.0.0.1/v1" }, [
    "base_url: the key would be sent over plain http",
  ]],
  ["plain http without a key", { ...compatible, base_url: "http://10.0.0.1/v1" }, []],
  ["schemas for those that have them", { ...base, structured_outputs: true }, [
    "structured_outputs: belongs to the provider openai_compatible alone; the others always give the schema",
  ]],
];

for (const [title, given, mistakes] of ROWS) {
  Deno.test(`judge model: ${title}`, () => {
    for (const type of ["judge", "groundedness_judge", "citation_support_judge"]) {
      assert.deepEqual(mistakesOf(type, given), mistakes);
    }
  });
}

Deno.test("a rubric is the shipped one or a text, and a misspelt name is neither", () => {
  assert.deepEqual(mistakesOf("judge", { ...base, rubric: "The answer is polite." }), []);
  assert.equal(mistakesOf("judge", { ...base, rubric: "corectness" }).length, 1);
});

Deno.test("a field for the answer has no meaning beside a pattern that reads it", () => {
  const given = { ...base, pattern: "\\[(.+?)\\]", answer_field: "text" };
  assert.equal(mistakesOf("citation_support_judge", given).length, 1);
});

Deno.test("the host that is told is the one that is asked", () => {
  assert.equal(hostOf({ provider: "openai", model: "m" }), "api.openai.com");
  assert.equal(hostOf({ ...compatible, provider: "openai_compatible" }), "127.0.0.1:1");
  assert.equal(hostOf({ provider: "object", object: "a:b" }), undefined);
  assert.equal(keyVariableOf("google"), "GOOGLE_GENERATIVE_AI_API_KEY");
  assert.equal(keyVariableOf("openai", "OTHER"), "OTHER");
  assert.equal(keyVariableOf("openai_compatible"), undefined);
});
