import assert from "node:assert/strict";
import { objectModel } from "../../lib/provider/object_model.ts";
import { question } from "./provider_contract.ts";

const signal = new AbortController().signal;

Deno.test("a function is called with the material, the prompt and tools", async () => {
  let seen: unknown;
  const model = objectModel((given, { signal: own, usage }) => {
    seen = given;
    assert.equal(own, signal);
    usage({ cost_usd: 0.5 });
    usage({ cost_usd: 0.25, output_tokens: 3 });
    return { verdict: "pass", reason: "" };
  });
  assert.deepEqual(await model.ask(question.prompt, question, signal), {
    status: "value",
    value: { verdict: "pass", reason: "" },
    usage: { cost_usd: 0.75, output_tokens: 3 },
  });
  assert.deepEqual(seen, { ...question.material, prompt: question.prompt });
});

Deno.test("what a function does to its question is its own affair", async () => {
  const before = JSON.stringify(question.material);
  await objectModel((given) => {
    Object.assign(given as object, { claims: [] });
    return null;
  }).ask(question.prompt, question, signal);
  assert.equal(JSON.stringify(question.material), before);
});

Deno.test("what a function throws is a failure of the judge", async () => {
  const failing = [
    () => {
      throw new Error("no such table");
    },
    () => Promise.reject(new Error("no such table")),
  ];
  for (const judge of failing) {
    assert.deepEqual(await objectModel(judge).ask(question.prompt, question, signal), {
      status: "failed",
      reason: "judge_failed",
      message: "The judge threw: no such table",
      again: false,
    });
  }
  const odd = await objectModel((_, { usage }) => usage({ cost_usd: -1 })).ask(
    question.prompt,
    question,
    signal,
  );
  assert.ok(odd.status === "failed" && /cost_usd is -1/.test(odd.message));
});
