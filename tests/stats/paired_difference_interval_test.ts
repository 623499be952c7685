import assert from "node:assert/strict";
import fc from "fast-check";
import { boundedMeanInterval } from "../../lib/stats/bounded_mean_interval.ts";
import { pairedDifferenceInterval } from "../../lib/stats/paired_difference_interval.ts";
import { assertInterval } from "./assert_interval.ts";
import { bettingPairedVectors } from "./stats_vectors.ts";

for (const { id, pairs, cases, alpha, full, estimate } of bettingPairedVectors) {
  Deno.test(`${id}: betting interval of ${cases} differences at alpha ${alpha}`, () => {
    const interval = pairedDifferenceInterval(pairs, { level: 1 - alpha });
    assertInterval(interval, full, "points");
    assert.ok(interval.lower <= estimate && estimate <= interval.upper);
  });
}

const differences = fc.array(
  fc.tuple(fc.double({ min: -1, max: 1, noNaN: true }), fc.integer({ min: 1, max: 9 })),
  { minLength: 1, maxLength: 12 },
);

Deno.test("changing every sign mirrors the interval exactly", () => {
  const decimals = fc.array(fc.integer({ min: -100, max: 100 }).map((grid) => grid / 100), {
    minLength: 1,
    maxLength: 5,
  });
  // A slip of one rounding would show in one case of a hundred: hence the many runs.
  fc.assert(
    fc.property(decimals, (values) => {
      const interval = pairedDifferenceInterval(values.map((difference) => [difference, 1]));
      const mirrored = pairedDifferenceInterval(values.map((difference) => [-difference, 1]));
      assert.equal(mirrored.lower + interval.upper, 0);
      assert.equal(mirrored.upper + interval.lower, 0);
    }),
    { seed: 1, numRuns: 1000 },
  );
});

Deno.test("it is the interval of (d + 1) / 2 on the scale of the differences", () => {
  fc.assert(
    fc.property(differences, (pairs) => {
      const interval = pairedDifferenceInterval(pairs);
      const mean = boundedMeanInterval(pairs.map(([difference, count]) => [(difference + 1) / 2, count]));
      assert.ok(Math.abs(interval.lower - (2 * mean.lower - 1)) < 1e-12);
      assert.ok(Math.abs(interval.upper - (2 * mean.upper - 1)) < 1e-12);
      assert.equal(interval.grid, mean.grid);
    }),
    { seed: 1 },
  );
});

Deno.test("differences at the limit keep that end exactly", () => {
  assert.equal(pairedDifferenceInterval([[-1, 13]]).lower, -1);
  assert.equal(pairedDifferenceInterval([[1, 13]]).upper, 1);
});

Deno.test("no differences, and differences out of range, are refused", () => {
  assert.throws(() => pairedDifferenceInterval([]), {
    name: "RangeError",
    message: /at least one is needed/,
  });
  const message = /value 33\.6: each value must be a number from -1 to 1/;
  assert.throws(() => pairedDifferenceInterval([[33.6, 1]]), { name: "RangeError", message });
  assert.throws(() => pairedDifferenceInterval([[0, 1]], { level: 0 }), RangeError);
});
