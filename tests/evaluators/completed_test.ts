import assert from "node:assert/strict";
import { judgeCase } from "./judge_case.ts";

const error = { stage: "generate", kind: "timeout", message: "No answer within 60 s" } as const;

Deno.test("completed: passes when the execution finished, fails when it did not", async () => {
  assert.deepEqual(await judgeCase("completed", {}, { output: null }), { status: "observed", value: true });
  assert.deepEqual(await judgeCase("completed", {}, { error }), { status: "observed", value: false });
});
