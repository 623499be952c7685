/**
 * Checks (value, count) pairs and merges the ones with equal values.
 *
 * @param pairs Pairs in any order; a value may come more than once. -0 counts as 0.
 * @param range The values allowed, both ends included.
 * @returns `counts`, the count of each distinct value in order of first occurrence, and `cases`, their sum; empty and
 * 0 for no pairs.
 * @throws {RangeError} When a value is not a number within `range`, a count is not an integer of at least 1, or
 * the counts add up to more than 2^53 - 1.
 *
 * @example Equal values are merged
 * ```ts
 * import assert from "node:assert/strict";
 *
 * const tally = tallyValues([[0.5, 2], [1, 1], [0.5, 1]], { lowest: 0, highest: 1 });
 *
 * assert.deepEqual([...tally.counts], [[0.5, 3], [1, 1]]);
 * assert.equal(tally.cases, 4);
 * ```
 */
export function tallyValues(
  pairs: Iterable<readonly [value: number, count: number]>,
  range: { readonly lowest: number; readonly highest: number },
): { readonly counts: ReadonlyMap<number, number>; readonly cases: number } {
  const counts = new Map<number, number>();
  let cases = 0;
  for (const [value, count] of pairs) {
    if (!(value >= range.lowest && value <= range.highest)) {
      throw new RangeError(
        `Cannot use value ${value}: each value must be a number from ${range.lowest} to ${range.highest}`,
      );
    }
    cases += count;
    if (!Number.isSafeInteger(count) || count < 1 || !Number.isSafeInteger(cases)) {
      throw new RangeError(
        `Cannot use count ${count} of value ${value}: each count must be an integer of at least 1, ` +
          `and all together at most ${Number.MAX_SAFE_INTEGER}`,
      );
    }
    counts.set(value, (counts.get(value) ?? 0) + count);
  }
  return { counts, cases };
}
