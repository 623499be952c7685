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
 * The rule as it is applied to judged verdicts: what may be lost is multiplied by the share of a true difference that shows through
 * the judge. The margin of superiority stays, for a gain that shows is at least as large in truth.
 */
export function licensedRule(rule: Rule, licence: JudgeLicence | undefined): Rule {
  const factor = licence?.margin_factor ?? null;
  const isAboutLoss = rule.test === "non-inferiority" || rule.test === "equivalence";
  return factor === null || !isAboutLoss ? rule : { ...rule, margin_points: rule.margin_points * factor };
}
