/**
 * A closed interval: both ends belong to it, and `lower <= upper`.
 *
 * The ends carry the unit of whatever was estimated and are never rounded; printing rounds them outward.
 *
 * @example A closed interval holds its ends
 * ```ts
 * import assert from "node:assert/strict";
 *
 * const passRate: Interval = { lower: 0.385, upper: 0.91 };
 *
 * assert.ok(passRate.lower <= 0.385 && 0.385 <= passRate.upper);
 * ```
 */
export interface Interval {
  /** The smallest value in the interval. */
  readonly lower: number;
  /** The largest value in the interval. */
  readonly upper: number;
}
