import assert from "node:assert/strict";
import { z } from "zod";
import type { Judgment } from "../../lib/domain/judgment.ts";
import type { CaseRecord } from "../../lib/domain/record.ts";
import { defineEvaluator, type EvaluatorDefinition } from "../../lib/evaluators/evaluator.ts";
import { judgeRecord } from "../../lib/evaluators/judge_record.ts";
import { patterns } from "./judge_case.ts";

const PORTS = { patterns, callFunction: () => Promise.resolve(true) };
const FINISHED: CaseRecord = { case: { id: "a", input: 1 }, candidates: [], context: [], output: "x" };
const FAILED: CaseRecord = {
  case: { id: "a", input: 1 },
  candidates: [],
  context: [],
  error: { stage: "generate", kind: "exception", message: "Out of memory" },
};

function judge(record: CaseRecord, parts: Partial<EvaluatorDefinition<object>>): Promise<Judgment> {
  const type = defineEvaluator<object>({
    type: "trial",
    version: 1,
    reads: "output",
    observes: "either",
    parameters: z.strictObject({}),
    criterion: () => "trial",
    judge: () => ({ status: "observed", value: true }),
    ...parts,
  });
  return judgeRecord(type.bind({}), record, PORTS);
}

Deno.test("judgeRecord: exclusion by the case comes first, then the failed execution", async () => {
  const excludes = () => "not_applicable";
  assert.deepEqual(await judge(FAILED, { excludes }), { status: "excluded", reason: "not_applicable" });
  assert.deepEqual(await judge(FINISHED, { excludes }), { status: "excluded", reason: "not_applicable" });
  assert.deepEqual(await judge(FAILED, {}), { status: "missing", reason: "execution_failed" });
  assert.deepEqual(await judge(FINISHED, {}), { status: "observed", value: true });
});

Deno.test("judgeRecord: an evaluator that judges failures is asked", async () => {
  const judgeFailed = () => ({ status: "observed", value: false }) as const;
  assert.deepEqual(await judge(FAILED, { judgeFailed }), { status: "observed", value: false });
});

Deno.test("judgeRecord: an evaluator that throws, at once or later, is missing", async () => {
  const failed = { status: "missing", reason: "evaluator_failed", message: "Broken" };
  const throwing = () => {
    throw new Error("Broken");
  };
  assert.deepEqual(await judge(FINISHED, { judge: throwing }), failed);
  assert.deepEqual(await judge(FINISHED, { judge: () => Promise.reject(new Error("Broken")) }), failed);
});

for (const value of [NaN, Infinity, -0.01, 1.01]) {
  Deno.test(`judgeRecord: ${value} is no value`, async () => {
    const judgment = await judge(FINISHED, { judge: () => ({ status: "observed", value }) });
    assert.equal(judgment.status === "missing" && judgment.reason, "invalid_value");
  });
}
