/** A comparison: a candidate run against a baseline, case by case. */
import type { Policy, RuleTest } from "./policy.ts";

/** The paired difference of one criterion, candidate minus baseline. */
export interface MetricDifference {
  /** The criterion, the same evaluator in both runs. */
  readonly criterion: string;
  /** The mean difference over observed pairs, a fraction in [-1, 1]; null without an observed pair. */
  readonly difference: number | null;
  /** The interval's lower bound, unrounded; null without an observed pair. */
  readonly lower: number | null;
  /** The interval's upper bound, unrounded; null without an observed pair. */
  readonly upper: number | null;
  /** `betting/19` or `betting/19+J`, on (d + 1) / 2; null without an observed pair. */
  readonly method: string | null;
  /** Pairs in which both sides are observed. */
  readonly paired: number;
  /** Paired cases in which a side is missing. */
  readonly missing: number;
  /** Paired cases to which the evaluator does not apply. */
  readonly excluded: number;
  /** Observed pairs in which the candidate's value is greater. */
  readonly better: number;
  /** Observed pairs in which it is smaller. */
  readonly worse: number;
  /** Observed pairs in which it is the same. */
  readonly tied: number;
  /** Exact two-sided McNemar p of a pass/fail criterion; null for numbers and without an observed pair. */
  readonly mcnemar_p: number | null;
}

/** The differences of the paired cases that share the baseline's value of a slice; null under the minimum support. */
export interface SliceDifference {
  readonly slice: string;
  readonly value: string;
  /** Paired cases with this value. */
  readonly cases: number;
  readonly metrics: readonly MetricDifference[] | null;
}

/** What a rule came to. */
export type Verdict = "PASS" | "FAIL" | "INSUFFICIENT_EVIDENCE";

/** Why. */
export type DecisionReason =
  | "interval_clears_margin"
  | "interval_beyond_margin"
  | "interval_overlaps_margin"
  | "share_reached"
  | "share_not_reached"
  | "no_regressed_cases"
  | "regressed_cases"
  | "missing_outcomes"
  | "no_observed_outcomes";

/** The decision of one rule. */
export interface Decision {
  readonly name: string;
  readonly criterion: string;
  readonly test: RuleTest;
  /** Points; null for tests without a margin. */
  readonly margin_points: number | null;
  /** A fraction; null for tests without one. */
  readonly at_least: number | null;
  readonly decision: Verdict;
  readonly reason: DecisionReason;
  /** The unrounded bounds or share that decided; null where there are none. */
  readonly lower: number | null;
  readonly upper: number | null;
  /** Baseline cases without an observed pair, counted against the rule where they could decide it. */
  readonly unobserved: number;
  /** Cases that went from pass to fail, of a no-regression rule; sorted. */
  readonly regressed: readonly string[];
}

/** A verdict that is not the same in both runs. */
export interface VerdictChange {
  readonly case_id: string;
  readonly criterion: string;
  readonly change: "better" | "worse";
}

/** Cases that are not compared, by reason. */
export interface Unpaired {
  readonly only_in_candidate: number;
  readonly only_in_baseline: number;
  /** In both runs, with another input or expectation. */
  readonly changed: number;
}

/** The gate: what a pipeline acts on. */
export type Gate = "PASS" | "BLOCK" | "NOT_BLOCKED";

/** What identifies a comparison: the same runs under the same policy have the same id. */
export interface ComparisonContent {
  readonly schema: "oloproof/comparison/1";
  readonly candidate: string;
  readonly baseline: string;
  readonly level: number;
  /** Null without a policy. */
  readonly policy: Policy | null;
  /** Cases of both runs with the same input and expectation. */
  readonly paired: number;
  readonly unpaired: Unpaired;
  readonly metrics: readonly MetricDifference[];
  readonly slices: readonly SliceDifference[];
  readonly changes: readonly VerdictChange[];
  readonly decisions: readonly Decision[];
  /** Null without a policy. */
  readonly gate: Gate | null;
}

/** A system setting in which the runs differ; values as JSON text. */
export interface SettingChange {
  readonly setting: string;
  readonly baseline: string;
  readonly candidate: string;
}

/** What could decide an undecided rule, in pairs (or cases, for a threshold). */
export interface Requirement {
  readonly name: string;
  /** What there is now. */
  readonly present: number;
  /** What would do if no verdict changed (for a threshold: if all passed); null = no number would. */
  readonly needed_at_best: number | null;
  /** What would do at the churn that was observed; null = no number would; undefined when nothing changed. */
  readonly needed_at_churn?: number | null;
}

/** A stored comparison: its content, and what stands beside it outside the id. */
export interface Comparison {
  /** `sha256:` and 64 hexadecimal digits. */
  readonly comparison_id: string;
  readonly content: ComparisonContent;
  readonly settings_changed: readonly SettingChange[];
  /** Criteria that only one of the runs has. */
  readonly criteria_in_one: readonly string[];
  readonly requirements: readonly Requirement[];
  /** How many comparisons of the same two runs were made before under other policies. */
  readonly earlier_policies: number;
  readonly min_slice_support: number;
  /** ISO 8601, UTC. */
  readonly created_at: string;
}
