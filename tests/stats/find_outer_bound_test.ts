import assert from "node:assert/strict";
import fc from "fast-check";
import { findOuterBound } from "../../lib/stats/find_outer_bound.ts";

Deno.test("the bound is the last rejected multiple of 2^-50", () => {
  fc.assert(
    fc.property(fc.double({ min: 0, max: 1, noNaN: true }), (limit) => {
      const bound = findOuterBound((candidate) => candidate <= limit);
      assert.ok(Number.isInteger(bound * 2 ** 50));
      assert.ok(bound <= limit);
      assert.ok(bound + 2 ** -50 > limit || bound === 1 - 2 ** -50);
    }),
    { seed: 1 },
  );
});

Deno.test("nothing rejected gives 0, everything rejected stays below 1", () => {
  assert.equal(findOuterBound(() => false), 0);
  assert.equal(findOuterBound(() => true), 1 - 2 ** -50);
});
