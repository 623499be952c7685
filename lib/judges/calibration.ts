/** From labelled rows to what they say of a judge. */
import type { CalibrationFigures, CalibrationRow, JudgeRate, VerdictCounts } from "../domain/calibration.ts";
import { compareText } from "../domain/error.ts";
import { clopperPearson } from "../stats/clopper_pearson.ts";
import { judgeAgreement } from "../stats/judge_agreement.ts";

/** The confidence of the intervals of a calibration. */
export const CALIBRATION_LEVEL = 0.95;

/**
 * Measures a judge by rows that people labelled. The first verdict of a row counts: it is the one that a run would have had. A row
 * without a verdict is counted by its reason and is in no rate; it is missing in runs as well.
 */
export function measureJudge(
  rows: readonly CalibrationRow[],
  level: number = CALIBRATION_LEVEL,
): CalibrationFigures {
  const table = tableOf(rows);
  const { agreement, sensitivity, specificity, kappa, pabak, gwet_ac1 } = judgeAgreement(table, { level });
  const labels = agreement?.trials ?? 0;
  const passed = table.human_pass_judge_pass + table.human_pass_judge_fail;
  return {
    table,
    labels,
    without_verdict: absencesOf(rows),
    sensitivity,
    specificity,
    agreement,
    prevalence: labels === 0 ? null : passed / labels,
    consistency: consistencyOf(rows, level),
    kappa,
    pabak,
    gwet_ac1,
  };
}

function tableOf(rows: readonly CalibrationRow[]): VerdictCounts {
  const count = (human: string, judge: string) =>
    rows.filter(({ label, verdicts }) => label === human && verdicts[0] === judge).length;
  return {
    human_pass_judge_pass: count("pass", "pass"),
    human_pass_judge_fail: count("pass", "fail"),
    human_fail_judge_pass: count("fail", "pass"),
    human_fail_judge_fail: count("fail", "fail"),
  };
}

function absencesOf(rows: readonly CalibrationRow[]): CalibrationFigures["without_verdict"] {
  const without = rows.filter(({ verdicts: [first] }) => first !== "pass" && first !== "fail");
  return [...Map.groupBy(without, ({ reason = "unknown" }) => reason)]
    .sort(([a], [b]) => compareText(a, b))
    .map(([reason, list]) => ({ reason, rows: list.length }));
}

/** Over the rows that were judged more than once; a verdict that is missing once is not the same verdict. */
function consistencyOf(rows: readonly CalibrationRow[], level: number): JudgeRate | null {
  const repeated = rows.filter(({ verdicts }) =>
    verdicts.length > 1 && verdicts.some((verdict) => verdict === "pass" || verdict === "fail")
  );
  const trials = repeated.length;
  if (trials === 0) return null;
  const successes = repeated.filter(({ verdicts }) => new Set(verdicts).size === 1).length;
  return {
    value: successes / trials,
    successes,
    trials,
    ...clopperPearson(successes, trials, { level }),
  };
}
