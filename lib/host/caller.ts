/** Somebody who can be asked: a process, or a service. */
import { InvalidOutput } from "../stages/read_output.ts";
import type { Notice } from "../domain/run_report.ts";
import type { Method, Reply } from "./message.ts";

/** The other side of the protocol. */
export interface Caller {
  /**
   * Asks and waits for the result. When the signal fires, the other side is told that nobody waits any more.
   *
   * @throws {CallError} when the call came back as an error, or cannot come back any more.
   * @throws {InvalidOutput} when what came back cannot be read.
   */
  call(method: Method, params: unknown, signal?: AbortSignal): Promise<unknown>;
  /** What is to be told about it at the end of a run. */
  notices(): readonly Notice[];
  /** Ends what was started. Never throws; calls under way fail. */
  close(): Promise<void>;
}

/** A call that failed on the other side. Its stack is the trace of the other side. */
export class CallError extends Error {
  constructor(
    message: string,
    /** What the failed call said that it used. */
    readonly usage?: unknown,
    /** What the other side suggests. */
    readonly hint?: string,
    /** What sort of failure it calls it. */
    readonly kind?: string,
  ) {
    super(message);
    this.name = "CallError";
  }
}

/** The result of a reply. */
export function resultOf(reply: Reply): unknown {
  if (reply.ok) return reply.result;
  const { message, kind, trace, hint, usage } = reply.error;
  if (kind === "invalid_output") throw new InvalidOutput(message);
  const error = new CallError(message, usage, hint, kind);
  // The place on this side tells nothing.
  error.stack = trace ?? `${message} (in the system's own process)`;
  throw error;
}
