/** The system of the contract as an HTTP service: by the protocol, and in a way of its own. */
import { Buffer } from "node:buffer";
import type { Json } from "../../lib/domain/json.ts";

interface Asked {
  readonly text: string;
  readonly do?: string;
}

/** A service that runs until it is stopped. */
export interface Service {
  readonly url: string;
  /** What it was sent. */
  readonly requests: { readonly path: string; readonly headers: Headers; readonly body: Json }[];
  stop(): Promise<void>;
}

/** Starts a service on a free port of this machine. */
export function serve(answer: (request: Request, body: Json) => Response | Promise<Response>): Service {
  const requests: Service["requests"] = [];
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, async (request) => {
    const body: Json = await request.json();
    requests.push({ path: new URL(request.url).pathname, headers: request.headers, body });
    return await answer(request, body);
  });
  return { url: `http://127.0.0.1:${server.addr.port}`, requests, stop: () => server.shutdown() };
}

/** The contract's system, by the protocol. */
export function protocolPeer(): Service {
  return serve(async (_request, body) => {
    const { id, method, params } = body as { id: number; method: string; params: Record<string, unknown> };
    const reply = (part: unknown) => Response.json(Object.assign({ jsonrpc: "2.0", id }, part));
    try {
      const value = await stages[method]?.(params);
      if (value instanceof Response) return value;
      return reply({ result: method === "hello" ? value : result(value, params) });
    } catch (cause) {
      const data = { kind: "exception", trace: "at generate (elsewhere)" };
      return reply({ error: { code: -32000, message: (cause as Error).message, data } });
    }
  });
}

function result(value: unknown, params: Record<string, unknown>) {
  const used = (params.input as Asked | undefined)?.do === "usage" && "context" in params;
  return used ? { value, usage: { input_tokens: 7, cost_usd: 0.5 } } : { value };
}

const stages: Readonly<Record<string, (params: Record<string, unknown>) => unknown>> = {
  hello: () => ({
    protocol: 1,
    settings: { name: "contract", version: "1", depth: 3, top_k: 2, token_budget: 1000 },
    stages: ["retrieve", "generate", "count_tokens"],
  }),
  retrieve: ({ input, depth }) => {
    const { text } = input as Asked;
    const found = [0, 1, 2, 3, 4].map((n) => ({ doc_id: `d${n}`, text: `${text} ${n}` }));
    return { query: text, candidates: found.slice(0, depth as number) };
  },
  count_tokens: ({ passages }) =>
    (passages as { text: string }[]).map(({ text }) => text.split(/\s+/).length),
  generate: async ({ input, context, params, query }) => {
    const { text, do: what } = input as Asked;
    const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
    const bytes = (body: string) => new Response(Buffer.from(body, "latin1"));
    if (what === "throw") throw new Error("boom");
    if (what === "hang") await sleep(4000);
    if (what === "slow") await sleep(250);
    if (what === "big") return { answer: "x".repeat(5_000_000) };
    if (what === "surrogate") return { answer: "\ud83d" };
    if (what === "nan") return bytes('{"jsonrpc": "2.0", "id": 1, "result": {"value": {"answer": NaN}}}');
    const citations = (context as { doc_id: string }[]).map(({ doc_id }) => doc_id);
    return { answer: text, citations, params, query };
  },
};
