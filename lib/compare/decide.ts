/** From evidence to a decision: three answers, and none of them by default. */
import type { Decision, DecisionReason, Gate, JudgeLicence, Verdict } from "../domain/comparison.ts";
import type { Policy, Rule } from "../domain/policy.ts";
import { boundedMeanInterval } from "../stats/bounded_mean_interval.ts";
import { clopperPearson } from "../stats/clopper_pearson.ts";
import type { Interval } from "../stats/interval.ts";
import { roganGladen } from "../stats/rogan_gladen.ts";
import { pairedDifferenceInterval } from "../stats/paired_difference_interval.ts";
import { licensedRule, refusalOf } from "./licensed_rule.ts";
import type { Counts, RuleEvidence } from "./rule_evidence.ts";

type Outcome = Pick<Decision, "decision" | "reason" | "lower" | "upper">;

/**
 * Decides one rule by unrounded bounds. A rule that would pass only because outcomes are unobserved is undecided.
 *
 * Guarantee: for independent cases, a policy fixed beforehand and one look, a candidate that is worse by the margin passes
 * at most (1 - level) / 2 of the time.
 */
export function decideRule(
  rule: Rule,
  evidence: RuleEvidence,
  level: number,
  licence?: JudgeLicence,
): Decision {
  const refusal = refusalOf(rule, licence);
  const licensed = licensedRule(rule, licence);
  const outcome = refusal === undefined ? outcomeOf(licensed, evidence, level) : undecided(refusal);
  return {
    name: rule.name,
    criterion: rule.criterion,
    test: rule.test,
    margin_points: "margin_points" in rule ? rule.margin_points : null,
    at_least: "at_least" in rule ? rule.at_least : null,
    ...outcome,
    unobserved: rule.test === "threshold" || rule.test === "suite-threshold"
      ? evidence.candidateUnobserved
      : evidence.unobserved,
    regressed: rule.test === "no-regression" ? evidence.regressed : [],
    ...(licensed === rule || refusal !== undefined || !("margin_points" in licensed)
      ? {}
      : { shrunk_margin_points: licensed.margin_points }),
    ...(refusal === "judge_rate_is_biased" && evidence.candidate.size > 0
      ? { judged_share: judgedShare(evidence.candidate, licence) }
      : {}),
  };
}

/** What a judged rate would stand for if the judge's measured rates were its true ones. */
function judgedShare(values: Counts, licence: JudgeLicence | undefined): Decision["judged_share"] & object {
  const observed = meanOf(values);
  const { sensitivity = null, specificity = null } = licence ?? {};
  if (sensitivity === null || specificity === null) return { observed, corrected: null };
  const rates = { sensitivity: sensitivity.value, specificity: specificity.value };
  return { observed, corrected: roganGladen(observed, rates).clipped };
}

function outcomeOf(rule: Rule, evidence: RuleEvidence, level: number): Outcome {
  switch (rule.test) {
    case "threshold":
      return decideThreshold(rule.at_least, evidence, level);
    case "suite-threshold":
      return decideSuite(rule.at_least, evidence);
    case "no-regression":
      return decideRegression(evidence);
    default:
      return decideDifference(rule, evidence, level);
  }
}

type DifferenceRule = Extract<Rule, { readonly margin_points: number }>;

function decideDifference(rule: DifferenceRule, evidence: RuleEvidence, level: number): Outcome {
  if (evidence.observed.size === 0) return undecided("no_observed_outcomes");
  const interval = (counts: Counts) => pairedDifferenceInterval(counts, { level });
  const seen = interval(evidence.observed);
  const verdict = judgeInterval(rule, seen);
  if (verdict !== "PASS" || evidence.unobserved === 0) return withBounds(verdict, seen);
  const holds = [evidence.atWorst, ...(rule.test === "equivalence" ? [evidence.atBest] : [])]
    .every((counts) => judgeInterval(rule, interval(counts)) === "PASS");
  return holds ? withBounds(verdict, seen) : undecided("missing_outcomes", seen);
}

function judgeInterval({ test, margin_points }: DifferenceRule, { lower, upper }: Interval): Verdict {
  const margin = margin_points / 100;
  switch (test) {
    case "non-inferiority":
      return lower > -margin ? "PASS" : upper < -margin ? "FAIL" : "INSUFFICIENT_EVIDENCE";
    case "superiority":
      return lower > margin ? "PASS" : upper < margin ? "FAIL" : "INSUFFICIENT_EVIDENCE";
    case "equivalence":
      if (lower > -margin && upper < margin) return "PASS";
      return lower > margin || upper < -margin ? "FAIL" : "INSUFFICIENT_EVIDENCE";
  }
}

function decideThreshold(atLeast: number, evidence: RuleEvidence, level: number): Outcome {
  if (evidence.candidate.size === 0) return undecided("no_observed_outcomes");
  const seen = shareInterval(evidence.candidate, { level, isPassFail: evidence.isPassFail });
  const judge = ({ lower, upper }: Interval): Verdict =>
    lower >= atLeast ? "PASS" : upper < atLeast ? "FAIL" : "INSUFFICIENT_EVIDENCE";
  const verdict = judge(seen);
  if (verdict !== "PASS" || evidence.candidateUnobserved === 0) return withBounds(verdict, seen);
  const completed = shareInterval(withFails(evidence), { level, isPassFail: evidence.isPassFail });
  return judge(completed) === "PASS" ? withBounds(verdict, seen) : undecided("missing_outcomes", seen);
}

/** The share of these very cases: no interval, and no claim about others. */
function decideSuite(atLeast: number, evidence: RuleEvidence): Outcome {
  if (evidence.candidate.size === 0) return undecided("no_observed_outcomes");
  if (!evidence.isPassFail) return undecided("not_pass_fail");
  const share = meanOf(evidence.candidate);
  const bounds = { lower: share, upper: share };
  if (share < atLeast) return { decision: "FAIL", reason: "share_not_reached", ...bounds };
  return meanOf(withFails(evidence)) >= atLeast
    ? { decision: "PASS", reason: "share_reached", ...bounds }
    : undecided("missing_outcomes", bounds);
}

function decideRegression(evidence: RuleEvidence): Outcome {
  const bounds = { lower: null, upper: null };
  // Numbers have no pass that could be lost; a drop of any size would go unseen.
  if (!evidence.isPassFail) return undecided("not_pass_fail");
  if (evidence.regressed.length > 0) return { decision: "FAIL", reason: "regressed_cases", ...bounds };
  if (evidence.unobservedPasses > 0 || evidence.unseen.length > 0) return undecided("missing_outcomes");
  if (evidence.observed.size === 0) return undecided("no_observed_outcomes");
  return { decision: "PASS", reason: "no_regressed_cases", ...bounds };
}

function shareInterval(
  values: Counts,
  { level, isPassFail }: { readonly level: number; readonly isPassFail: boolean },
): Interval {
  if (!isPassFail) return boundedMeanInterval(values, { level });
  const cases = [...values.values()].reduce((sum, times) => sum + times, 0);
  return clopperPearson(values.get(1) ?? 0, cases, { level });
}

function withFails({ candidate, candidateUnobserved }: RuleEvidence): Counts {
  if (candidateUnobserved === 0) return candidate;
  return new Map([...candidate, [0, (candidate.get(0) ?? 0) + candidateUnobserved]]);
}

function meanOf(values: Counts): number {
  const cases = [...values.values()].reduce((sum, times) => sum + times, 0);
  const sorted = [...values].sort(([a], [b]) => a - b);
  return sorted.reduce((sum, [value, times]) => sum + value * times, 0) / cases;
}

const reasons: Readonly<Record<Verdict, DecisionReason>> = {
  PASS: "interval_clears_margin",
  FAIL: "interval_beyond_margin",
  INSUFFICIENT_EVIDENCE: "interval_overlaps_margin",
};

function withBounds(decision: Verdict, { lower, upper }: Interval): Outcome {
  return { decision, reason: reasons[decision], lower, upper };
}

function undecided(reason: DecisionReason, bounds?: Interval): Outcome {
  return {
    decision: "INSUFFICIENT_EVIDENCE",
    reason,
    lower: bounds?.lower ?? null,
    upper: bounds?.upper ?? null,
  };
}

/**
 * The gate of all decisions. Since all rules must pass (an intersection-union test), no correction for their number is needed.
 * `allow` lets undecided rules through, and the gate then says so; a failed rule blocks always.
 */
export function decideGate(decisions: readonly Decision[], { on_insufficient }: Policy): Gate {
  if (decisions.every(({ decision }) => decision === "PASS")) return "PASS";
  if (decisions.some(({ decision }) => decision === "FAIL") || on_insufficient === "block") return "BLOCK";
  return "NOT_BLOCKED";
}
