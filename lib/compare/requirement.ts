/** What would decide an undecided rule. */
import type { Decision, Requirement } from "../domain/comparison.ts";
import type { Rule } from "../domain/policy.ts";
import { casesNeeded } from "../stats/cases_needed.ts";
import { casesNeededForShare } from "../stats/cases_needed_for_share.ts";
import type { Counts, RuleEvidence } from "./rule_evidence.ts";

/** A shape of differences: how often each occurs, as shares that add up to 1. */
type Shape = readonly (readonly [difference: number, share: number])[];

const NOTHING_CHANGES: Shape = [[0, 1]];

/**
 * How many pairs (cases, for a threshold) the undecided rules would need: at best, when no verdict changes, and at the churn
 * that was observed. Rules that count these very cases have no such number.
 */
export function requirementsOf(
  rules: readonly Rule[],
  decisions: readonly Decision[],
  evidence: readonly RuleEvidence[],
  level: number,
): readonly Requirement[] {
  return rules.flatMap((rule, index): Requirement[] => {
    const found = evidence[index];
    const { decision, reason } = decisions[index] ?? {};
    if (found === undefined || decision !== "INSUFFICIENT_EVIDENCE" || isNoMatterOfCases(reason)) return [];
    const needed_at_best = neededAtBest(rule, level, found.isPassFail);
    const present = sum(rule.test === "threshold" ? found.candidate : found.observed);
    const churn = churnOf(rule, found);
    if (needed_at_best === undefined && churn === undefined) return [];
    return [{
      name: rule.name,
      present,
      ...(needed_at_best === undefined ? {} : { needed_at_best }),
      ...(churn === undefined ? {} : { needed_at_churn: neededFor(rule, churn, level) ?? null }),
    }];
  });
}

/** Where outcomes are missing, those would decide; where a judge may not, no number of cases makes it. */
function isNoMatterOfCases(reason: Decision["reason"] | undefined): boolean {
  return reason === "missing_outcomes" || reason === "judge_not_qualified" ||
    reason === "judge_rate_is_biased";
}

/**
 * What a rule needs when no verdict changes (a threshold: when all pass, by the interval that such values will
 * have); null = no number does. Undefined where that question has no sense: superiority wants changes, and other
 * rules count these very cases.
 */
export function neededAtBest(rule: Rule, level: number, isPassFail: boolean): number | null | undefined {
  switch (rule.test) {
    case "threshold":
      return (isPassFail
        ? casesNeededForShare(rule.at_least, { level })
        : neededForMean(rule.at_least, level)) ??
        null;
    case "superiority":
    case "suite-threshold":
    case "no-regression":
      return undefined;
    default:
      return neededFor(rule, NOTHING_CHANGES, level) ?? null;
  }
}

/** What a mean needs when every value is 1: the betting interval of differences that are all 1, moved to [-1, 1]. */
function neededForMean(atLeast: number, level: number): number | undefined {
  const moved = 2 * atLeast - 1;
  const test = moved >= 0 ? "superiority" : "non-inferiority";
  return casesNeeded([[1, 1]], { test, margin: Math.abs(moved), level });
}

/** What a rule about differences needs when they have a shape; undefined = no number does. */
export function neededFor(rule: Rule, shape: Shape, level: number): number | undefined {
  if (!("margin_points" in rule)) return undefined;
  return casesNeeded(shape, { margin: rule.margin_points / 100, level, test: rule.test });
}

/** The observed differences as shares; undefined when nothing changed, or when the rule is not about differences. */
function churnOf(rule: Rule, { observed }: RuleEvidence): Shape | undefined {
  const pairs = sum(observed);
  if (!("margin_points" in rule) || pairs === 0 || (observed.get(0) ?? 0) === pairs) return undefined;
  return [...observed].map(([difference, times]) => [difference, times / pairs] as const);
}

function sum(counts: Counts): number {
  return [...counts.values()].reduce((total, times) => total + times, 0);
}
