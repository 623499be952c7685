/** Asks a model through a gate, within a time limit, and again where that may help. */
import type { JudgePrompt, JudgeQuestion, JudgingOptions, TokenPrice } from "../domain/judge.ts";
import type { Clock } from "../domain/ports.ts";
import type { Usage } from "../domain/record.ts";
import type { ChatReply } from "../judges/ask_judge.ts";
import type { CallGate } from "./call_gate.ts";
import type { Attempt, ChatModel } from "./chat_model.ts";

/** How attempts are spaced, in milliseconds. */
export interface Patience {
  /** Before the second attempt; doubled before each further one. */
  readonly first_wait_ms: number;
  /** The longest wait of our own choosing. */
  readonly longest_backoff_ms: number;
  /** A provider that asks for more is not waited for. */
  readonly longest_wait_ms: number;
}

/** The spacing of attempts outside of tests. */
export const PATIENCE: Patience = { first_wait_ms: 500, longest_backoff_ms: 8_000, longest_wait_ms: 60_000 };

/** What asking needs besides the model. */
export interface AskingSurroundings {
  readonly clock: Clock;
  readonly stop: AbortSignal;
  readonly gate: CallGate;
  readonly options: Pick<JudgingOptions, "timeout_seconds" | "retries">;
  /** What turns the model's tokens into dollars; absent = its cost is only what it says itself. */
  readonly price?: TokenPrice;
  readonly patience?: Patience;
}

/** A model that several questions are asked of at once. */
export class PatientModel {
  /** Until then the provider wants to be left alone, by the clock's elapsed milliseconds. */
  #notBefore = 0;

  constructor(private readonly model: ChatModel, private readonly outside: AskingSurroundings) {}

  /**
   * Asks until there is an answer, or none is to be had. Waits as the provider asks, else 0.5 s, 1 s, 2 s … 8 s.
   *
   * @param onUse Told of the use of every attempt.
   * @throws The reason of `stop`: an interrupted question is no failure of the judge.
   */
  async ask(
    prompt: JudgePrompt,
    question: JudgeQuestion,
    onUse: (usage: Usage) => void,
  ): Promise<ChatReply> {
    const { gate, options, stop, clock, patience = PATIENCE } = this.outside;
    for (let attempt = 0;; attempt++) {
      await this.#waitForProvider();
      const passed = await gate.pass(() => this.#attempt(prompt, question));
      if ("refused" in passed) {
        return { status: "failed", reason: "judge_budget_spent", message: passed.refused };
      }
      stop.throwIfAborted();
      const { usage, ...made } = passed.made;
      if (usage !== undefined) this.#account(usage, onUse);
      if (made.status !== "failed") return made;
      const { reason, message, again, wait_ms } = made;
      const failed = { status: "failed", reason, message } as const;
      if (!again || attempt >= options.retries) return failed;
      if (wait_ms === undefined) {
        await clock.wait(Math.min(patience.first_wait_ms * 2 ** attempt, patience.longest_backoff_ms), stop);
      } else if (wait_ms <= patience.longest_wait_ms) {
        this.#notBefore = Math.max(this.#notBefore, clock.elapsed() + wait_ms);
      } else {
        const asked = `it asks to wait ${Math.ceil(wait_ms / 1000)} s`;
        return { ...failed, message: `${message}; ${asked}, longer than we do` };
      }
    }
  }

  async #waitForProvider(): Promise<void> {
    const { clock, stop } = this.outside;
    for (let rest = 1; rest > 0;) {
      rest = this.#notBefore - clock.elapsed();
      if (rest > 0) await clock.wait(rest, stop);
    }
  }

  async #attempt(prompt: JudgePrompt, question: JudgeQuestion): Promise<Attempt> {
    const { clock, stop, options: { timeout_seconds } } = this.outside;
    const call = new AbortController();
    const watch = new AbortController();
    const { promise: stopped, reject } = Promise.withResolvers<never>();
    const onStop = () => {
      call.abort(stop.reason);
      reject(stop.reason);
    };
    stop.addEventListener("abort", onStop, { once: true });
    const timedOut = clock.wait(timeout_seconds * 1000, watch.signal).then((): Attempt => {
      const message = `no answer within ${timeout_seconds} s (judging.timeout_seconds)`;
      call.abort(new DOMException(message, "TimeoutError"));
      return { status: "failed", reason: "judge_timed_out", message, again: true };
    });
    try {
      return await Promise.race([timedOut, stopped, this.model.ask(prompt, question, call.signal)]);
    } finally {
      watch.abort(CALLED_OFF);
      stop.removeEventListener("abort", onStop);
    }
  }

  #account(used: Usage, onUse: (usage: Usage) => void): void {
    const { gate, price } = this.outside;
    const { input_tokens = 0, output_tokens = 0 } = used;
    const cost_usd = used.cost_usd ??
      (price === undefined ? undefined : (input_tokens * price.input + output_tokens * price.output) / 1e6);
    if (cost_usd !== undefined) gate.spend(cost_usd);
    onUse(cost_usd === undefined ? used : { ...used, cost_usd });
  }
}

/** Why a timer is called off: its call came back. */
const CALLED_OFF = Symbol("called off");
