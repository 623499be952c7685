/** Metrics: the judgments of one criterion, folded over cases. */

/**
 * One criterion over the selected cases; selected = observed + missing + excluded.
 *
 * `estimate`, `lower` and `upper` are fractions in [0, 1]. They, `level` and `method` are null together: when nothing
 * was observed there is no estimate and no interval. `method` is `clopper-pearson` for a proportion and `betting/19`
 * (or `betting/19+J`) for a mean of values in [0, 1].
 */
export interface Metric {
  readonly criterion: string;
  readonly kind: "proportion" | "mean";
  readonly estimate: number | null;
  readonly lower: number | null;
  readonly upper: number | null;
  readonly level: number | null;
  readonly method: string | null;
  readonly observed: number;
  readonly missing: number;
  readonly excluded: number;
}

/** The metrics of the cases that share one value; null under the minimum support. */
export interface SliceMetrics {
  readonly slice: string;
  readonly value: string;
  readonly cases: number;
  readonly metrics: readonly Metric[] | null;
}
