/** A clock that a test moves by hand. */
import type { Clock } from "../../lib/domain/ports.ts";

interface Wait {
  readonly until: number;
  readonly end: () => void;
}

/** Time stands still until {@link HandClock.advance} moves it. */
export class HandClock implements Clock {
  /** Every wait that was asked for, in milliseconds. */
  readonly asked: number[] = [];
  readonly #waits = new Set<Wait>();
  #time = 0;

  now(): number {
    return 1_700_000_000_000 + this.#time;
  }

  elapsed(): number {
    return this.#time;
  }

  wait(milliseconds: number, signal?: AbortSignal): Promise<void> {
    this.asked.push(milliseconds);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    if (signal?.aborted) return Promise.reject(signal.reason);
    const onAbort = () => {
      this.#waits.delete(wait);
      reject(signal?.reason);
    };
    const wait = {
      until: this.#time + milliseconds,
      end: () => {
        signal?.removeEventListener("abort", onAbort);
        resolve();
      },
    };
    this.#waits.add(wait);
    signal?.addEventListener("abort", onAbort, { once: true });
    return promise;
  }

  /** How many waits have neither ended nor been called off. */
  get pending(): number {
    return this.#waits.size;
  }

  /** Lets all that can run do so, moves the time, and lets all run that waited for it. */
  async advance(milliseconds: number): Promise<void> {
    await settle();
    this.#time += milliseconds;
    for (const wait of [...this.#waits]) {
      if (wait.until > this.#time) continue;
      this.#waits.delete(wait);
      wait.end();
    }
    await settle();
  }
}

/** Lets everything run that waits for nothing but its turn. */
export function settle(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}
