/** How many judge calls there may be: at once, in a minute, in a run, and for how much. */
import type { JudgingOptions } from "../domain/judge.ts";
import type { Clock } from "../domain/ports.ts";

const MINUTE_MS = 60_000;

/** Sums of cents are not exact. */
const ROUNDING = 1e-9;

/** The limits of a gate; see {@link JudgingOptions}. */
export type GateLimits = Pick<
  JudgingOptions,
  "concurrency" | "requests_per_minute" | "max_calls" | "max_cost_usd"
>;

/** Lets calls through, in the order in which they come, as far as the limits allow. */
export class CallGate {
  readonly #waiting: (() => void)[] = [];
  /** When the calls of the last minute began. */
  readonly #begun: number[] = [];
  #turn: Promise<void> = Promise.resolve();
  #under_way = 0;
  #calls = 0;
  #spent_usd = 0;

  constructor(
    private readonly limits: GateLimits,
    private readonly clock: Clock,
    private readonly stop: AbortSignal,
  ) {}

  /** Calls that were let through. */
  get calls(): number {
    return this.#calls;
  }

  /** US dollars that calls are known to have cost. */
  get spent_usd(): number {
    return this.#spent_usd;
  }

  /**
   * Makes a call when it is its turn. Of several under way none knows what the others will cost: a limit of cost keeps calls from
   * beginning, it does not end those that have.
   *
   * @returns What the call answers, or in a sentence which limit keeps it from being made.
   * @throws The reason of `stop`.
   */
  async pass<T>(
    call: () => Promise<T>,
  ): Promise<{ readonly made: T } | { readonly refused: string }> {
    await this.#enter();
    try {
      this.stop.throwIfAborted();
      // Looked at twice: nobody waits a minute for a call that is not to be, and others may have spent the rest meanwhile.
      let refused = this.#refusal();
      if (refused !== undefined) return { refused };
      await this.#minute();
      refused = this.#refusal();
      if (refused !== undefined) return { refused };
      this.#calls++;
      return { made: await call() };
    } finally {
      this.#leave();
    }
  }

  spend(cost_usd: number): void {
    this.#spent_usd += cost_usd;
  }

  #refusal(): string | undefined {
    const { max_calls, max_cost_usd } = this.limits;
    if (max_calls !== undefined && this.#calls >= max_calls) {
      return `judging.max_calls is ${max_calls}, and so many calls were made`;
    }
    if (max_cost_usd !== undefined && this.#spent_usd >= max_cost_usd * (1 - ROUNDING)) {
      const spent = Number(this.#spent_usd.toPrecision(6));
      return `judging.max_cost_usd is ${max_cost_usd}, and ${spent} USD are spent`;
    }
    return undefined;
  }

  async #enter(): Promise<void> {
    if (this.#under_way < this.limits.concurrency) {
      this.#under_way++;
      return;
    }
    // The place of the call that leaves is handed over.
    await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  #leave(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#under_way--;
    else next();
  }

  /** Waits, one call behind the other, until fewer than the limit began in the last minute. */
  #minute(): Promise<void> {
    const limit = this.limits.requests_per_minute;
    if (limit === undefined) return Promise.resolve();
    const turn = this.#turn.then(async () => {
      for (;;) {
        const now = this.clock.elapsed();
        while ((this.#begun[0] ?? now) <= now - MINUTE_MS) this.#begun.shift();
        const oldest = this.#begun[0];
        if (oldest === undefined || this.#begun.length < limit) break;
        await this.clock.wait(oldest + MINUTE_MS - now, this.stop);
      }
      this.#begun.push(this.clock.elapsed());
    });
    // Whoever comes next waits for the turn to be over, however it ended.
    this.#turn = turn.catch(() => undefined);
    return turn;
  }
}
