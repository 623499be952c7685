/** From judgments to one metric: the only place that counts observed, missing and excluded. */
import type { Judgment } from "../domain/judgment.ts";
import type { Metric } from "../domain/metric.ts";
import { boundedMeanInterval } from "../stats/bounded_mean_interval.ts";
import { clopperPearson } from "../stats/clopper_pearson.ts";

/** The confidence of every printed interval. */
const LEVEL = 0.95;

/**
 * Counts the judgments of one criterion, in any order. Memory grows with the distinct values, not with the cases.
 *
 * A criterion whose values are all pass/fail is a proportion with a Clopper–Pearson interval, any other a mean with a betting
 * interval. A number that can only be 0 or 1 (recall of one relevant unit) is a proportion, too: see `isBinary`.
 */
export class Tally {
  readonly #values = new Map<number, number>();
  #observed = 0;
  #missing = 0;
  #excluded = 0;
  #numbers = 0;
  #binary = 0;

  /**
   * @param isBinary Whether the value of this case is 0 or 1 by construction, though it is written as a number. What is
   * excluded has no value and decides nothing.
   */
  add(judgment: Judgment, isBinary = false): void {
    if (judgment.status === "excluded") {
      this.#excluded++;
      return;
    }
    if (isBinary) this.#binary++;
    if (judgment.status === "missing") {
      this.#missing++;
      return;
    }
    this.#observed++;
    if (typeof judgment.value === "number") this.#numbers++;
    const value = Number(judgment.value);
    this.#values.set(value, (this.#values.get(value) ?? 0) + 1);
  }

  metric(criterion: string): Metric {
    const counts = { observed: this.#observed, missing: this.#missing, excluded: this.#excluded };
    const kind = this.#numbers === 0 || this.#binary === this.#observed + this.#missing
      ? "proportion"
      : "mean";
    if (this.#observed === 0) {
      const absent = { estimate: null, lower: null, upper: null, level: null, method: null };
      return { criterion, kind, ...absent, ...counts };
    }
    if (kind === "proportion") {
      const passes = this.#values.get(1) ?? 0;
      const { lower, upper } = clopperPearson(passes, this.#observed, { level: LEVEL });
      const estimate = passes / this.#observed;
      return { criterion, kind, estimate, lower, upper, level: LEVEL, method: "clopper-pearson", ...counts };
    }
    const { lower, upper, grid } = boundedMeanInterval(this.#values, { level: LEVEL });
    return {
      criterion,
      kind,
      estimate: this.#mean(),
      lower,
      upper,
      level: LEVEL,
      method: grid,
      ...counts,
    };
  }

  /** The mean of the observed values, added up in the order of size so that the order of cases cannot show. */
  #mean(): number {
    const values = [...this.#values].sort(([a], [b]) => a - b);
    return values.reduce((sum, [value, count]) => sum + value * count, 0) / this.#observed;
  }
}
