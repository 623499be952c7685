/** The thread that writes a database: opens one file and answers requests, in order. Started by background_client.ts. */
/// <reference lib="deno.worker" />
import { createClient } from "@libsql/client";
import { messageOf } from "../domain/error.ts";
import type { Failure, Reply, Request } from "./background_messages.ts";
import type { Connection, Rows } from "./connection.ts";

type Open = Extract<Request, { readonly kind: "open" }>;

const reply = (message: Reply) => globalThis.postMessage(message);
let opening: Promise<Connection> | undefined;
let last: Promise<void> = Promise.resolve();

async function open({ config, settings }: Open): Promise<Connection> {
  // One connection: settings of a connection would be lost on the others.
  const client = createClient({ ...config, concurrency: 1 });
  for (const setting of settings) await client.execute(setting);
  return client;
}

async function handle(request: Request): Promise<void> {
  if (request.kind === "open") {
    opening = open(request);
    // Why it failed is the answer to each request.
    return await opening.then(() => undefined, () => undefined);
  }
  if (request.kind === "close") {
    // The driver keeps a closed connection until its thread collects garbage, which one that ends never does: at least the pages go.
    const client = await opening?.catch(() => undefined);
    await client?.execute("PRAGMA shrink_memory").catch(() => undefined);
    client?.close();
    return globalThis.close();
  }
  try {
    // Of a row only its columns by their names are copied.
    reply({ kind: "done", results: (await answer(request)).map(({ rows }) => ({ rows })) });
  } catch (cause) {
    reply({ kind: "failed", failure: failureOf(cause) });
  }
}

async function answer(
  request: Exclude<Request, { readonly kind: "open" | "close" }>,
): Promise<readonly Rows[]> {
  const client = await opening;
  if (client === undefined) throw new TypeError("no database was opened");
  if (request.kind === "execute") return [await client.execute(request.statement)];
  return await client.batch([...request.statements], request.mode);
}

function failureOf(cause: unknown): Failure {
  const codeOf = (key: string) => {
    const code: unknown = typeof cause === "object" && cause !== null ? Reflect.get(cause, key) : undefined;
    return typeof code === "string" ? code : undefined;
  };
  return { message: messageOf(cause), code: codeOf("code"), extendedCode: codeOf("extendedCode") };
}

globalThis.addEventListener("message", ({ data }: MessageEvent<Request>) => {
  last = last.then(() => handle(data));
});
reply({ kind: "loaded" });
