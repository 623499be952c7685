/** Metrics: the judgments of one criterion, folded over cases. */

/**
 * One criterion over the selected cases; selected = observed + missing + excluded.
 *
 * `estimate`, `lower` and `upper` are fractions in [0, 1]. They, `level` and `method` are null together: when nothing
 * was observed there is no estimate and no interval. `method` is `clopper-pearson` for a proportion and `betting/19`
 * (or `betting/19+J`) for a mean of values in [0, 1].
 */
export interface Metric {
  /** The evaluator's name, unique in the project. */
  readonly criterion: string;
  /** `proportion`: every value is pass/fail, or 0 or 1 by construction; `mean`: any values in [0, 1]. */
  readonly kind: "proportion" | "mean";
  /** Share of passes or mean over the observed cases alone, unrounded. */
  readonly estimate: number | null;
  /** Lower bound of the two-sided interval, unrounded; reports round it down. */
  readonly lower: number | null;
  /** Upper bound of the two-sided interval, unrounded; reports round it up. */
  readonly upper: number | null;
  /** Confidence of the interval as a fraction: 0.95. */
  readonly level: number | null;
  /** How the interval was computed; J counts the bet fractions added for more than 25 values. */
  readonly method: string | null;
  /** Cases with a value; the denominator of `estimate`. */
  readonly observed: number;
  /** Cases that should have a value and have none, such as those whose execution failed. */
  readonly missing: number;
  /** Cases to which the evaluator does not apply, such as unlabelled ones for recall. */
  readonly excluded: number;
}

/** The metrics of the cases that share one value; null under the minimum support. */
export interface SliceMetrics {
  /** What groups the cases: `metadata.<path>`, `input.<path>`, `relevant_position` or `context_truncated`. */
  readonly slice: string;
  /** The shared value as text, JSON where it is none; `absent` for cases without one. */
  readonly value: string;
  /** Finished cases with this value, judged or not; what `min_slice_support` is compared with. */
  readonly cases: number;
  /** One per evaluator, in the project's order; null with fewer cases than `min_slice_support`. */
  readonly metrics: readonly Metric[] | null;
}
