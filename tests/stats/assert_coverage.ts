import assert from "node:assert/strict";
import type { Interval } from "../../lib/stats/interval.ts";
import { binomialProbability } from "./binomial_probability.ts";

/**
 * Asserts, by summing the binomial, that intervals hold the success rate with the probability they promise.
 *
 * Coverage is lowest just outside an interval's end, so each end is tried from both sides beside an even grid.
 *
 * @param intervals The interval for each number of successes, from 0 to all trials.
 */
export function assertCoverage(intervals: readonly Interval[], level: number): void {
  const trials = intervals.length - 1;
  const grid = Array.from({ length: 101 }, (_, index) => index / 100);
  const ends = intervals.flatMap((
    { lower, upper },
  ) => [lower - 1e-9, lower + 1e-9, upper - 1e-9, upper + 1e-9]);
  for (const rate of [...grid, ...ends].filter((rate) => rate >= 0 && rate <= 1)) {
    let coverage = 0;
    intervals.forEach(({ lower, upper }, successes) => {
      if (lower <= rate && rate <= upper) coverage += binomialProbability(successes, trials, rate);
    });
    assert.ok(coverage >= level - 1e-12, `coverage ${coverage} at rate ${rate} of ${trials} trials`);
  }
}
