/** Whether a text occurs in another one, numbers being whole. */

/**
 * A run of digits with its groups of thousands and its decimals, as long as it goes: 2014, 1,400, 14.5,
 * 1.2.3.
 */
const NUMBER = /\p{Nd}+(?:,\p{Nd}{3}(?!\p{Nd}))*(?:\.\p{Nd}+)*/gu;

/**
 * Whether `part` occurs in `text` without beginning or ending inside a number: 14 is not in 2014, 1,400, 14.5
 * or v1.14.2, but it is in "by 14." and in "14%". A sign is not part of a number, since a dash looks the same
 * (10-14), and neither are units and currencies. Both texts are normalised before.
 */
export function containsText(text: string, part: string): boolean {
  let insideNumber: Uint8Array | undefined;
  // Every occurrence, overlapping ones too: the first may lie in a number and a later one not.
  for (let start = text.indexOf(part); start !== -1; start = text.indexOf(part, start + 1)) {
    insideNumber ??= markInsideNumbers(text);
    if (insideNumber[start] === 0 && insideNumber[start + part.length] === 0) return true;
  }
  return false;
}

/** For every boundary between two code units: 1 when a number lies on both sides of it. */
function markInsideNumbers(text: string): Uint8Array {
  const inside = new Uint8Array(text.length + 1);
  for (const match of text.matchAll(NUMBER)) {
    inside.fill(1, match.index + 1, match.index + match[0].length);
  }
  return inside;
}
