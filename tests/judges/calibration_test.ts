import assert from "node:assert/strict";
import { type CalibrationRow, disagreements, type JudgedOutcome } from "../../lib/domain/calibration.ts";
import { measureJudge } from "../../lib/judges/calibration.ts";

let rows = 0;
const row = (label: "pass" | "fail", ...verdicts: readonly JudgedOutcome[]): CalibrationRow => ({
  row: `r${rows++}`,
  record: "",
  label,
  verdicts,
  ...(verdicts[0] === "missing" ? { reason: "judge_refused" } : {}),
  ...(verdicts[0] === "excluded" ? { reason: "empty_context" } : {}),
});

Deno.test("the first verdict of each row counts, and rows without one are in no rate", () => {
  const labelled = [
    row("pass", "pass", "fail"),
    row("pass", "fail", "fail"),
    row("fail", "fail", "fail"),
    row("fail", "fail", "missing"),
    row("fail", "missing", "fail"),
    row("pass", "excluded", "excluded"),
  ];
  const figures = measureJudge(labelled);
  assert.deepEqual(figures.table, {
    human_pass_judge_pass: 1,
    human_pass_judge_fail: 1,
    human_fail_judge_pass: 0,
    human_fail_judge_fail: 2,
  });
  assert.equal(figures.labels, 4);
  assert.equal(figures.prevalence, 0.5);
  assert.deepEqual(figures.without_verdict, [
    { reason: "empty_context", rows: 1 },
    { reason: "judge_refused", rows: 1 },
  ]);
  // Of the five rows that had a verdict at all, two had it every time.
  assert.deepEqual([figures.consistency?.successes, figures.consistency?.trials], [2, 5]);
  assert.deepEqual(disagreements(labelled), [labelled[1]]);
});

Deno.test("nothing is told where there is nothing to tell it from", () => {
  const figures = measureJudge([row("pass", "missing")]);
  assert.equal(figures.labels, 0);
  for (
    const name of ["sensitivity", "specificity", "agreement", "prevalence", "consistency", "kappa"] as const
  ) {
    assert.equal(figures[name], null);
  }
  assert.equal(measureJudge([row("pass", "pass")]).consistency, null);
});
