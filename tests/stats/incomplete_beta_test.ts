import assert from "node:assert/strict";
import fc from "fast-check";
import { incompleteBeta } from "../../lib/stats/incomplete_beta.ts";
import { binomialProbability } from "./binomial_probability.ts";

Deno.test("incomplete beta is the upper tail of the binomial", () => {
  for (const trials of [1, 2, 5, 13, 30]) {
    for (const rate of [1e-6, 0.01, 0.3, 0.5, 0.77, 0.999]) {
      let tail = 0;
      for (let successes = trials; successes >= 1; successes--) {
        tail += binomialProbability(successes, trials, rate);
        const computed = incompleteBeta(rate, successes, trials - successes + 1);
        assert.ok(Math.abs(computed - tail) <= 1e-12 * tail, `${computed}, expected ${tail}`);
      }
    }
  }
});

Deno.test("incomplete beta of uneven shapes agrees with closed forms", () => {
  for (const x of [1e-9, 0.2, 0.5, 0.9]) {
    // The arcsine law, and a power law with a fractional shape.
    assert.ok(Math.abs(incompleteBeta(x, 0.5, 0.5) - 2 / Math.PI * Math.asin(Math.sqrt(x))) < 1e-14);
    assert.ok(Math.abs(incompleteBeta(x, 2.5, 1) - x ** 2.5) < 1e-14);
  }
});

Deno.test("incomplete beta of large shapes agrees with a 40-digit sum of the binomial", () => {
  assert.ok(Math.abs(incompleteBeta(0.499, 50000, 50000) - 0.26354493829704) < 1e-10);
  assert.ok(Math.abs(incompleteBeta(0.1, 10100, 90000) - 0.17254524963141) < 1e-10);
});

Deno.test("incomplete beta mirrors: I_x(a, b) + I_(1-x)(b, a) = 1", () => {
  const shape = fc.double({ min: 0.1, max: 1000, noNaN: true });
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 1024 }), shape, shape, (grid, a, b) => {
      const x = grid / 1024;
      assert.ok(Math.abs(incompleteBeta(x, a, b) + incompleteBeta(1 - x, b, a) - 1) < 1e-11);
    }),
    { seed: 1 },
  );
});

Deno.test("incomplete beta refuses arguments out of range", () => {
  assert.equal(incompleteBeta(0, 2, 3), 0);
  assert.equal(incompleteBeta(1, 2, 3), 1);
  assert.throws(() => incompleteBeta(1.1, 2, 3), { name: "RangeError", message: /x must lie in \[0, 1\]/ });
  assert.throws(() => incompleteBeta(NaN, 2, 3), RangeError);
  assert.throws(() => incompleteBeta(0.5, 0, 3), { name: "RangeError", message: /positive and finite/ });
  assert.throws(() => incompleteBeta(0.5, 2, Infinity), RangeError);
});
