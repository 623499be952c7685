import { alphaOfLevel } from "./alpha_of_level.ts";
import { findOuterBound } from "./find_outer_bound.ts";
import { incompleteBeta } from "./incomplete_beta.ts";
import type { Interval } from "./interval.ts";

/**
 * Exact (Clopper–Pearson) confidence interval for a success rate.
 *
 * Each end is the success rate at which the observed count, or a more extreme one, has probability alpha / 2.
 *
 * Source: Clopper and Pearson (1934), "The use of confidence or fiducial limits illustrated in the case of the
 * binomial", Biometrika 26(4), 404–413. Guarantee: for independent trials with one success rate, the interval holds
 * that rate with probability at least `level`, whatever the rate and the number of trials. Accuracy: within 1e-11
 * of the exact ends for up to 1,000,000 trials.
 *
 * Edge cases: no success gives a lower end of exactly 0, all successes an upper end of exactly 1. Swapping
 * successes and failures mirrors the interval exactly. No trials is a mistake of the caller, not an interval.
 *
 * @param successes How many trials succeeded: an integer from 0 to `trials`.
 * @param trials How many trials were observed: an integer of at least 1.
 * @param options `level` is the confidence level as a proportion in (0, 1); 0.95 when left out.
 * @returns The interval as proportions in [0, 1]. The observed rate always lies inside.
 * @throws {RangeError} When a count is not an integer in its range, or `level` is not strictly between 0 and 1.
 *
 * @example Nine of thirteen cases passed
 * ```ts
 * import assert from "node:assert/strict";
 *
 * const { lower, upper } = clopperPearson(9, 13);
 *
 * assert.ok(Math.abs(lower - 0.3857383382) < 1e-9);
 * assert.ok(Math.abs(upper - 0.9090796054) < 1e-9);
 * ```
 */
export function clopperPearson(
  successes: number,
  trials: number,
  options: { readonly level?: number } = {},
): Interval {
  if (!Number.isSafeInteger(trials) || trials < 1) {
    throw new RangeError(
      `Cannot give an interval for ${trials} trials: the number must be an integer of at least 1`,
    );
  }
  if (!Number.isSafeInteger(successes) || successes < 0 || successes > trials) {
    throw new RangeError(
      `Cannot give an interval for ${successes} successes: the number must be an integer from 0 to ${trials}`,
    );
  }
  const alpha = alphaOfLevel(options.level ?? 0.95);
  return {
    lower: lowerEnd(successes, trials, alpha),
    upper: 1 - lowerEnd(trials - successes, trials, alpha),
  };
}

/** The success rate at which `successes` or more has probability alpha / 2. */
function lowerEnd(successes: number, trials: number, alpha: number): number {
  if (successes === 0) return 0;
  // All trials succeed with probability p^n. Solved by hand, so that 1 of 1 gives 0.025 and not its neighbour.
  if (successes === trials) return (alpha / 2) ** (1 / trials);
  return findOuterBound((rate) => incompleteBeta(rate, successes, trials - successes + 1) < alpha / 2);
}
