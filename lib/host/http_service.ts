/** A service that speaks the protocol by HTTP POST, one message a request. */
import { messageOf, OloproofError } from "../domain/error.ts";
import type { Notice } from "../domain/run_report.ts";
import { InvalidOutput } from "../stages/read_output.ts";
import { VERSION } from "../version.ts";
import { type Caller, CallError, resultOf } from "./caller.ts";
import { type Endpoint, pieceOf, StatusError } from "./endpoint.ts";
import { type Method, PROTOCOL, readText, requestText } from "./message.ts";

/** {@link Caller} over HTTP. Also stands for a service of its own kind, of which nothing is called here. */
export class HttpService implements Caller {
  #lastId = 0;

  constructor(private readonly endpoint: Endpoint) {}

  /**
   * Asks the service what it is.
   *
   * @throws {OloproofError} `service_not_reached`, `service_not_started`.
   */
  async hello(seconds: number, stop: AbortSignal): Promise<unknown> {
    const late = AbortSignal.timeout(seconds * 1000);
    try {
      return await this.call(
        "hello",
        { protocol: PROTOCOL, oloproof: VERSION },
        AbortSignal.any([late, stop]),
      );
    } catch (cause) {
      stop.throwIfAborted();
      const isAnswer = cause instanceof StatusError || cause instanceof InvalidOutput ||
        (cause instanceof CallError && cause.kind !== undefined);
      const reason = late.aborted ? `it did not say hello within ${seconds} s` : messageOf(cause);
      throw new OloproofError(`Cannot use the service: ${reason}`, {
        code: isAnswer ? "service_not_started" : "service_not_reached",
        kind: isAnswer ? "configuration" : "surroundings",
        where: this.endpoint.host,
        hint: cause instanceof CallError && cause.hint !== undefined
          ? cause.hint
          : "it must answer the message hello; a service of its own kind is described by request and response",
        cause,
      });
    }
  }

  async call(method: Method, params: unknown, signal?: AbortSignal): Promise<unknown> {
    const text = await this.#post(requestText(++this.#lastId, method, params), signal);
    const line = readText(text);
    if (line.kind === "reply") return resultOf(line.reply);
    const problem = line.kind === "broken" ? line.problem : `it is no message: ${pieceOf(text)}`;
    throw new InvalidOutput(`the answer cannot be read: ${problem}`);
  }

  async #post(body: string, signal: AbortSignal | undefined): Promise<string> {
    try {
      return await this.endpoint.post(body, signal);
    } catch (cause) {
      // Some frameworks send the error of a call with a status of its own.
      if (cause instanceof StatusError && readText(cause.body).kind === "reply") return cause.body;
      throw cause;
    }
  }

  notices(): readonly Notice[] {
    const { host, requests } = this.endpoint;
    if (requests === 0) return [];
    const times = requests === 1 ? "once" : `${requests} times`;
    const message = `Inputs and passages were sent to ${host}, which was asked ${times}`;
    return [{ severity: "notice", code: "service_contacted", message }];
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}
