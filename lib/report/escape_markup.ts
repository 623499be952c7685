/** Text of others inside XML and HTML. */
import { printable } from "./printable.ts";

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** A text that can stand between tags and in attributes; control characters, which XML has no form for, are written out. */
export function escapeMarkup(text: string): string {
  return printable(text.toWellFormed()).replace(/[\ufffe\uffff]/g, "\ufffd").replace(
    /[&<>"']/g,
    (character) => entities[character] ?? character,
  );
}
