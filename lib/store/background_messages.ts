/** What a program and the thread that writes its database say to each other; all of it can be copied from one to the other. */
import type { Config, InStatement, TransactionMode } from "@libsql/client";
import type { Rows } from "./connection.ts";

/** Which file is opened, and how long the lock of another process is waited for, in milliseconds. */
export type FileConfig = Pick<Config, "url" | "timeout">;

/** What the thread is asked. Each request but the first and the last is answered, in their order. */
export type Request =
  | { readonly kind: "open"; readonly config: FileConfig; readonly settings: readonly string[] }
  | { readonly kind: "batch"; readonly statements: readonly InStatement[]; readonly mode: TransactionMode }
  | { readonly kind: "execute"; readonly statement: InStatement }
  | { readonly kind: "close" };

/** An error as its message and its codes, which are what tells one from another. */
export interface Failure {
  readonly message: string;
  readonly code?: string | undefined;
  readonly extendedCode?: string | undefined;
}

/** What the thread says: first, that the database's module is loaded; then answers. A file that cannot be opened fails each of them. */
export type Reply =
  | { readonly kind: "loaded" }
  | { readonly kind: "done"; readonly results: readonly Rows[] }
  | { readonly kind: "failed"; readonly failure: Failure };
