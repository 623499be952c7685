/**
 * Turns a confidence level into alpha, the two-sided error probability that an interval of this level may have.
 *
 * The level counts as the decimal number that was written: 0.95 gives 0.05, where plain subtraction gives
 * 0.050000000000000044. The difference is taken to 15 decimals, which is as far as a number near 1 can tell.
 *
 * @param level Confidence level, strictly between 0 and 1 (a proportion, not a percentage).
 * @returns `1 - level`, greater than 0 and at most 1.
 * @throws {RangeError} When `level` is not strictly between 0 and 1.
 *
 * @example The alpha of a 95% interval
 * ```ts
 * import assert from "node:assert/strict";
 *
 * assert.equal(alphaOfLevel(0.95), 0.05);
 * ```
 */
export function alphaOfLevel(level: number): number {
  if (!(level > 0 && level < 1)) {
    throw new RangeError(
      `Cannot use confidence level ${level}: it must lie strictly between 0 and 1, as in 0.95`,
    );
  }
  const alpha = 1 - level;
  const decimal = Math.round(alpha * 1e15) / 1e15;
  return decimal > 0 ? decimal : alpha;
}
