/**
 * Rows as one JSON text each: the driver takes a column at a time out of the database, at ten times what it takes to parse it as a part
 * of a longer text.
 */
import type { Row } from "@libsql/client";
import { damagedStore, parseStored } from "./stored_json.ts";

/** SQL of a number, a text or a null as a part of a JSON text. */
export function quoted(column: string): string {
  return `json_quote(${column})`;
}

/** SQL of a blob as a part of a JSON text: its hexadecimal digits in lower case; null where it is absent. */
export function hexadecimal(column: string): string {
  return `json_quote(lower(hex(${column})))`;
}

/** SQL of a column that holds JSON text, as it is: it is parsed with the row. Null where it is absent. */
export function parsed(column: string): string {
  return `coalesce(${column}, 'null')`;
}

/** SQL of a row: a JSON list of such parts. */
export function jsonRow(parts: readonly string[]): string {
  return `'[' || ${parts.join(" || ',' || ")} || ']'`;
}

/**
 * The values of a row that {@link jsonRow} made under the name `row`.
 *
 * @throws {OloproofError} `store_damaged`: no JSON, or not so many values as it has parts.
 */
export function valuesOf<T extends readonly unknown[]>(row: Row, parts: { readonly length: T["length"] }): T {
  const values: unknown = parseStored(String(row.row));
  if (!Array.isArray(values) || values.length !== parts.length) throw damagedStore();
  return values as unknown as T;
}
