/** A release policy: rules that are fixed before the candidate is looked at. */

/** How a rule decides; see the table in the README. */
export type RuleTest =
  | "non-inferiority"
  | "superiority"
  | "equivalence"
  | "threshold"
  | "suite-threshold"
  | "no-regression";

/** One rule of a policy. All rules must pass for the gate to pass. */
export type Rule =
  & {
    /** Unique within the policy. */
    readonly name: string;
    /** The criterion of both runs that it is about. */
    readonly criterion: string;
  }
  & (
    | {
      readonly test: "non-inferiority" | "superiority" | "equivalence";
      /** Percentage points, as written in the policy; a fraction is this divided by 100. */
      readonly margin_points: number;
    }
    | {
      readonly test: "threshold" | "suite-threshold";
      /** A fraction in [0, 1]. */
      readonly at_least: number;
    }
    | {
      readonly test: "no-regression";
      /** The ids that must not regress; absent = every case. */
      readonly cases?: readonly string[];
      /** `metadata.topic=billing`: the cases of this slice value (the baseline's) must not regress. */
      readonly slice?: { readonly slice: string; readonly value: string };
    }
  );

/** What a judge must have shown before rules on its criterion decide anything; fractions are held against lower bounds. */
export interface JudgeTerms {
  /** The least lower bound of its sensitivity, in [0, 1]. */
  readonly min_sensitivity: number;
  /** The least lower bound of its specificity, in [0, 1]. */
  readonly min_specificity: number;
  /** The least number of labelled rows with a verdict, passes and fails together. */
  readonly min_labels: number;
}

/** A policy as a file states it. */
export interface Policy {
  /** Confidence of the intervals that decide; two-sided. */
  readonly level: number;
  /** What undecided rules do to the gate. */
  readonly on_insufficient: "block" | "allow";
  /** The rules, in their order; all must pass. */
  readonly rules: readonly Rule[];
  /** Terms of judges, by criterion; absent = none are stated, and no judge may gate. */
  readonly judges?: { readonly [criterion: string]: JudgeTerms };
}
