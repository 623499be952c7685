/** A process that is started once, kept, and started again when it ends on its own or does not answer. */
import { canonicalJson } from "../domain/identity.ts";
import { OloproofError } from "../domain/error.ts";
import type { Notice } from "../domain/run_report.ts";
import { toJson } from "../domain/json.ts";
import { VERSION } from "../version.ts";
import { type Caller, CallError } from "./caller.ts";
import { HostProcess, type ProcessSpec } from "./host_process.ts";
import { type Method, PROTOCOL } from "./message.ts";

/** What is kept, and how. */
export interface KeptSpec extends Omit<ProcessSpec, "onNoise" | "onLog"> {
  /** How messages name it: the command, or the module. */
  readonly name: string;
  readonly start_timeout_seconds: number;
  /** Fires when nobody wants the system any more. */
  readonly stop: AbortSignal;
  /** Told of what it prints, piece by piece. */
  readonly onLog?: (text: string) => void;
  /** Done after the last process has ended. */
  readonly cleanUp?: () => Promise<void>;
}

/** A process that takes calls once it has said hello. */
interface Started {
  readonly process: HostProcess;
  readonly ready: Promise<void>;
}

/** How often in a row a process may end without an answer to any case. */
const MAX_CRASHES = 5;

/** {@link Caller} over a process. Calls overlap. */
export class KeptProcess implements Caller {
  readonly #alive = new Set<HostProcess>();
  #current: Started | undefined;
  #crashes = 0;
  #restarts = 0;
  #givenUp: string | undefined;
  #firstHello: string | undefined;
  #isClosed = false;
  readonly #noise = { lines: 0, first: "", last: "" };

  constructor(private readonly spec: KeptSpec) {}

  /**
   * Starts the process and answers with what it says of itself.
   *
   * @throws {OloproofError} when it cannot be started, or ends or stays silent before it has said hello.
   */
  async start(): Promise<unknown> {
    const process = this.#launch();
    const hello = await this.#hello(process);
    this.#firstHello = textOf(hello);
    this.#current = { process, ready: Promise.resolve() };
    return hello;
  }

  async call(method: Method, params: unknown, signal?: AbortSignal): Promise<unknown> {
    const process = await this.#running(signal);
    const result = await process.call(method, params, signal);
    // A system that finds passages and dies over every answer makes no way.
    if (method === "generate" || method === "answer") this.#crashes = 0;
    return result;
  }

  notices(): readonly Notice[] {
    const { lines, first } = this.#noise;
    return [
      ...(lines === 0 ? [] : [{
        severity: "notice" as const,
        code: "stdout_noise",
        message: `The system printed ${lines === 1 ? "a line" : `${lines} lines`} on stdout that ${
          lines === 1 ? "is no message" : "are no messages"
        }, which were passed over: ${JSON.stringify(first)}`,
        hint: "stdout belongs to the protocol; print to stderr",
      }]),
      ...(this.#restarts === 0 ? [] : [{
        severity: "notice" as const,
        code: "system_restarted",
        message: `The system's process was started again ${
          this.#restarts === 1 ? "once" : `${this.#restarts} times`
        }, because it ended or did not stop working on cancelled calls`,
        hint: "calls that were under way failed with it; run.retries makes them again",
      }]),
    ];
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#alive].map((process) => process.stop(this.spec.stop.aborted)));
    await this.spec.cleanUp?.();
  }

  /** The process that takes calls. One that is perhaps stuck gets none until that is known. */
  async #running(signal: AbortSignal | undefined): Promise<HostProcess> {
    for (;;) {
      if (this.#givenUp !== undefined) throw new CallError(this.#givenUp);
      if (this.#isClosed) throw new CallError("the system was closed");
      const { process, ready } = this.#current ??= this.#startAgain();
      await ready;
      signal?.throwIfAborted();
      const { cleared } = process;
      if (!process.isAlive) this.#drop(process);
      else if (cleared === undefined) return process;
      else await cleared;
    }
  }

  #startAgain(): Started {
    this.#restarts++;
    const process = this.#launch();
    return { process, ready: this.#helloAgain(process) };
  }

  async #helloAgain(process: HostProcess): Promise<void> {
    try {
      if (textOf(await this.#hello(process)) === this.#firstHello) return;
      this.#giveUp("it says something else of itself than at its first start");
      throw new CallError(this.#givenUp ?? "");
    } catch (cause) {
      this.#drop(process);
      process.kill();
      throw cause instanceof OloproofError ? new CallError(cause.summary) : cause;
    }
  }

  /** A process that ended, or is stuck, gets no more calls. */
  #drop(process: HostProcess): void {
    if (this.#current?.process === process) this.#current = undefined;
  }

  #launch(): HostProcess {
    const process: HostProcess = HostProcess.start({
      ...this.spec,
      onNoise: (line) => {
        this.#noise.last = line.slice(0, 200);
        if (this.#noise.lines++ === 0) this.#noise.first = this.#noise.last;
        this.spec.onLog?.(`${line}\n`);
      },
      onLog: (text) => this.spec.onLog?.(text),
    }, () => this.#retire(process));
    this.#alive.add(process);
    process.ended.then((how) => this.#onEnd(process, how));
    return process;
  }

  #onEnd(process: HostProcess, how: string): void {
    this.#alive.delete(process);
    this.#drop(process);
    if (this.#isClosed || this.#retired.has(process)) return;
    if (++this.#crashes >= MAX_CRASHES) {
      const said = process.logTail;
      this.#giveUp(
        `the process ended ${MAX_CRASHES} times in a row without an answer (the last one ${how})` +
          (said === "" ? "" : `; its stderr ends with:\n${said}`),
      );
    }
  }

  readonly #retired = new WeakSet<HostProcess>();

  /** A stuck process gets no more calls; the calls that are not stuck may end, then it is ended. */
  #retire(process: HostProcess): void {
    if (this.#retired.has(process)) return;
    this.#retired.add(process);
    this.#drop(process);
    const check = () => {
      if (!process.isAlive) return;
      if (process.isBusy) setTimeout(check, 50);
      else process.kill("was ended: a cancelled call did not come to an end");
    };
    check();
  }

  #giveUp(reason: string): void {
    this.#givenUp ??= `the system is not started again: ${reason}`;
  }

  async #hello(process: HostProcess): Promise<unknown> {
    const { start_timeout_seconds: seconds, stop } = this.spec;
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(LATE), seconds * 1000);
    const hello = process.call(
      "hello",
      { protocol: PROTOCOL, oloproof: VERSION },
      AbortSignal.any([late.signal, stop]),
    );
    try {
      return await hello;
    } catch (cause) {
      process.kill();
      if (stop.aborted) throw stop.reason;
      throw this.#startError(process, cause === LATE ? `it did not say hello within ${seconds} s` : cause);
    } finally {
      clearTimeout(timer);
    }
  }

  #startError(process: HostProcess, cause: unknown): OloproofError {
    const error = cause instanceof Error ? cause : new CallError(String(cause));
    const said = process.logTail;
    const [reason = ""] = error.message.split("; its stderr ends with:\n");
    const tail = said === "" ? "" : `\n  its stderr ends with:\n${said.replaceAll(/^/gm, "    ")}`;
    // After a later start it may be another process that printed.
    const isNoisy = this.#firstHello === undefined && this.#noise.lines > 0;
    const noise = isNoisy
      ? `\n  its last line on stdout is no message: ${JSON.stringify(this.#noise.last)}`
      : "";
    return new OloproofError(`Cannot start the system: ${reason}${noise}${tail}`, {
      code: error instanceof CallError && error.kind !== undefined ? error.kind : "system_not_started",
      kind: "configuration",
      where: this.spec.name,
      hint: error instanceof CallError && error.hint !== undefined
        ? error.hint
        : isNoisy
        ? 'the process must answer hello on stdout with one line of JSON that has "jsonrpc": "2.0" and the id of the question'
        : "the process must answer hello with its settings and stages on stdout; run it by itself to see why it does not",
      cause,
    });
  }
}

/** Why a process that is too slow is given up. */
const LATE = Symbol("late");

function textOf(hello: unknown): string {
  const reading = toJson(hello);
  return reading.ok ? canonicalJson(reading.value) : reading.problem;
}
