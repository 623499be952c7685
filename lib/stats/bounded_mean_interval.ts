import { alphaOfLevel } from "./alpha_of_level.ts";
import { betFractions } from "./bet_fractions.ts";
import { bettingLowerBound } from "./betting_lower_bound.ts";
import type { Interval } from "./interval.ts";
import { tallyValues } from "./tally_values.ts";

/**
 * Betting confidence interval for the mean of values in [0, 1].
 *
 * A candidate mean m is rejected when bets against it win too much: when the average over the bet fractions u of
 * ∏(1 + (u/m)(x - m)), or of ∏(1 - (u/(1-m))(x - m)), reaches 2 / alpha. The interval holds the candidates left.
 *
 * Source: Waudby-Smith and Ramdas (2024), "Estimating means of bounded random variables by betting", Journal of the
 * Royal Statistical Society, Series B 86(1), 1–27, sections 3 and 4; here with constant bets averaged over a fixed
 * grid. Guarantee: for independent cases the interval holds their mean with probability at least `level`, whatever
 * the distribution, at every number of cases; their order does not matter. Accuracy: never narrower than the exact
 * interval, and less than 1e-12 wider at each end for up to 100,000 cases.
 *
 * Edge cases: all values 0 give a lower end of exactly 0, all values 1 an upper end of exactly 1. Mirroring the
 * values (x to 1 - x) mirrors the interval. No values is a mistake of the caller, not an interval.
 *
 * @param values (value, count) pairs: the values in [0, 1], the counts integers of at least 1. Any order, and a
 * value may come more than once: the result is the same to the last bit.
 * @param options `level` is the confidence level as a proportion in (0, 1); 0.95 when left out.
 * @returns The interval in [0, 1], and `grid`, the name of the bet fractions used: `betting/19` for up to 25 cases,
 * `betting/19+J` with J halvings beyond. The mean of the values always lies inside.
 * @throws {RangeError} When there are no values, a value is outside [0, 1], a count is not an integer of at least 1,
 * or `level` is not strictly between 0 and 1.
 *
 * @example Mean score of thirteen cases
 * ```ts
 * import assert from "node:assert/strict";
 *
 * const { lower, upper, grid } = boundedMeanInterval([[1, 9], [0, 4]]);
 *
 * assert.ok(Math.abs(lower - 0.2900995912) < 1e-9);
 * assert.ok(Math.abs(upper - 0.9548137695) < 1e-9);
 * assert.equal(grid, "betting/19");
 * ```
 */
export function boundedMeanInterval(
  values: Iterable<readonly [value: number, count: number]>,
  options: { readonly level?: number } = {},
): Interval & { readonly grid: string } {
  const alpha = alphaOfLevel(options.level ?? 0.95);
  const { counts, cases } = tallyValues(values, { lowest: 0, highest: 1 });
  if (cases === 0) throw new RangeError("Cannot give an interval for no values: at least one is needed");
  const { fractions, grid } = betFractions(cases);
  const mirrored = Array.from(counts, ([value, count]) => [1 - value, count] as const);
  return {
    lower: bettingLowerBound(counts, { alpha, fractions }),
    upper: 1 - bettingLowerBound(mirrored, { alpha, fractions }),
    grid,
  };
}
