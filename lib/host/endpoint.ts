/** An address that is asked by HTTP POST. */
import { Buffer } from "node:buffer";
import { messageOf, OloproofError } from "../domain/error.ts";
import { InvalidOutput } from "../stages/read_output.ts";
import { CallError } from "./caller.ts";
import { MAX_LINE_BYTES } from "./line_splitter.ts";
import { fillVariables, redactSecrets, type Secret } from "./variables.ts";

/** An answer that is no success. */
export class StatusError extends CallError {
  constructor(readonly status: number, /** Without secrets. */ readonly body: string) {
    super(`the service answered ${status}${body.trim() === "" ? "" : `: ${pieceOf(body)}`}`);
  }
}

/** The beginning of a body on one line. */
export function pieceOf(body: string): string {
  const line = body.replace(/\s+/g, " ").trim();
  return line.length <= 300 ? line : `${line.slice(0, 300)}…`;
}

/** How often the service may send on to another path of its own. */
const MAX_REDIRECTS = 5;

/** A service's address with its headers. Secrets among them are in nothing that it answers. */
export class Endpoint {
  #requests = 0;

  private constructor(
    private readonly url: URL,
    private readonly headers: Readonly<Record<string, string>>,
    private readonly secrets: readonly Secret[],
  ) {}

  /**
   * Reads the variables of an address and its headers.
   *
   * @throws {OloproofError} `missing_variable`, `invalid_url`, `insecure_url`.
   */
  static open(
    { url, headers }: { readonly url: string; readonly headers: { readonly [name: string]: string } },
    env: (name: string) => string | undefined,
  ): Endpoint {
    const address = fillVariables(url, "the system's url", env);
    const filled = Object.entries(headers).map(([name, text]) =>
      [name, fillVariables(text, `the header ${name}`, env)] as const
    );
    const secrets = [...address.secrets, ...filled.flatMap(([, { secrets }]) => secrets)];
    const place = URL.canParse(address.text) ? new URL(address.text) : undefined;
    if (place === undefined || !/^https?:$/.test(place.protocol)) {
      throw refuse(`${url} is no http:// or https:// URL once its variables are filled in`, "invalid_url");
    }
    if (filled.some(([, text]) => text.secrets.length > 0) && !isPrivate(place)) {
      throw refuse(
        `its headers hold a secret, and ${place.host} is asked without encryption`,
        "insecure_url",
      );
    }
    return new Endpoint(place, Object.fromEntries(filled.map(([name, { text }]) => [name, text])), secrets);
  }

  /** The host that receives what is sent. */
  get host(): string {
    return this.url.host;
  }

  /** How often it was asked. */
  get requests(): number {
    return this.#requests;
  }

  /**
   * Sends a body and answers with the text that comes back.
   *
   * @throws {StatusError} when the answer is no success.
   * @throws {CallError} when there is no answer, or one that sends on to another host.
   * @throws {InvalidOutput} when the answer is no text.
   */
  async post(body: string, signal: AbortSignal | undefined): Promise<string> {
    this.#requests++;
    let url = this.url;
    for (let redirects = 0;; redirects++) {
      const response = await this.#send(url, body, signal);
      const text = await this.#textOf(response, signal);
      const location = response.headers.get("location");
      if (response.status >= 300 && response.status < 400 && location !== null) {
        if (redirects >= MAX_REDIRECTS) throw new CallError("the service redirects in a circle");
        url = this.#follow(response.status, new URL(location, url));
        continue;
      }
      if (!response.ok) throw new StatusError(response.status, text);
      return text;
    }
  }

  #follow(status: number, to: URL): URL {
    // Headers and passages go to the host that the project names, and to no other.
    if (to.origin !== this.url.origin) {
      throw new CallError(
        `the service redirects to ${to.origin}, which is refused; name that address as url`,
      );
    }
    // Only these keep the method and the body.
    if (status !== 307 && status !== 308) {
      throw new CallError(
        `the service answered ${status} with a redirect to ${to.pathname}; name that address as url`,
      );
    }
    return to;
  }

  async #send(url: URL, body: string, signal: AbortSignal | undefined): Promise<Response> {
    try {
      return await fetch(url, {
        method: "POST",
        headers: { "content-type": "application/json", accept: "application/json", ...this.headers },
        body,
        redirect: "manual",
        ...(signal === undefined ? {} : { signal }),
      });
    } catch (cause) {
      signal?.throwIfAborted();
      throw new CallError(redactSecrets(`no answer from ${this.host}: ${reasonOf(cause)}`, this.secrets));
    }
  }

  async #textOf(response: Response, signal: AbortSignal | undefined): Promise<string> {
    const pieces: Uint8Array[] = [];
    let size = 0;
    try {
      for await (const piece of response.body ?? []) {
        size += piece.length;
        if (size > MAX_LINE_BYTES) {
          throw new InvalidOutput(`the service sent over ${MAX_LINE_BYTES / 1e6} MB`);
        }
        pieces.push(piece);
      }
    } catch (cause) {
      signal?.throwIfAborted();
      if (cause instanceof InvalidOutput) throw cause;
      throw new CallError(`the answer of ${this.host} broke off: ${reasonOf(cause)}`);
    }
    return redactSecrets(decode(Buffer.concat(pieces)), this.secrets);
  }
}

/** What is behind a failure: "fetch failed" alone says nothing. */
function reasonOf(cause: unknown): string {
  const inner = cause instanceof Error ? cause.cause : undefined;
  return inner === undefined ? messageOf(cause) : `${messageOf(cause)}: ${reasonOf(inner)}`;
}

/** Replaced characters would be taken for what the service answered. */
function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new InvalidOutput("the service answered with what is not UTF-8 text");
  }
}

/** Whether nobody between here and there can read along. */
function isPrivate({ protocol, hostname }: URL): boolean {
  return protocol === "https:" || /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);
}

function refuse(problem: string, code: string): OloproofError {
  return new OloproofError(`Cannot use the system: ${problem}`, {
    code,
    kind: "configuration",
    hint: "give an https:// address, or one of this machine",
  });
}
