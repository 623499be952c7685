// 2^-50 is finer than anything printed, and leaves room for `1 - bound` and `2 * bound - 1` to be exact too.
const STEPS = 50;

/**
 * Finds by bisection where rejection stops, and returns the end of the last bracket that is still rejected.
 *
 * For a lower confidence bound the rejected end is the outer one, so the bound is never above the point where
 * rejection stops, and lies at most 2^-50 (9e-16) below it. The result is a multiple of 2^-50: its mirror image
 * `1 - bound` has no rounding error, so an upper bound found on mirrored data stays on its outer side as well.
 *
 * @param isRejected Tells whether a candidate in (0, 1) is rejected. It must be monotone: true up to some point
 * and false from there on.
 * @returns The bound in [0, 1 - 2^-50]; exactly 0 when no candidate is rejected.
 *
 * @example Where candidates stop being rejected
 * ```ts
 * import assert from "node:assert/strict";
 *
 * const bound = findOuterBound((candidate) => candidate < 0.3);
 *
 * assert.ok(bound <= 0.3 && 0.3 - bound < 1e-15);
 * assert.equal(findOuterBound(() => false), 0);
 * ```
 */
export function findOuterBound(isRejected: (candidate: number) => boolean): number {
  let rejected = 0;
  let kept = 1;
  for (let step = 0; step < STEPS; step++) {
    const middle = (rejected + kept) / 2;
    if (isRejected(middle)) rejected = middle;
    else kept = middle;
  }
  return rejected;
}
