import { alphaOfLevel } from "./alpha_of_level.ts";
import { betFractions } from "./bet_fractions.ts";

const MOST_CASES = 10_000_000;

// A plan must not promise what the interval then leaves undecided by a hair. The interval gives away up to
// 2^-50 (see `findOuterBound`), here doubled, and for rounding 16 epsilons a case (see `bettingLowerBound`).
// Powers round otherwise than products, so the plan gives away twice as much.
const STEP = 2 ** -49;
const ERROR_PER_CASE = 32 * Number.EPSILON;

/**
 * The smallest number of pairs from which every larger number passes a rule, if the differences keep a shape.
 *
 * The shape says which differences occur and how often. Of n pairs, n × share have each difference, and the
 * rule decides by the interval of `pairedDifferenceInterval`. Where n × share is not a whole number it is the
 * exponent of the factor of that difference in the wealth all the same: nothing is rounded.
 *
 * "Every larger number" matters, since more pairs are not always better: the grid of bet fractions grows
 * after 25, 100, 400 … pairs, where the wealth can drop by up to a twentieth. Within a grid the wealth is a
 * sum of exponentials in n, hence convex, and it starts at 1 with no pairs: having reached 2 / alpha it does
 * not fall below. From the first number of pairs of one grid to that of the next, which is 3.8 times as many
 * or more, convexity makes it grow more than a new fraction costs. So the answer lies in the last grid whose
 * first number fails, or is the first number of the grid after it, and bisection finds it: the work is a few
 * dozen wealths.
 *
 * Source: the intervals of Waudby-Smith and Ramdas (2024), see `boundedMeanInterval`. It is a plan and
 * guarantees nothing: pairs that are drawn with these shares will vary around them. Accuracy: for numbers
 * that make all counts whole, the decision is that of the interval, unless a bound is within 1e-11 of the
 * margin.
 *
 * Edge cases: when the mean of the shape does not itself clear the margin, no number of pairs does. A margin
 * of 1 asks only that not every pair is lost.
 *
 * @param shape (difference, share) pairs: the differences in [-1, 1], as proportions and not in points, the
 * shares at least 0 with sum 1. `[[0, 1]]`, all pairs tied, is the best case of non-inferiority without
 * gains.
 * @param rule `margin`, a proportion in [0, 1]; `level`, the confidence level as a proportion in (0, 1), 0.95
 * when left out; `test`, what must hold of the interval: its lower end above -margin (non-inferiority), its
 * lower end above margin (superiority), or both ends strictly between -margin and margin (equivalence).
 * @returns The number of pairs, at least 1; undefined when none will do, or more than 10,000,000 are needed.
 * @throws {RangeError} When there is no shape, a difference, a share, their sum or the margin is out of
 * range, or `level` is not strictly between 0 and 1.
 *
 * @example Excluding a loss of 5 points
 * ```ts
 * import assert from "node:assert/strict";
 *
 * const rule = { test: "non-inferiority", margin: 0.05 } as const;
 *
 * assert.equal(casesNeeded([[0, 1]], rule), 109);
 * assert.equal(casesNeeded([[0, 0.9], [1, 0.05], [-1, 0.05]], rule), 438);
 * assert.equal(casesNeeded([[0, 0.95], [-1, 0.05]], rule), undefined);
 * ```
 */
export function casesNeeded(
  shape: Iterable<readonly [difference: number, share: number]>,
  rule: {
    readonly test: "non-inferiority" | "superiority" | "equivalence";
    readonly margin: number;
    readonly level?: number;
  },
): number | undefined {
  const { test, margin } = rule;
  if (!(margin >= 0 && margin <= 1)) {
    throw new RangeError(`Cannot plan for a margin of ${margin}: it must be a number from 0 to 1`);
  }
  const alpha = alphaOfLevel(rule.level ?? 0.95);
  const parts = [...shape];
  checkShape(parts);
  switch (test) {
    case "non-inferiority":
      return casesToExceed(-margin, parts, alpha);
    case "superiority":
      return casesToExceed(margin, parts, alpha);
    case "equivalence": {
      const mirrored = parts.map(([difference, share]) => [-difference, share] as const);
      const below = casesToExceed(-margin, parts, alpha);
      const above = casesToExceed(-margin, mirrored, alpha);
      return below === undefined || above === undefined ? undefined : Math.max(below, above);
    }
  }
}

type Shape = readonly (readonly [difference: number, share: number])[];

function checkShape(shape: Shape): void {
  for (const [difference, share] of shape) {
    if (!(difference >= -1 && difference <= 1 && share >= 0)) {
      throw new RangeError(
        `Cannot use difference ${difference} with share ${share}: ` +
          "the difference must be a number from -1 to 1, the share one from 0 to 1",
      );
    }
  }
  const sum = shape.reduce((sum, [, share]) => sum + share, 0);
  if (!(Math.abs(sum - 1) <= 1e-9)) {
    throw new RangeError(`Cannot use shares that add up to ${sum}: they must add up to 1`);
  }
}

/** The smallest number of pairs from which the lower bound exceeds `limit` for good. */
function casesToExceed(limit: number, shape: Shape, alpha: number): number | undefined {
  const mean = shape.reduce((sum, [difference, share]) => sum + difference * share, 0);
  // The interval always holds the mean, and by the law of large numbers shrinks to it: this alone decides
  // whether there is an answer, and spares the search for one.
  if (!(mean > limit)) return undefined;
  const candidate = (Math.floor(limit / STEP) + 1) * STEP;
  const exceeds = (cases: number, fractions: readonly number[]) => {
    const wealth = fractions.reduce(
      (sum, fraction) => sum + wealthOf(fraction, { candidate, shape, cases }),
      0,
    );
    return wealth * (1 - (cases + 1) * ERROR_PER_CASE) >= fractions.length * (2 / alpha);
  };
  let grid = betFractions(1);
  if (exceeds(1, grid.fractions)) return 1;
  for (let failing = 1; failing <= MOST_CASES;) {
    const next = grid.enoughFor + 1;
    const nextGrid = betFractions(next);
    if (exceeds(next, nextGrid.fractions)) {
      const { fractions } = grid;
      const cases = smallestPassing({ failing, passing: next }, (cases) => exceeds(cases, fractions));
      return cases <= MOST_CASES ? cases : undefined;
    }
    failing = next;
    grid = nextGrid;
  }
  return undefined;
}

/** The wealth of a bettor on more than the candidate: the product of (1 + (u/m)(x - m))^(cases × share). */
function wealthOf(
  fraction: number,
  game: { readonly candidate: number; readonly shape: Shape; readonly cases: number },
): number {
  const { candidate, shape, cases } = game;
  // With x = (1 + d) / 2 and m = (1 + candidate) / 2, (x - m) / m is (d - candidate) / (1 + candidate).
  const growth = shape.reduce(
    (sum, [difference, share]) =>
      sum + share * Math.log1p(fraction * (difference - candidate) / (1 + candidate)),
    0,
  );
  return Math.exp(cases * growth);
}

/** Bisects between a number that fails and a larger one that passes, where passing is monotone in between. */
function smallestPassing(
  bracket: { readonly failing: number; readonly passing: number },
  passes: (cases: number) => boolean,
): number {
  let { failing, passing } = bracket;
  while (passing - failing > 1) {
    const middle = Math.floor((failing + passing) / 2);
    if (passes(middle)) passing = middle;
    else failing = middle;
  }
  return passing;
}
