import assert from "node:assert/strict";
import { parseSweep, sweepFromObject } from "../../lib/config/parse_sweep.ts";

function setsOf(...pairs: readonly string[]) {
  const parsed = parseSweep(pairs);
  return parsed.ok ? parsed.combinations.map(({ set }) => set) : parsed.issues.map(({ code }) => code);
}

function messageOf(...pairs: readonly string[]): string {
  const parsed = parseSweep(pairs);
  assert.ok(!parsed.ok);
  return parsed.issues.map(({ message }) => message).join("\n");
}

Deno.test("parseSweep: every combination, the last setting fastest", () => {
  assert.deepEqual(setsOf("token_budget=40,80", "top_k=2,4"), [
    { token_budget: 40, top_k: 2 },
    { token_budget: 40, top_k: 4 },
    { token_budget: 80, top_k: 2 },
    { token_budget: 80, top_k: 4 },
  ]);
});

Deno.test("parseSweep: values are YAML, and one is enough", () => {
  assert.deepEqual(setsOf("token_budget=null, 40"), [{ token_budget: null }, { token_budget: 40 }]);
  assert.deepEqual(setsOf('params.generate.model=small,"large, new"'), [
    { "params.generate.model": "small" },
    { "params.generate.model": "large, new" },
  ]);
  assert.deepEqual(setsOf("top_k=2"), [{ top_k: 2 }]);
});

Deno.test("parseSweep: settings are checked as everywhere, all at once", () => {
  const parsed = parseSweep(["top_k=0,x,2", "token_budget=-1"]);
  assert.ok(!parsed.ok);
  assert.deepEqual(parsed.issues.map(({ file }) => file), ["--set", "--set", "--set"]);
});

Deno.test("parseSweep: what would call the retriever is refused with the reason", () => {
  assert.deepEqual(setsOf("depth=3,4"), ["not_sweepable"]);
  assert.match(messageOf("depth=3,4"), /would call the retriever/);
  assert.deepEqual(setsOf("params.retrieve.boost=1,2"), ["not_sweepable"]);
  assert.deepEqual(setsOf("version=a,b"), ["not_sweepable"]);
});

Deno.test("parseSweep: unknown settings, values twice, none, too many, and what is no assignment", () => {
  assert.deepEqual(setsOf("topk=2"), ["unknown_key"]);
  assert.match(
    messageOf("topk=2"),
    /^Unknown setting "topk"; allowed: top_k, token_budget, params\.generate/,
  );
  assert.deepEqual(setsOf("top_k=2,3,2"), ["duplicate_value"]);
  assert.deepEqual(setsOf("top_k="), ["invalid_value"]);
  assert.deepEqual(setsOf("top_k"), ["invalid_value"]);
  assert.deepEqual(setsOf(), ["invalid_value"]);
  const many = Array.from({ length: 15 }, (_, index) => index + 1).join(",");
  assert.match(messageOf(`top_k=${many}`, `token_budget=${many}`), /^225 combinations are more than 200/);
});

Deno.test("sweepFromObject: lists of values by setting, and nothing else", () => {
  const parsed = sweepFromObject({ top_k: [2, 3] });
  assert.deepEqual(parsed.ok && parsed.varied, [{ setting: "top_k", values: [2, 3] }]);
  const wrong = sweepFromObject({ top_k: 2 } as never);
  assert.ok(!wrong.ok);
  assert.match(wrong.issues[0]?.message ?? "", /top_k must be a list of values, not 2/);
});
