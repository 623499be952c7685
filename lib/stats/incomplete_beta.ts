// From here on the first five terms of Stirling's series reach full precision.
const STIRLING_FROM = 15;

// Coefficients of z^-1, z^-3, z^-5 … in Stirling's series: B(2k) / (2k (2k - 1)), B the Bernoulli numbers.
const STIRLING = [1 / 12, -1 / 360, 1 / 1260, -1 / 1680, 1 / 1188];

/**
 * Regularised incomplete beta function I_x(a, b): the probability that a Beta(a, b) variable is at most x.
 *
 * Its link to counts: I_p(k, n - k + 1) is the probability of at least k successes in n trials at success rate p.
 *
 * Source: DLMF 8.17.22 (continued fraction) and 8.17.4 (reflection). The relative error grows with the size of the
 * log-gamma terms: about 1e-13 for a + b near 100, 1e-10 near 100,000.
 *
 * @param x Where to evaluate, in [0, 1].
 * @param a First shape, positive and finite.
 * @param b Second shape, positive and finite.
 * @returns A probability in [0, 1]; exactly 0 at x = 0 and exactly 1 at x = 1.
 * @throws {RangeError} When an argument is out of range, or the shapes are so large that the fraction
 * does not settle.
 *
 * @example At least one head in two tosses of a fair coin
 * ```ts
 * import assert from "node:assert/strict";
 *
 * assert.ok(Math.abs(incompleteBeta(0.5, 1, 2) - 0.75) < 1e-14);
 * ```
 */
export function incompleteBeta(x: number, a: number, b: number): number {
  if (!(x >= 0 && x <= 1)) {
    throw new RangeError(`Cannot take the incomplete beta function at x = ${x}: x must lie in [0, 1]`);
  }
  if (!(a > 0 && b > 0 && a + b < Infinity)) {
    throw new RangeError(
      `Cannot take the incomplete beta function for shapes ${a} and ${b}: both must be positive and finite`,
    );
  }
  if (x === 0 || x === 1) return x;
  const density = Math.exp(
    logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log1p(-x),
  );
  // The fraction converges fast only left of the mean; right of it, the mirror image does.
  if (x < (a + 1) / (a + b + 2)) return Math.min(1, density / (a * betaFraction(x, a, b)));
  return Math.max(0, 1 - density / (b * betaFraction(1 - x, b, a)));
}

/** 1 + d1/(1 + d2/(1 + …)) of DLMF 8.17.22, by Lentz's method: ratios of successive numerators and denominators. */
function betaFraction(x: number, a: number, b: number): number {
  // About the square root of the larger shape is needed; the cap only turns a hang into an error.
  const limit = 1000 + 20 * Math.sqrt(a + b);
  let value = 1;
  let numerators = 1;
  let denominators = 0;
  for (let m = 0; m < limit; m++) {
    const odd = -((a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    const even = ((m + 1) * (b - m - 1) * x) / ((a + 2 * m + 1) * (a + 2 * m + 2));
    let change = 1;
    for (const d of [odd, even]) {
      // No guard against division by zero: left of the mean both ratios stay positive.
      numerators = 1 + d / numerators;
      denominators = 1 / (1 + d * denominators);
      change = numerators * denominators;
      value *= change;
    }
    if (Math.abs(change - 1) <= 2 * Number.EPSILON) return value;
  }
  throw new RangeError(
    `Cannot compute the incomplete beta function for shapes ${a} and ${b}: they are too large`,
  );
}

/**
 * Natural logarithm of the gamma function, for positive arguments.
 *
 * Source: Stirling's series, NIST Digital Library of Mathematical Functions (DLMF), 5.11.1. Small arguments are
 * first moved up by Γ(z + 1) = z Γ(z). Accurate to about 1e-14 of max(1, |result|).
 */
function logGamma(z: number): number {
  let rise = 1;
  let shifted = z;
  for (; shifted < STIRLING_FROM; shifted++) rise *= shifted;
  const inverseSquare = 1 / (shifted * shifted);
  const series = STIRLING.reduceRight((sum, coefficient) => sum * inverseSquare + coefficient, 0) / shifted;
  return (shifted - 0.5) * Math.log(shifted) - shifted + Math.log(2 * Math.PI) / 2 + series - Math.log(rise);
}
