/** JSON text out of the store. */
import { OloproofError } from "../domain/error.ts";

/**
 * The value of a JSON text that the store wrote itself; its type is known to who reads it.
 *
 * @throws {OloproofError} `store_damaged`: what is no JSON is not what was written.
 */
export function parseStored<T>(text: string): T {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw damagedStore(cause);
  }
}

/** The error for what is not what the store wrote. */
export function damagedStore(cause?: unknown): OloproofError {
  return new OloproofError("Cannot read what the store holds: the database is damaged", {
    code: "store_damaged",
    kind: "surroundings",
    hint: "keep a copy, then try `sqlite3 FILE .recover`; a new store can be chosen with --store",
    cause,
  });
}
