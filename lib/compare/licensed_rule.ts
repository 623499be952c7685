/** A rule on verdicts that a judge gave: whether it may decide, and with which margin. */
import type { DecisionReason, JudgeLicence } from "../domain/comparison.ts";
import type { Rule } from "../domain/policy.ts";

/**
 * Why a rule on a judged criterion cannot decide; undefined when it can, or when no judge is behind it. A rate that a judge gives is
 * biased by its errors however well it was measured; a difference of two such rates is only smaller than the true one.
 */
export function refusalOf(rule: Rule, licence: JudgeLicence | undefined): DecisionReason | undefined {
  if (licence === undefined) return undefined;
  if (rule.test === "threshold" || rule.test === "suite-threshold") return "judge_rate_is_biased";
  return licence.margin_factor === null ? "judge_not_qualified" : undefined;
}

/**
 * The rule as a pass of it takes judged verdicts: what may be lost is multiplied by the share of a true difference that shows through
 * the judge. The margin of superiority stays, for a gain that shows is at least as large in truth.
 */
export function licensedRule(rule: Rule, licence: JudgeLicence | undefined): Rule {
  const factor = licence?.margin_factor ?? null;
  const isAboutLoss = rule.test === "non-inferiority" || rule.test === "equivalence";
  return factor === null || !isAboutLoss ? rule : { ...rule, margin_points: rule.margin_points * factor };
}

/**
 * The margin of a rule as a fail of it takes judged verdicts, in points. A judge's errors are no ground for a fail either: a loss that
 * shows is at least as large in truth, so it must be beyond the margin as it stands, while a gain that shows too small may be
 * large enough in truth, unless it is under the share of the margin that shows through the judge.
 */
export function failingMargin(
  rule: Extract<Rule, { readonly margin_points: number }>,
  licence: JudgeLicence | undefined,
): number {
  return rule.test === "superiority"
    ? rule.margin_points * (licence?.margin_factor ?? 1)
    : rule.margin_points;
}
