/** What the store needs of a database, wherever its work is done. */
import type { InStatement, Row, TransactionMode } from "@libsql/client";

/** What a statement answers, its columns by their names. */
export interface Rows {
  readonly rows: Row[];
}

/** A connection to a database: the part of libSQL's client that the store uses. */
export interface Connection {
  /** `file` for a file of this machine. */
  readonly protocol: string;
  execute(statement: InStatement): Promise<Rows>;
  /** Statements that are carried out as a whole or not at all. */
  batch(statements: InStatement[], mode: TransactionMode): Promise<readonly Rows[]>;
  close(): void;
}
