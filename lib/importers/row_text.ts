/** Texts of a row. */
import type { Issue } from "../domain/error.ts";
import { quote } from "../config/quote.ts";
import type { SourceRow } from "./json_rows.ts";

/** The text of a key, or why there is none. */
export type TextReading =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly issue: Issue };

/** The text of a key that must be there; whole numbers are read as text where they are ids. */
export function readText(row: SourceRow, key: string, kind: "text" | "id"): TextReading {
  const value = Object.hasOwn(row.value, key) ? row.value[key] : undefined;
  if (value === undefined || value === null) {
    const message = `The row needs the key ${quote(key)}`;
    return { ok: false, issue: { code: "missing_key", message, ...row.place } };
  }
  if (kind === "id" && Number.isInteger(value)) return { ok: true, text: String(value) };
  if (typeof value === "string" && (kind === "text" || value !== "")) return { ok: true, text: value };
  const allowed = kind === "id" ? "a non-empty text or a whole number" : "text";
  const message = `${key} must be ${allowed}, not ${quote(value)}`;
  return { ok: false, issue: { code: "invalid_type", message, ...row.placeOf(key) } };
}
