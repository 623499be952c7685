import { alphaOfLevel } from "./alpha_of_level.ts";
import { betFractions } from "./bet_fractions.ts";
import { bettingLowerBound } from "./betting_lower_bound.ts";
import type { Interval } from "./interval.ts";
import { tallyValues } from "./tally_values.ts";

/**
 * Betting confidence interval for the mean of paired differences in [-1, 1].
 *
 * The interval of `boundedMeanInterval` on (d + 1) / 2, mapped back to the scale of the differences.
 *
 * Source: as for `boundedMeanInterval`. Guarantee: for independent pairs the interval holds their mean difference
 * with probability at least `level`, at every number of pairs. Accuracy: never narrower than the exact interval,
 * and less than 2e-12 wider at each end for up to 100,000 pairs.
 *
 * Edge cases: all differences -1 give a lower end of exactly -1, all 1 an upper end of exactly 1. Changing the sign
 * of every difference mirrors the interval exactly. Pairs without any difference still leave doubt: the interval
 * is symmetric around 0, not a point.
 *
 * @param differences (difference, count) pairs: the differences in [-1, 1], as proportions and not in points, the
 * counts integers of at least 1. Any order, and a difference may come more than once.
 * @param options `level` is the confidence level as a proportion in (0, 1); 0.95 when left out.
 * @returns The interval in [-1, 1], and `grid`, the name of the bet fractions used. The mean difference always lies
 * inside.
 * @throws {RangeError} When there are no differences, one is outside [-1, 1], a count is not an integer of at
 * least 1, or `level` is not strictly between 0 and 1.
 *
 * @example Thirteen pairs without a difference
 * ```ts
 * import assert from "node:assert/strict";
 *
 * const { lower, upper } = pairedDifferenceInterval([[0, 13]]);
 *
 * assert.ok(Math.abs(upper - 0.3352314833) < 1e-9);
 * assert.equal(lower, -upper);
 * ```
 */
export function pairedDifferenceInterval(
  differences: Iterable<readonly [difference: number, count: number]>,
  options: { readonly level?: number } = {},
): Interval & { readonly grid: string } {
  const alpha = alphaOfLevel(options.level ?? 0.95);
  const { counts, cases } = tallyValues(differences, { lowest: -1, highest: 1 });
  if (cases === 0) throw new RangeError("Cannot give an interval for no differences: at least one is needed");
  const { fractions, grid } = betFractions(cases);
  // Both scales come straight from d: 1 - (d + 1) / 2 would round twice, and d and -d would not mirror exactly.
  const raised = Array.from(counts, ([d, count]) => [(1 + d) / 2, count] as const);
  const mirrored = Array.from(counts, ([d, count]) => [(1 - d) / 2, count] as const);
  return {
    lower: 2 * bettingLowerBound(raised, { alpha, fractions }) - 1,
    upper: 1 - 2 * bettingLowerBound(mirrored, { alpha, fractions }),
    grid,
  };
}
