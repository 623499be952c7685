/**
 * The bet fractions of the betting interval for a given number of cases.
 *
 * Always 0.05, 0.10 … 0.95. Small differences from the mean are found only by small bets, and the bet that suits n
 * cases shrinks like 1 / √n; so for n > 25 halvings of 0.05 follow, J = max(0, ⌈log2(√n / 5)⌉) of them. That is
 * the same as halving for as long as the last fraction exceeds 0.25 / √n.
 *
 * @param cases Number of cases, an integer of at least 1.
 * @returns `fractions`, distinct, in (0, 1), all weighted equally; `grid`, their name: `betting/19`, or
 * `betting/19+J` with J halvings; `enoughFor`, the largest number of cases that has the same fractions.
 *
 * @example A hundred cases need one halving
 * ```ts
 * import assert from "node:assert/strict";
 *
 * assert.equal(betFractions(25).grid, "betting/19");
 * assert.equal(betFractions(100).grid, "betting/19+1");
 * assert.equal(betFractions(26).enoughFor, 100);
 * assert.equal(betFractions(100).fractions.at(-1), 0.025);
 * ```
 */
export function betFractions(
  cases: number,
): { readonly fractions: readonly number[]; readonly grid: string; readonly enoughFor: number } {
  const fractions = Array.from({ length: 19 }, (_, index) => (index + 1) / 20);
  let halvings = 0;
  // J is the least j with 25 * 4^j >= n: in integers, so that exact powers do not hang on a rounded logarithm.
  let enoughFor = 25;
  for (; enoughFor < cases; enoughFor *= 4) {
    halvings++;
    fractions.push(0.05 / 2 ** halvings);
  }
  return { fractions, grid: halvings === 0 ? "betting/19" : `betting/19+${halvings}`, enoughFor };
}
