/** A comparison: a candidate run against a baseline, case by case. */
import type { JudgeRate } from "./calibration.ts";
import type { Json } from "./json.ts";
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
  /** The name of the slice, as the project writes it. */
  readonly slice: string;
  /** The baseline's value of it, as text. */
  readonly value: string;
  /** Paired cases with this value. */
  readonly cases: number;
  /** A difference per criterion of both runs, in the baseline's order. */
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
  | "not_pass_fail"
  | "no_observed_outcomes"
  | "judge_not_qualified"
  | "judge_rate_is_biased";

/** The decision of one rule. */
export interface Decision {
  /** The rule's name, unique within the policy. */
  readonly name: string;
  /** The criterion that it is about. */
  readonly criterion: string;
  /** How it decides. */
  readonly test: RuleTest;
  /** Points; null for tests without a margin. */
  readonly margin_points: number | null;
  /** A fraction; null for tests without one. */
  readonly at_least: number | null;
  /** Passed, failed, or undecided. */
  readonly decision: Verdict;
  /** Why, as a stable word. */
  readonly reason: DecisionReason;
  /** The unrounded bounds or share that decided; null where there are none. */
  readonly lower: number | null;
  /** The upper bound, unrounded; the share itself for a suite-threshold; null where there is none. */
  readonly upper: number | null;
  /** Baseline cases without an observed pair, counted against the rule where they could decide it. */
  readonly unobserved: number;
  /** Cases that went from pass to fail, of a no-regression rule; sorted. */
  readonly regressed: readonly string[];
  /** Points, unrounded: the margin that decided, where the errors of a judge shrink it; absent elsewhere. */
  readonly shrunk_margin_points?: number;
  /** Of a rate that is biased by its judge: the share that passes, and what it would stand for; null where that cannot be told. */
  readonly judged_share?: { readonly observed: number; readonly corrected: number | null };
}

/** What is known of the judge behind a criterion, and what it may therefore decide. */
export interface JudgeLicence {
  /** The criterion that it judges. */
  readonly criterion: string;
  /** Provider and model, or the user's function. */
  readonly judge: string;
  /** The newest calibration of this very judge; null when it was never measured. */
  readonly calibration_id: string | null;
  /** Rows with a verdict. */
  readonly labels: number;
  /** At the confidence of the policy; null when it was not measured. */
  readonly sensitivity: JudgeRate | null;
  /** At the confidence of the policy; null when it was not measured. */
  readonly specificity: JudgeRate | null;
  /** Why it may not gate, in a sentence; null when it may. */
  readonly problem: string | null;
  /** What a margin is multiplied by, above 0 and at most 1; null when it may not gate. */
  readonly margin_factor: number | null;
}

/** A verdict that is not the same in both runs. */
export interface VerdictChange {
  /** The id of the case in both runs. */
  readonly case_id: string;
  /** The criterion that it is about. */
  readonly criterion: string;
  /** Whether the candidate passes where the baseline failed, or the other way round. */
  readonly change: "better" | "worse";
}

/** Cases that are not compared, by reason. */
export interface Unpaired {
  /** Cases that the baseline does not have. */
  readonly only_in_candidate: number;
  /** Cases that the candidate does not have; rules count them as unobserved. */
  readonly only_in_baseline: number;
  /** In both runs, with another input or expectation. */
  readonly changed: number;
}

/** The gate: what a pipeline acts on. */
export type Gate = "PASS" | "BLOCK" | "NOT_BLOCKED";

/** What identifies a comparison: the same runs under the same policy have the same id. */
export interface ComparisonContent {
  /** The form of this document; another form has another number. */
  readonly schema: "oloproof/comparison/1";
  /** The run that may be released. */
  readonly candidate: string;
  /** Null where a policy of thresholds needs no baseline. */
  readonly baseline: string | null;
  /** The confidence of the intervals, 0.95 unless a policy says otherwise. */
  readonly level: number;
  /** Null without a policy. */
  readonly policy: Policy | null;
  /** Cases of both runs with the same input and expectation. */
  readonly paired: number;
  /** Cases of one or both runs that are not compared, by reason. */
  readonly unpaired: Unpaired;
  /** A difference per criterion of both runs, in the baseline's order. */
  readonly metrics: readonly MetricDifference[];
  /** Differences by the baseline's slice values. */
  readonly slices: readonly SliceDifference[];
  /** Every changed verdict, sorted by case and criterion. */
  readonly changes: readonly VerdictChange[];
  /** The judges behind criteria of the rules, in the rules' order; absent when there are none. */
  readonly judges?: readonly JudgeLicence[];
  /** One per rule, in the policy's order; empty without a policy. */
  readonly decisions: readonly Decision[];
  /** Null without a policy. */
  readonly gate: Gate | null;
}

/** A system setting in which the runs differ; values as JSON text. */
export interface SettingChange {
  /** Its dotted name, as in `--set`; `source_code` stands for the code. */
  readonly setting: string;
  /** The run that it is measured against; null where a policy needs none. */
  readonly baseline: string;
  /** The run that may be released. */
  readonly candidate: string;
}

/** What could decide an undecided rule, in pairs (or cases, for a threshold). */
export interface Requirement {
  /** The rule's name, unique within the policy. */
  readonly name: string;
  /** What there is now. */
  readonly present: number;
  /** What would do if no verdict changed (for a threshold: if all passed); null = no number would; absent for superiority. */
  readonly needed_at_best?: number | null;
  /** What would do at the churn that was observed; null = no number would; undefined when nothing changed. */
  readonly needed_at_churn?: number | null;
}

/** A stored comparison: its content, and what stands beside it outside the id. */
export interface Comparison {
  /** `sha256:` and 64 hexadecimal digits. */
  readonly comparison_id: string;
  /** What the id is the hash of. */
  readonly content: ComparisonContent;
  /** System settings in which the runs differ; more than one cannot be told apart. */
  readonly settings_changed: readonly SettingChange[];
  /** Criteria that only one of the runs has. */
  readonly criteria_in_one: readonly string[];
  /** What would decide the undecided rules. */
  readonly requirements: readonly Requirement[];
  /** What a reader must know of the runs themselves: that one is unfinished, or ran a part of its cases; a sentence each. */
  readonly run_notes: readonly string[];
  /** How many comparisons of the same two runs were made before under other policies. */
  readonly earlier_policies: number;
  /** Fewer paired cases than this are counted, not estimated. */
  readonly min_slice_support: number;
  /** ISO 8601, UTC. */
  readonly created_at: string;
}

/** A case with a changed verdict, and what both runs answered. */
export interface ChangedCase {
  /** The id of the case in both runs. */
  readonly case_id: string;
  /** Every changed verdict, sorted by case and criterion. */
  readonly changes: readonly { readonly criterion: string; readonly change: "better" | "worse" }[];
  /** What the baseline answered; absent when it failed, or where the store does not hold the run, as of a bundle. */
  readonly baseline_output?: Json;
  /** What the candidate answered; likewise. */
  readonly candidate_output?: Json;
}
