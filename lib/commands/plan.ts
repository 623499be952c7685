/** `plan`: what a policy asks of the number of cases, before anything is run. */
import { licensedRule, refusalOf } from "../compare/licensed_rule.ts";
import { neededAtBest, neededFor } from "../compare/requirement.ts";
import type { JudgeLicence } from "../domain/comparison.ts";
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
 * @param judges What is known of the judges behind criteria of the rules: their errors shrink margins, or keep a rule from deciding.
 * @param numbers The criteria whose values are numbers: they need more than the others, which are planned for as pass/fail.
 */
export function planPolicy(
  policy: Policy,
  present: ReadonlyMap<string, number>,
  numbers: ReadonlySet<string>,
  churns: readonly number[] = CHURNS,
  judges: readonly JudgeLicence[] = [],
): Plan {
  const rules = policy.rules.map((rule) =>
    planRule(rule, policy.level, {
      present: present.get(rule.criterion) ?? 0,
      isPassFail: !numbers.has(rule.criterion),
      licence: judges.find(({ criterion }) => criterion === rule.criterion),
    }, churns)
  );
  return {
    level: policy.level,
    rules,
    too_few: rules.filter((rule) => rule.too_few).map(({ name }) => name),
    ...(judges.length === 0 ? {} : { judges }),
  };
}

/** What the criterion of a rule has. */
interface RuleSubject {
  readonly present: number;
  readonly isPassFail: boolean;
  /** Absent where no judge is behind it. */
  readonly licence: JudgeLicence | undefined;
}

function planRule(
  stated: Rule,
  level: number,
  { present, isPassFail, licence }: RuleSubject,
  churns: readonly number[],
): PlannedRule {
  const refused = refusalOf(stated, licence);
  if (refused === "judge_not_qualified" || refused === "judge_rate_is_biased") {
    return { ...refusedRule(stated, present), refused };
  }
  const rule = licensedRule(stated, licence);
  const needed_at_best = neededAtBest(rule, level, isPassFail);
  const isDifference = "margin_points" in rule;
  return {
    name: rule.name,
    criterion: rule.criterion,
    rule: stated,
    present,
    ...(rule === stated || !("margin_points" in rule) ? {} : { shrunk_margin_points: rule.margin_points }),
    needed_at_best: needed_at_best ?? null,
    needed_at_churn: isDifference
      ? churns.map((churn) => ({ churn, needed: neededFor(rule, shapeOf(rule, churn), level) ?? null }))
      : [],
    smallest_excluded_loss: isDifference && rule.test !== "superiority" && present > 0
      // In truth a loss is larger than what shows of it through a judge.
      ? Math.min(1, smallestExcludedLoss(present, { level }) / (licence?.margin_factor ?? 1))
      : null,
    // undefined: the rule counts these very cases, so any number of them can pass; or it wants changes.
    too_few: needed_at_best !== undefined && (needed_at_best === null || present < needed_at_best),
  };
}

/** A rule that no number of cases can pass. */
function refusedRule(rule: Rule, present: number): PlannedRule {
  return {
    name: rule.name,
    criterion: rule.criterion,
    rule,
    present,
    needed_at_best: null,
    needed_at_churn: [],
    smallest_excluded_loss: null,
    too_few: false,
  };
}

/** Superiority is for a candidate that gains; the other tests are for one that gains as much as it loses. */
function shapeOf({ test }: Rule, churn: number): readonly (readonly [number, number])[] {
  if (test === "superiority") return [[0, 1 - churn], [1, churn]];
  return [[0, 1 - churn], [1, churn / 2], [-1, churn / 2]];
}
