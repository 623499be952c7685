/** `plan`: what a policy asks of the number of cases, before anything is run. */
import { neededAtBest, neededFor } from "../compare/requirement.ts";
import type { Policy, Rule } from "../domain/policy.ts";
import type { Plan, PlannedRule } from "../domain/plan.ts";
import { smallestExcludedLoss } from "../stats/smallest_excluded_loss.ts";

/** Shares of changed verdicts that are planned for when none are named. */
export const CHURNS: readonly number[] = [0.05, 0.1];

/**
 * How many cases each rule needs if no verdict changes, and if a share of them does: half for the better and half for
 * the worse, for superiority all for the better; and the smallest loss that the present cases can exclude.
 *
 * @param present How many cases each criterion can judge, by criterion.
 * @param numbers The criteria whose values are numbers: they need more than the others, which are planned for as pass/fail.
 */
export function planPolicy(
  policy: Policy,
  present: ReadonlyMap<string, number>,
  numbers: ReadonlySet<string>,
  churns: readonly number[] = CHURNS,
): Plan {
  const rules = policy.rules.map((rule) =>
    planRule(rule, policy.level, {
      present: present.get(rule.criterion) ?? 0,
      isPassFail: !numbers.has(rule.criterion),
    }, churns)
  );
  return {
    level: policy.level,
    rules,
    too_few: rules.filter((rule) => rule.too_few).map(({ name }) => name),
  };
}

function planRule(
  rule: Rule,
  level: number,
  { present, isPassFail }: { readonly present: number; readonly isPassFail: boolean },
  churns: readonly number[],
): PlannedRule {
  const needed_at_best = neededAtBest(rule, level, isPassFail);
  const isDifference = "margin_points" in rule;
  return {
    name: rule.name,
    criterion: rule.criterion,
    rule,
    present,
    needed_at_best: needed_at_best ?? null,
    needed_at_churn: isDifference
      ? churns.map((churn) => ({ churn, needed: neededFor(rule, shapeOf(rule, churn), level) ?? null }))
      : [],
    smallest_excluded_loss: isDifference && rule.test !== "superiority" && present > 0
      ? smallestExcludedLoss(present, { level })
      : null,
    // undefined: the rule counts these very cases, so any number of them can pass; or it wants changes.
    too_few: needed_at_best !== undefined && (needed_at_best === null || present < needed_at_best),
  };
}

/** Superiority is for a candidate that gains; the other tests are for one that gains as much as it loses. */
function shapeOf({ test }: Rule, churn: number): readonly (readonly [number, number])[] {
  if (test === "superiority") return [[0, 1 - churn], [1, churn]];
  return [[0, 1 - churn], [1, churn / 2], [-1, churn / 2]];
}
