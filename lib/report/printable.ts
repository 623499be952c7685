/** Text of others, made safe to print: a passage must not be able to move the cursor or turn a line around. */

/** Control characters (\p{Cc}) but line feed and tab, direction marks and overrides, separators that end lines, BOM. */
const unsafe = /(?![\n\t])\p{Cc}|\p{Bidi_Control}|[\u2028\u2029\ufeff]/gu;

/** A text with every control and direction character written out as `\u{…}`. Line feeds and tabs stay. */
export function printable(text: string): string {
  return text.replace(unsafe, (character) => `\\u{${character.codePointAt(0)?.toString(16) ?? ""}}`);
}

/** A text on one line: printable, with white space runs as single spaces, cut to a length with `…`. */
export function oneLine(text: string, length = 200): string {
  const line = printable(text.replace(/\s+/gu, " ").trim());
  const characters = [...line];
  return characters.length <= length ? line : `${characters.slice(0, length - 1).join("")}…`;
}

/** A word as a shell takes it. */
export function shellWord(word: string): string {
  return /^[\w.@%+=:,/-]+$/.test(word) ? word : `'${printable(word).replaceAll("'", `'\\''`)}'`;
}
