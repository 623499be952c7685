/** One call of a stage: with a time limit, further attempts, and a failure as data. */
import { messageOf } from "../domain/error.ts";
import type { Clock } from "../domain/ports.ts";
import type { StageCost, StageFailure, StageName, Usage } from "../domain/record.ts";
import { InvalidOutput } from "./read_output.ts";
import type { Slots } from "./slots.ts";

/** How long one attempt may take, and how many further ones a stage that threw or timed out is given. */
export interface StageLimits {
  readonly timeout_seconds: number;
  readonly retries: number;
}

/** What a stage call came to. The cost of a failed call counts what its attempts said that they used. */
export type StageResult<T> =
  | { readonly ok: true; readonly value: T; readonly cost: StageCost }
  | { readonly ok: false; readonly failure: StageFailure };

/** What a call is given by {@link callStage}. */
export interface CallTools {
  readonly signal: AbortSignal;
  usage(used: Usage): void;
}

class StageTimeout extends Error {}

/** The longest wait between two attempts. */
const MAX_BACKOFF_SECONDS = 8;

/**
 * Calls a stage and reads what it returns. A call that throws or times out is made again up to `retries` times, after waits of
 * 0.5 s, 1 s, 2 s … 8 s; an output of a wrong shape is not asked for again. A late result of a timed-out call is ignored.
 *
 * @throws the reason of `stop`, when the run was interrupted: an interrupted call is no failure of the stage.
 */
export function callStage<T>(
  stage: StageName,
  call: (tools: CallTools) => unknown,
  read: (returned: unknown) => T,
  limits: StageLimits,
  outside: CallSurroundings,
): Promise<StageResult<T>> {
  const make = () => makeCall(stage, call, read, limits, outside);
  return outside.slots === undefined ? make() : outside.slots.use(RANK[stage], make);
}

/** Cases that have begun are brought to their end before others begin. */
const RANK: Readonly<Record<StageName, number>> = {
  retrieve: 0,
  rerank: 1,
  assemble: 2,
  generate: 3,
  answer: 0,
};

/** What a call needs of the outside. */
export interface CallSurroundings {
  readonly clock: Clock;
  readonly stop: AbortSignal;
  /** Where the call waits for its turn; absent = it need not. */
  readonly slots?: Slots;
}

async function makeCall<T>(
  stage: StageName,
  call: (tools: CallTools) => unknown,
  read: (returned: unknown) => T,
  limits: StageLimits,
  { clock, stop }: CallSurroundings,
): Promise<StageResult<T>> {
  let used: Usage | undefined;
  const usage = (more: Usage) => used = addUsage(used, more);
  for (let attempt = 0;; attempt++) {
    stop.throwIfAborted();
    const start = clock.elapsed();
    const cost = (end: number): StageCost => ({
      latency_ms: end - start,
      ...(used === undefined ? {} : { usage: used }),
    });
    try {
      const { returned, end } = await within(
        limits.timeout_seconds,
        (signal) => call({ signal, usage }),
        clock,
        stop,
      );
      const value = read(returned);
      return { ok: true, value, cost: cost(end) };
    } catch (cause) {
      stop.throwIfAborted();
      const kind = cause instanceof StageTimeout
        ? "timeout"
        : cause instanceof InvalidOutput
        ? "invalid_output"
        : "exception";
      if (kind === "invalid_output" || attempt >= limits.retries) {
        const message = storable(messageOf(cause));
        const thrown = kind === "exception" && cause instanceof Error ? cause.stack : undefined;
        const trace = thrown === undefined ? {} : { trace: storable(thrown) };
        return { ok: false, failure: { stage, kind, message, ...trace, cost: cost(clock.elapsed()) } };
      }
      await clock.wait(1000 * Math.min(0.5 * 2 ** attempt, MAX_BACKOFF_SECONDS), stop);
    }
  }
}

/** What a call came back with, and when: before other cases, which wait for the same thread, go on. */
interface Settled {
  readonly returned: unknown;
  readonly end: number;
}

async function within(
  seconds: number,
  call: (signal: AbortSignal) => unknown,
  clock: Clock,
  stop: AbortSignal,
): Promise<Settled> {
  const stage = new AbortController();
  const returned = call(stage.signal);
  if (!isPromiseLike(returned)) return { returned, end: clock.elapsed() };
  const settled = Promise.resolve(returned).then((value) => ({ returned: value, end: clock.elapsed() }));
  const soon = stop.aborted ? undefined : await Promise.race([settled, microtasks()]);
  if (soon !== undefined) return soon;
  const watch = new AbortController();
  const { promise: stopped, reject } = Promise.withResolvers<never>();
  const onStop = () => {
    stage.abort(stop.reason);
    reject(stop.reason);
  };
  stop.addEventListener("abort", onStop, { once: true });
  // The call itself may have asked to stop before there was a listener.
  if (stop.aborted) onStop();
  const timedOut = waitFairly(seconds * 1000, clock, watch.signal).then(() => {
    const timeout = new StageTimeout(`no answer within ${seconds} s (run.timeout_seconds)`);
    stage.abort(timeout);
    throw timeout;
  });
  try {
    return await Promise.race([settled, timedOut, stopped]);
  } finally {
    // A reason that costs nothing: an error with a stack would be made for every call.
    watch.abort(CALLED_OFF);
    stop.removeEventListener("abort", onStop);
  }
}

/** An async call that waits for nothing real is done within this many turns of the microtask queue. */
const MICROTASKS = 20;

/** No timer can fire before these are over, so a call that is done by then needs none. */
async function microtasks(): Promise<undefined> {
  for (let turn = 0; turn < MICROTASKS; turn++) await undefined;
}

/** Why a timer is called off: its call came back. */
const CALLED_OFF = Symbol("called off");

/** A timer that fires later than this was kept from firing: the thread was busy with something else than the call. */
const LATE_MS = 20;

/**
 * Waits for a time limit, and longer by as much as the timer was late: while our own work held the thread, no answer could have
 * come in, and that is not the fault of the call.
 */
async function waitFairly(milliseconds: number, clock: Clock, signal: AbortSignal): Promise<void> {
  for (let wait = milliseconds; wait > 0;) {
    const start = clock.elapsed();
    await clock.wait(wait, signal);
    const late = clock.elapsed() - start - wait;
    wait = late > LATE_MS ? Math.min(late, milliseconds) : 0;
  }
}

function isPromiseLike(value: unknown): value is PromiseLike<unknown> {
  return typeof value === "object" && value !== null && "then" in value && typeof value.then === "function";
}

/** The longest message that is kept of a failure, in characters. */
const MAX_MESSAGE = 2000;

/** A message as it can be stored: well-formed text of bounded length. */
function storable(message: string): string {
  const text = message.toWellFormed();
  return text.length <= MAX_MESSAGE ? text : `${text.slice(0, MAX_MESSAGE).toWellFormed()}…`;
}

function addUsage(sum: Usage | undefined, more: Usage): Usage {
  const total: Record<string, number> = { ...sum };
  for (const key of ["input_tokens", "output_tokens", "cost_usd", "first_token_ms"] as const) {
    const value = more[key];
    if (value === undefined) continue;
    if (!Number.isFinite(value) || value < 0) {
      throw new TypeError(`usage: ${key} is ${value}; it is a number ≥ 0`);
    }
    const before = total[key];
    // The first token is the first one only; everything else adds up over calls and attempts.
    total[key] = before === undefined ? value : key === "first_token_ms" ? before : before + value;
  }
  return total;
}
