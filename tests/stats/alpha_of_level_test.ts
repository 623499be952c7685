import assert from "node:assert/strict";
import { alphaOfLevel } from "../../lib/stats/alpha_of_level.ts";

Deno.test("alpha is the decimal difference from 1", () => {
  assert.equal(alphaOfLevel(0.95), 0.05);
  assert.equal(alphaOfLevel(0.9), 0.1);
  assert.equal(alphaOfLevel(0.975), 0.025);
  assert.equal(alphaOfLevel(0.9999), 0.0001);
  assert.equal(alphaOfLevel(0.05), 0.95);
});

Deno.test("alpha of the levels next to 0 and 1 stays above 0 and at most 1", () => {
  assert.equal(alphaOfLevel(Number.MIN_VALUE), 1);
  assert.ok(alphaOfLevel(1 - Number.EPSILON / 2) > 0);
});

Deno.test("a level outside (0, 1) is refused", () => {
  for (const level of [0, 1, -0.5, 95, NaN, Infinity]) {
    assert.throws(() => alphaOfLevel(level), { name: "RangeError", message: /strictly between 0 and 1/ });
  }
});
