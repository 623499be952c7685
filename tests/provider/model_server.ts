/** A server on loopback that speaks the APIs of model providers, and misbehaves when it is told to. */

/** What the server does with one request. */
export type Behaviour =
  /** Answers with a text. */
  | { readonly text: string; readonly finish?: "stop" | "length" }
  | { readonly refusal: string }
  | { readonly status: number; readonly message?: string; readonly headers?: Record<string, string> }
  /** Answers 200 with a body that is not what the API says. */
  | { readonly body: string }
  | { readonly redirect: string }
  | "hang";

/** A request as the server saw it. */
export interface SeenRequest {
  readonly path: string;
  readonly headers: Headers;
  readonly instructions: string;
  readonly prompt: string;
  readonly body: Record<string, unknown>;
}

/** The three dialects: how each says the same. */
interface Dialect {
  read(body: Record<string, unknown>): { readonly instructions: string; readonly prompt: string };
  answer(behaviour: { readonly text: string; readonly finish?: string }): unknown;
  refuse(text: string): unknown;
}

const usage = { in: 100, out: 20 };

type Messages = readonly { readonly role: string; readonly content: unknown }[];

function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  return Array.isArray(content) ? content.map(({ text }) => text).join("") : "";
}

const openai: Dialect = {
  read(body) {
    const messages = body.messages as Messages;
    const said = (...roles: readonly string[]) =>
      textOf(messages.find(({ role }) => roles.includes(role))?.content);
    return { instructions: said("system", "developer"), prompt: said("user") };
  },
  answer: ({ text, finish = "stop" }) => chat({ content: text }, finish),
  refuse: (text) => chat({ content: null, refusal: text }, "stop"),
};

function chat(message: object, finish_reason: string): unknown {
  return {
    id: "c",
    object: "chat.completion",
    created: 1,
    model: "m",
    choices: [{ index: 0, message: { role: "assistant", ...message }, finish_reason }],
    usage: { prompt_tokens: usage.in, completion_tokens: usage.out, total_tokens: usage.in + usage.out },
  };
}

const anthropic: Dialect = {
  read(body) {
    const [first] = body.messages as Messages;
    return { instructions: textOf(body.system), prompt: textOf(first?.content) };
  },
  answer: ({ text, finish = "stop" }) =>
    message([{ type: "text", text }], finish === "stop" ? "end_turn" : "max_tokens"),
  refuse: (text) => message([{ type: "text", text }], "refusal"),
};

function message(content: readonly object[], stop_reason: string): unknown {
  return {
    id: "m",
    type: "message",
    role: "assistant",
    model: "m",
    content,
    stop_reason,
    stop_sequence: null,
    usage: { input_tokens: usage.in, output_tokens: usage.out },
  };
}

const google: Dialect = {
  read(body) {
    const { systemInstruction, contents } = body as {
      readonly systemInstruction?: { readonly parts: unknown };
      readonly contents: readonly { readonly parts: unknown }[];
    };
    return { instructions: textOf(systemInstruction?.parts), prompt: textOf(contents[0]?.parts) };
  },
  answer: ({ text, finish = "stop" }) => candidate([{ text }], finish === "stop" ? "STOP" : "MAX_TOKENS"),
  refuse: (text) => candidate([{ text }], "SAFETY"),
};

function candidate(parts: readonly object[], finishReason: string): unknown {
  return {
    candidates: [{ content: { role: "model", parts }, finishReason, index: 0 }],
    usageMetadata: {
      promptTokenCount: usage.in,
      candidatesTokenCount: usage.out,
      totalTokenCount: usage.in + usage.out,
    },
  };
}

function dialectOf(path: string): Dialect {
  if (path.endsWith("/messages")) return anthropic;
  return path.includes(":generateContent") ? google : openai;
}

/** A server that behaves as `behave` says, request by request. */
export class ModelServer implements AsyncDisposable {
  readonly seen: SeenRequest[] = [];
  readonly #server: Deno.HttpServer<Deno.NetAddr>;
  readonly #closed = new AbortController();

  /** @param behave Called with each request and its 0-based number. */
  constructor(private readonly behave: (request: SeenRequest, number: number) => Behaviour) {
    this.#server = Deno.serve(
      { port: 0, hostname: "127.0.0.1", onListen: () => {} },
      (request) => this.#handle(request),
    );
  }

  /** A server that does these things one after the other, and then the last one for ever. */
  static scripted(...script: readonly [Behaviour, ...Behaviour[]]): ModelServer {
    return new ModelServer((_, number) => script[number] ?? script.at(-1) ?? script[0]);
  }

  get host(): string {
    return `127.0.0.1:${this.#server.addr.port}`;
  }

  /** The address up to where the paths of the APIs begin. */
  get base_url(): string {
    return `http://${this.host}/v1`;
  }

  async #handle(request: Request): Promise<Response> {
    const path = new URL(request.url).pathname;
    const dialect = dialectOf(path);
    const body = await request.json();
    const seen = { path, headers: request.headers, ...dialect.read(body), body };
    const behaviour = this.behave(seen, this.seen.push(seen) - 1);
    if (behaviour === "hang") return await this.#hang(request.signal);
    if ("text" in behaviour) return Response.json(dialect.answer(behaviour));
    if ("refusal" in behaviour) return Response.json(dialect.refuse(behaviour.refusal));
    if ("redirect" in behaviour) return Response.redirect(behaviour.redirect, 307);
    if ("body" in behaviour) {
      return new Response(behaviour.body, { headers: { "content-type": "application/json" } });
    }
    const { status, message = "something is wrong", headers = {} } = behaviour;
    return Response.json({ type: "error", error: { type: "e", code: status, status: "E", message } }, {
      status,
      headers,
    });
  }

  #hang(signal: AbortSignal): Promise<Response> {
    const { promise, resolve } = Promise.withResolvers<Response>();
    for (const gone of [signal, this.#closed.signal]) {
      gone.addEventListener("abort", () => resolve(new Response(null, { status: 499 })), { once: true });
    }
    return promise;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed.abort();
    await this.#server.shutdown();
  }
}
