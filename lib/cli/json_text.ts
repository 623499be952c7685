/** JSON as it is printed: whatever stands in it, a terminal meets no control character. */

/** A value as the one JSON document of a command. */
export function jsonText(value: unknown): string {
  return `${escapeControls(JSON.stringify(value, null, 2))}\n`;
}

/** A value as one line of JSON. */
export function jsonLine(value: unknown): string {
  return `${escapeControls(JSON.stringify(value))}\n`;
}

/** JSON leaves C1 controls, direction marks and line separators as they are; a terminal should not meet them. */
function escapeControls(json: string): string {
  return json.replace(
    /(?!\n)\p{Cc}|\p{Bidi_Control}|[\u2028\u2029\ufeff]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
