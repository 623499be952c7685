/** Quoting: any value as one short, harmless piece of a message. */

const LONGEST = 60;

/**
 * Characters that move the cursor, reorder the line, or cannot be seen; the joiners of emoji and scripts are
 * let through.
 */
const UNPRINTABLE = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]|(?![\u200c\u200d])\p{Cf}/gu;

/** The value as JSON, cut to 60 characters, with unprintable characters escaped. */
export function quote(value: unknown): string {
  return typeof value === "string" ? `"${shorten(value)}"` : shorten(jsonLike(value));
}

/** A text with its unprintable characters escaped, cut to so many characters. */
export function shorten(text: string, longest = LONGEST): string {
  // A character has at most two code units, so that no more of a long text need be read.
  const characters = [...text.slice(0, 2 * longest + 2)];
  const shown = characters.length > longest ? `${characters.slice(0, longest - 1).join("")}…` : text;
  return shown.replaceAll(UNPRINTABLE, escape);
}

function escape(character: string): string {
  const hex = (character.codePointAt(0) ?? 0).toString(16).padStart(4, "0");
  return hex.length > 4 ? `\\u{${hex}}` : `\\u${hex}`;
}

function jsonLike(value: unknown): string {
  if (typeof value === "object" && value !== null) return JSON.stringify(value) ?? "an object";
  return typeof value === "function" ? "a function" : String(value);
}
