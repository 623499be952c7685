/** Room for so many calls at once: the system under test never sees more, however many cases are under way. */

/** Bounds the calls under way. */
export class Slots {
  /** Those who wait, by rank. */
  readonly #waiting: (() => void)[][] = [];
  #free: number;

  /** @param count An integer ≥ 1. */
  constructor(count: number) {
    this.#free = count;
  }

  /**
   * Does the work as soon as there is room. Of those who wait the one of the highest rank goes first, of equal ones the one that
   * asked first.
   *
   * @param rank An integer ≥ 0.
   */
  async use<T>(rank: number, work: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free--;
    else await new Promise<void>((resolve) => this.#of(rank).push(resolve));
    try {
      return await work();
    } finally {
      const next = this.#waiting.findLast((equals) => equals.length > 0)?.shift();
      // Handed on, not given back: nobody who comes meanwhile can take it.
      if (next === undefined) this.#free++;
      else next();
    }
  }

  #of(rank: number): (() => void)[] {
    while (this.#waiting.length <= rank) this.#waiting.push([]);
    return this.#waiting[rank] ?? [];
  }
}
