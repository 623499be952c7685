import { pairedDifferenceInterval } from "./paired_difference_interval.ts";

/**
 * The smallest loss that so many pairs exclude when nothing changes: every one of them ties.
 *
 * A non-inferiority rule passes tied pairs when its margin is larger than this. Without a gain among them,
 * pairs cannot do better, so a margin up to this is out of reach for a candidate that is merely as good.
 *
 * Source, guarantee and accuracy: those of `pairedDifferenceInterval`, of whose lower bound for tied pairs it
 * is the size. It falls as pairs are added, but for a slight rise where the grid of bet fractions grows
 * (after 100, 400, 1600 … pairs).
 *
 * @param pairs Number of pairs, an integer of at least 1.
 * @param options `level` is the confidence level as a proportion in (0, 1); 0.95 when left out.
 * @returns The loss as a proportion in (0, 1), not in points.
 * @throws {RangeError} When `pairs` is not an integer of at least 1, or `level` is not strictly between 0 and
 * 1.
 *
 * @example Thirteen pairs exclude a loss of 33.6 points at best
 * ```ts
 * import assert from "node:assert/strict";
 *
 * assert.ok(Math.abs(smallestExcludedLoss(13) - 0.3352314833) < 1e-9);
 * ```
 */
export function smallestExcludedLoss(pairs: number, options: { readonly level?: number } = {}): number {
  return -pairedDifferenceInterval([[0, pairs]], options).lower;
}
