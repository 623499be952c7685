import { findOuterBound } from "./find_outer_bound.ts";

const LARGE = 2 ** 500;
const SMALL = 2 ** -500;

// Twice a bound on the relative rounding error that one case adds to a wealth, in roundings of half an epsilon: up
// to 11 in its factor (10 of them in 1 - u, small when u is 0.95), 1 in the product, 4 by squaring it later.
const ERROR_PER_CASE = 16 * Number.EPSILON;

/**
 * Lower confidence bound for the mean of values in [0, 1], by betting that the mean is larger than a candidate.
 *
 * A bettor who stakes the fraction u on every case multiplies the wealth by 1 + (u/m)(x - m) on seeing x. If the
 * candidate m is the mean the game is fair, and the wealth, averaged over the fractions, reaches 2 / alpha with
 * probability at most alpha / 2. So m is rejected when it does. Wealth falls as m grows: bisection finds the bound.
 *
 * Candidates are rejected only when that is certain in spite of rounding, hence the bound is never above the exact
 * one. It is less than 1e-12 below it for up to 100,000 cases. It uses +, -, × and / alone: every machine gives
 * the same bits. The work is fractions × distinct values × 50.
 *
 * @param pairs (value, count) pairs, values in [0, 1], counts integers of at least 1; the order does not matter.
 * @param game `alpha`, the two-sided error probability in (0, 1], and the bet `fractions` in (0, 0.95].
 * @returns The bound in [0, 1); exactly 0 when all values are 0 or there are none.
 *
 * @example One case with value 1: the average wealth 0.5 + 0.5 / m reaches 40 at m = 1 / 79
 * ```ts
 * import assert from "node:assert/strict";
 *
 * const fractions = Array.from({ length: 19 }, (_, index) => (index + 1) / 20);
 * const bound = bettingLowerBound([[1, 1]], { alpha: 0.05, fractions });
 *
 * assert.ok(bound <= 1 / 79 && 1 / 79 - bound < 1e-15);
 * ```
 */
export function bettingLowerBound(
  pairs: Iterable<readonly [value: number, count: number]>,
  game: { readonly alpha: number; readonly fractions: readonly number[] },
): number {
  const sorted = [...pairs].sort(([a], [b]) => a - b);
  const cases = sorted.reduce((sum, [, count]) => sum + count, 0);
  const layers = splitByBits(sorted);
  // One case more, for the sum over the fractions.
  const surely = 1 - (cases + 1) * ERROR_PER_CASE;
  const needed = game.fractions.length * (2 / game.alpha);
  // Small bets win most where there are many cases, and a sum of positive terms may stop as soon as it is enough.
  const fractions = game.fractions.toSorted((a, b) => a - b);
  return findOuterBound((mean) => {
    let total = 0;
    return fractions.some((fraction) => {
      total += wealth(layers, 1 - fraction, fraction / mean);
      return total * surely >= needed;
    });
  });
}

/**
 * Splits the values by the binary digits of their counts: the first layer has the values whose count has the
 * highest digit set, the last those with an odd count. Large counts then cost squarings, not multiplications.
 */
function splitByBits(sorted: readonly (readonly [value: number, count: number])[]): Float64Array[] {
  const layers: Float64Array[] = [];
  let rest = sorted;
  while (rest.length > 0) {
    layers.unshift(Float64Array.from(rest.filter(([, count]) => count % 2 === 1), ([value]) => value));
    rest = rest.flatMap(([value, count]) => count > 1 ? [[value, Math.floor(count / 2)] as const] : []);
  }
  return layers;
}

/** The wealth after all cases, each multiplying it by kept + gain × value. Infinity or 0 beyond about 2^±1000. */
function wealth(layers: readonly Float64Array[], kept: number, gain: number): number {
  let result: Scaled = { product: 1, exponent: 0 };
  for (const layer of layers) {
    result = multiply(multiply(result, result), layerWealth(layer, kept, gain));
  }
  return result.product * LARGE ** result.exponent;
}

/** product × LARGE^exponent, with the product from SMALL to LARGE: a wealth soon leaves the range of a number. */
interface Scaled {
  readonly product: number;
  readonly exponent: number;
}

function multiply(a: Scaled, b: Scaled): Scaled {
  const product = a.product * b.product;
  const exponent = a.exponent + b.exponent;
  if (product > LARGE) return { product: product * SMALL, exponent: exponent + 1 };
  return product < SMALL ? { product: product * LARGE, exponent: exponent - 1 } : { product, exponent };
}

/** The hot loop. Blocks of four, since waiting for one product after the other would take twice the time. */
function layerWealth(layer: Float64Array, kept: number, gain: number): Scaled {
  let product = 1;
  let exponent = 0;
  const blocked = layer.length - layer.length % 4;
  for (let i = 0; i < blocked; i += 4) {
    // Each factor is between 0.05 and 2^50, so that four of them cannot leave the range at once.
    product *= (kept + gain * (layer[i] ?? 0)) * (kept + gain * (layer[i + 1] ?? 0)) *
      ((kept + gain * (layer[i + 2] ?? 0)) * (kept + gain * (layer[i + 3] ?? 0)));
    if (product > LARGE) {
      product *= SMALL;
      exponent++;
    } else if (product < SMALL) {
      product *= LARGE;
      exponent--;
    }
  }
  let rest = 1;
  for (let i = blocked; i < layer.length; i++) rest *= kept + gain * (layer[i] ?? 0);
  return multiply({ product, exponent }, { product: rest, exponent: 0 });
}
