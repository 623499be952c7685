/** The paired difference of one criterion, folded pair by pair. */
import type { MetricDifference } from "../domain/comparison.ts";
import { mcnemarExact } from "../stats/mcnemar.ts";
import { pairedDifferenceInterval } from "../stats/paired_difference_interval.ts";
import type { Outcome } from "./outcome.ts";

/** How often each difference occurs. */
export type Differences = ReadonlyMap<number, number>;

/** Folds paired outcomes, in any order. Memory grows with the distinct differences. */
export class DifferenceFold {
  readonly #differences = new Map<number, number>();
  #missing = 0;
  #excluded = 0;
  #better = 0;
  #worse = 0;
  #tied = 0;
  #numbers = false;

  add(candidate: Outcome, baseline: Outcome): void {
    // An exclusion lies with the case alone; on one side only, the other one's outcome has no partner.
    if (candidate === "excluded" && baseline === "excluded") this.#excluded++;
    else if (typeof candidate === "string" || typeof baseline === "string") this.#missing++;
    else {
      if (typeof candidate === "number" || typeof baseline === "number") this.#numbers = true;
      const difference = Number(candidate) - Number(baseline);
      this.#differences.set(difference, (this.#differences.get(difference) ?? 0) + 1);
      if (difference > 0) this.#better++;
      else if (difference < 0) this.#worse++;
      else this.#tied++;
    }
  }

  /** The mean difference with its interval; a McNemar p only where all values are verdicts. */
  difference(criterion: string, options: { readonly level: number }): MetricDifference {
    const counts = {
      missing: this.#missing,
      excluded: this.#excluded,
      better: this.#better,
      worse: this.#worse,
      tied: this.#tied,
    };
    const paired = this.#better + this.#worse + this.#tied;
    if (paired === 0) {
      const absent = { difference: null, lower: null, upper: null, method: null, mcnemar_p: null };
      return { criterion, paired, ...absent, ...counts };
    }
    const { lower, upper, grid } = pairedDifferenceInterval(this.#differences, { level: options.level });
    const mcnemar_p = this.#numbers ? null : mcnemarExact({ better: this.#better, worse: this.#worse });
    return {
      criterion,
      difference: meanOf(this.#differences, paired),
      lower,
      upper,
      method: grid,
      paired,
      ...counts,
      mcnemar_p,
    };
  }
}

/** The mean, added up by size: neither the order of cases nor the direction of the comparison can show. */
function meanOf(differences: Differences, count: number): number {
  const sorted = [...differences].sort(([a], [b]) => Math.abs(a) - Math.abs(b) || a - b);
  const sum = sorted.reduce((total, [difference, times]) => total + difference * times, 0);
  return sum === 0 ? 0 : sum / count;
}
