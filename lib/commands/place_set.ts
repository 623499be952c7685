/** Which executions of a run are there already. */
import type { CasePlace } from "../domain/run.ts";

/** A set of places of one run: a byte each, so that a run of millions fits. */
export class PlaceSet {
  readonly #has: Uint8Array;
  #size = 0;

  constructor(cases: number, private readonly repeats: number) {
    this.#has = new Uint8Array(cases * repeats);
  }

  get size(): number {
    return this.#size;
  }

  add(place: CasePlace): void {
    if (!this.has(place)) this.#size++;
    this.#has[this.#index(place)] = 1;
  }

  has(place: CasePlace): boolean {
    return this.#has[this.#index(place)] === 1;
  }

  #index({ ordinal, repeat }: CasePlace): number {
    return ordinal * this.repeats + repeat - 1;
  }
}
