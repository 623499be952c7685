/** Single flight: equal work under way is done once. */
import type { CacheOutcome } from "../domain/run.ts";

/** What was made, and whether it may stand for equal work (a failure may not). */
export interface Made<T> {
  readonly value: T;
  readonly shareable: boolean;
}

/**
 * Remembers work under way by its identity. Whoever asks first looks into the store and, where that has nothing, does the work (a
 * miss); whoever asks for the same meanwhile waits and shares it (a hit), unless it failed: then it is their own turn.
 *
 * Made work stays here until {@link SingleFlight.landed} says that the store has it, so there is no moment in which it is
 * neither here nor there, and memory holds no more than what is not yet written.
 */
export class SingleFlight<T> {
  readonly #flights = new Map<string, Promise<Made<T>>>();

  /** @param find What the store holds under an identity; absent when that must not be used (then nothing is forgotten). */
  constructor(private readonly find?: (identity: string) => Promise<T | undefined>) {}

  async get(
    identity: string,
    make: () => Promise<Made<T>>,
  ): Promise<{ readonly value: T; readonly outcome: CacheOutcome }> {
    for (;;) {
      const flying = this.#flights.get(identity);
      if (flying === undefined) break;
      const made = await flying;
      if (made.shareable) return { value: made.value, outcome: "hit" };
    }
    return await this.#begin(identity, make);
  }

  /** Forgets work that the store holds from now on. */
  landed(identity: string): void {
    if (this.find !== undefined) this.#flights.delete(identity);
  }

  async #begin(identity: string, make: () => Promise<Made<T>>) {
    let outcome: CacheOutcome = "hit";
    const flight = (async (): Promise<Made<T>> => {
      const found = await this.find?.(identity);
      if (found !== undefined) return { value: found, shareable: true };
      outcome = "miss";
      return await make();
    })();
    this.#flights.set(identity, flight);
    try {
      const made = await flight;
      if (outcome === "hit" || !made.shareable) this.#flights.delete(identity);
      return { value: made.value, outcome };
    } catch (cause) {
      this.#flights.delete(identity);
      throw cause;
    }
  }
}
