/**
 * A database that is written on a thread of its own: a system under test is kept from nothing while its answers are written, not even
 * where another process's lock is waited for.
 */
import type { InStatement, TransactionMode } from "@libsql/client";
import type { Failure, FileConfig, Reply, Request } from "./background_messages.ts";
import type { Connection, Rows } from "./connection.ts";

/** The module that runs on the thread. */
export const THREAD = new URL(import.meta.resolve("./background_thread.ts"));

/** An error of the database, with the codes that it had on its thread. */
class DatabaseError extends Error {
  readonly code: string | undefined;
  readonly extendedCode: string | undefined;

  constructor({ message, code, extendedCode }: Failure) {
    super(message);
    this.name = "DatabaseError";
    this.code = code;
    this.extendedCode = extendedCode;
  }
}

type Waiting = PromiseWithResolvers<readonly Rows[]>;

/** {@link Connection} to a thread, which answers requests in the order in which they are made. */
export class BackgroundClient implements Connection {
  readonly protocol = "file";
  readonly #worker = new Worker(THREAD, { type: "module" });
  readonly #loaded = Promise.withResolvers<void>();
  readonly #waiting: Waiting[] = [];
  #end: Error | undefined;

  /** Starts the thread. A file that cannot be opened fails every request. @param settings What is set on the connection. */
  constructor(config: FileConfig, settings: readonly string[]) {
    this.#worker.addEventListener("message", ({ data }: MessageEvent<Reply>) => this.#take(data));
    this.#worker.addEventListener("error", (event) => {
      // It is told to whoever waits, and must not end the program.
      event.preventDefault();
      this.#fail(new Error(`the thread of the database ended: ${event.message}`));
    });
    this.#send({ kind: "open", config, settings });
  }

  /** Resolves when the thread has loaded the database's module; whoever asks for something earlier is answered later. */
  get loaded(): Promise<void> {
    return this.#loaded.promise;
  }

  async execute(statement: InStatement): Promise<Rows> {
    const [rows] = await this.#ask({ kind: "execute", statement });
    return rows ?? { rows: [] };
  }

  batch(statements: readonly InStatement[], mode: TransactionMode): Promise<readonly Rows[]> {
    return this.#ask({ kind: "batch", statements, mode });
  }

  /** Lets the thread end after what was asked of it. */
  close(): void {
    if (this.#end !== undefined) return;
    this.#send({ kind: "close" });
    this.#end = new Error("the database is closed");
  }

  #ask(request: Request): Promise<readonly Rows[]> {
    if (this.#end !== undefined) return Promise.reject(this.#end);
    const waiting: Waiting = Promise.withResolvers();
    this.#waiting.push(waiting);
    this.#send(request);
    return waiting.promise;
  }

  #send(request: Request): void {
    this.#worker.postMessage(request);
  }

  #take(reply: Reply): void {
    if (reply.kind === "loaded") return this.#loaded.resolve();
    const waiting = this.#waiting.shift();
    if (reply.kind === "failed") waiting?.reject(new DatabaseError(reply.failure));
    else waiting?.resolve(reply.results);
  }

  #fail(cause: Error): void {
    this.#end = cause;
    // A thread that cannot even load may have nobody waiting for that.
    this.#loaded.promise.catch(() => undefined);
    this.#loaded.reject(cause);
    for (const waiting of this.#waiting.splice(0)) waiting.reject(cause);
  }
}
