/** Values in the words of a message. */

/** Longer texts are cut: a message is read, and stored with every case. */
const LONGEST_QUOTE = 60;

/** What a value is, in a few words that continue "it is …": `the text "KB-7"`, `a list of 3`, `1.5`. */
export function describeValue(value: unknown): string {
  switch (typeof value) {
    case "string":
      return `the text ${quote(value)}`;
    case "object":
      return value === null ? "null" : describeObject(value);
    case "bigint":
      return `${value}n`;
    case "function":
    case "symbol":
      return `a ${typeof value}`;
    default:
      return String(value);
  }
}

function describeObject(value: object): string {
  if (Array.isArray(value)) return value.length === 0 ? "an empty list" : `a list of ${value.length}`;
  const keys = Object.keys(value);
  if (keys.length === 0) return "an object without fields";
  const named = keys.slice(0, 4).map(quote).join(", ");
  return `an object with ${named}${keys.length > 4 ? ", …" : ""}`;
}

/** Quotes as JSON does, so that control characters and half surrogate pairs are written as escapes. */
function quote(text: string): string {
  // By code points, so that no pair is cut in two; the first slice spares the copy of a huge text.
  const start = [...text.slice(0, 2 * LONGEST_QUOTE + 2)].slice(0, LONGEST_QUOTE).join("");
  return JSON.stringify(start.length < text.length ? `${start}…` : text);
}
