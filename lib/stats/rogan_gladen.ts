/**
 * What share truly passes, when a judge of known errors passes a given share.
 *
 * Source: Rogan and Gladen (1978), "Estimating prevalence from the results of a screening test", American
 * Journal of Epidemiology 107(1), 71–76. Guarantee: none; it is a point estimate that takes the judge's rates
 * as known and the same on what is judged as on what was labelled. It says how far a judged rate may be off,
 * and is no ground for a decision. Accuracy: a few roundings.
 *
 * Edge cases: a judge whose rates do not add up to more than 1 tells nothing, so there is no estimate. The
 * raw estimate can lie outside [0, 1]; clipped to it, that shows no more.
 *
 * @param judged The share that the judge passes, a proportion in [0, 1].
 * @param rates `sensitivity` and `specificity` of the judge, proportions in [0, 1].
 * @returns The estimate before and after clipping to [0, 1]; nulls without one.
 * @throws {RangeError} When a proportion is not in [0, 1].
 *
 * @example A lenient judge passes more than is right
 * ```ts
 * import assert from "node:assert/strict";
 *
 * const { raw, clipped } = roganGladen(0.8, { sensitivity: 0.9, specificity: 0.8 });
 *
 * assert.ok(Math.abs((raw ?? 0) - 6 / 7) < 1e-12);
 * assert.equal(clipped, raw);
 * assert.equal(roganGladen(0.5, { sensitivity: 0.5, specificity: 0.5 }).raw, null);
 * ```
 */
export function roganGladen(
  judged: number,
  rates: { readonly sensitivity: number; readonly specificity: number },
): { readonly raw: number | null; readonly clipped: number | null } {
  const { sensitivity, specificity } = rates;
  for (const share of [judged, sensitivity, specificity]) {
    if (!(share >= 0 && share <= 1)) {
      throw new RangeError(`Cannot correct with a share of ${share}: it must be a number from 0 to 1`);
    }
  }
  const telling = sensitivity + specificity - 1;
  if (!(telling > 0)) return { raw: null, clipped: null };
  const raw = (judged - (1 - specificity)) / telling;
  return { raw, clipped: Math.min(1, Math.max(0, raw)) };
}
