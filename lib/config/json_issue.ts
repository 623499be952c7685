/** A fault of a JSON text in words, with the piece of text around it. */
import type { Issue } from "../domain/error.ts";
import type { JsonFault } from "./json_text.ts";
import { shorten } from "./quote.ts";

/** How much of the text is shown on each side, in UTF-16 code units. */
const AROUND = 20;

/** The issue of a fault that stands at a place. */
export function jsonIssue(
  text: string,
  { offset, code, problem }: JsonFault,
  place: Pick<Issue, "file" | "line" | "column">,
): Issue {
  const start = Math.max(0, offset - AROUND);
  // A surrogate pair may have been cut through.
  const piece = text.slice(start, offset + AROUND).replaceAll(/^\p{Cs}|\p{Cs}$/gu, "");
  const shown = `${start > 0 ? "…" : ""}${shorten(piece)}${offset + AROUND < text.length ? "…" : ""}`;
  return {
    code,
    message: `${code === "invalid_json" ? "Invalid JSON: " : ""}${problem}, near ${shown.trimEnd()}`,
    ...place,
  };
}
