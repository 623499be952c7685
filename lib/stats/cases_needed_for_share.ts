import { alphaOfLevel } from "./alpha_of_level.ts";
import { clopperPearson } from "./clopper_pearson.ts";

// The same limit as for paired rules, and far below the numbers whose bounds a double cannot tell apart.
const MOST_CASES = 10_000_000;

/**
 * The smallest number of cases from which a threshold rule can pass: when all of them succeed.
 *
 * The rule asks for a lower Clopper–Pearson bound of at least `atLeast`. With n successes in n cases the
 * bound is (alpha / 2)^(1 / n), which grows with n, so every larger number of successes alone passes too.
 *
 * Source, guarantee: those of `clopperPearson`, whose bound decides here as it does in the rule. Accuracy:
 * exact, unless `atLeast` is within 1e-15 of a bound.
 *
 * Edge cases: 0 needs one case. 1 cannot be shown by any number of cases.
 *
 * @param atLeast The success rate to be shown, a proportion in [0, 1].
 * @param options `level` is the confidence level as a proportion in (0, 1); 0.95 when left out.
 * @returns The number of cases, at least 1; undefined when none will do, or more than 10,000,000 are needed.
 * @throws {RangeError} When `atLeast` is not in [0, 1], or `level` is not strictly between 0 and 1.
 *
 * @example Thirteen successes in thirteen cases show 75 %, but not 76 %
 * ```ts
 * import assert from "node:assert/strict";
 *
 * assert.equal(casesNeededForShare(0.75), 13);
 * assert.equal(casesNeededForShare(0.76), 14);
 * assert.equal(casesNeededForShare(1), undefined);
 * ```
 */
export function casesNeededForShare(
  atLeast: number,
  options: { readonly level?: number } = {},
): number | undefined {
  if (!(atLeast >= 0 && atLeast <= 1)) {
    throw new RangeError(`Cannot plan for a share of ${atLeast}: it must be a number from 0 to 1`);
  }
  const alpha = alphaOfLevel(options.level ?? 0.95);
  // The logarithm of 1 is 0, and no bound reaches it.
  if (atLeast === 1) return undefined;
  // Rounded logarithms may miss a whole number by a hair: the interval decides between the two around their
  // ratio.
  const below = Math.max(1, Math.floor(Math.log(alpha / 2) / Math.log(atLeast)));
  return [below, below + 1].find((cases) =>
    cases <= MOST_CASES && clopperPearson(cases, cases, options).lower >= atLeast
  );
}
