import { clopperPearson } from "./clopper_pearson.ts";

// No one labels more by hand, and beyond it the answer would read as a promise.
const MOST_LABELS = 100_000;

/**
 * How many labels of one class a rate needs until its lower bound reaches a minimum, if every further one
 * agrees.
 *
 * Of n labels with the disagreements that there are already, the lower Clopper–Pearson bound grows with n, so
 * bisection finds the smallest n, and every larger one does too. It is a plan: one more disagreement asks for
 * more.
 *
 * Source, guarantee: those of `clopperPearson`, whose bound decides. Accuracy: exact, unless a bound is
 * within 1e-11 of the minimum. Without a disagreement 17, 36 and 72 labels reach 0.80, 0.90 and 0.95.
 *
 * @param least The minimum, a proportion in [0, 1].
 * @param present `agreeing` of `labels` labels of this class agree: integers, 0 ≤ agreeing ≤ labels.
 * @param options `level` as a proportion in (0, 1); 0.95 when left out.
 * @returns The number of labels in all, at least the present ones and at least 1; undefined when more than
 * 100,000 are needed, or no number does.
 * @throws {RangeError} When a count or a proportion is out of range.
 *
 * @example Two disagreements among twenty
 * ```ts
 * import assert from "node:assert/strict";
 *
 * assert.equal(labelsNeeded(0.9, { agreeing: 0, labels: 0 }), 36);
 * assert.equal(labelsNeeded(0.8, { agreeing: 18, labels: 20 }), 34);
 * assert.equal(labelsNeeded(1, { agreeing: 5, labels: 5 }), undefined);
 * ```
 */
export function labelsNeeded(
  least: number,
  present: { readonly agreeing: number; readonly labels: number },
  options: { readonly level?: number } = {},
): number | undefined {
  if (!(least >= 0 && least <= 1)) {
    throw new RangeError(`Cannot plan for a rate of ${least}: it must be a number from 0 to 1`);
  }
  const { agreeing, labels } = present;
  const wrong = labels - agreeing;
  const reaches = (count: number) => clopperPearson(count - wrong, count, options).lower >= least;
  let passing = Math.max(1, labels);
  if (reaches(passing)) return passing;
  let failing = passing;
  while (!reaches(passing)) {
    failing = passing;
    if (passing === MOST_LABELS) return undefined;
    passing = Math.min(MOST_LABELS, passing * 2);
  }
  while (passing - failing > 1) {
    const middle = Math.floor((failing + passing) / 2);
    if (reaches(middle)) passing = middle;
    else failing = middle;
  }
  return passing;
}
