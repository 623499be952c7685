import assert from "node:assert/strict";
import fc from "fast-check";
import { boundedMeanInterval } from "../../lib/stats/bounded_mean_interval.ts";
import { assertCoverage } from "./assert_coverage.ts";
import { assertInterval } from "./assert_interval.ts";
import { binomialProbability } from "./binomial_probability.ts";
import { bettingMeanVectors } from "./stats_vectors.ts";

for (const { id, pairs, cases, alpha, full, estimate } of bettingMeanVectors) {
  Deno.test(`${id}: betting interval of ${cases} values at alpha ${alpha}`, () => {
    const interval = boundedMeanInterval(pairs, { level: 1 - alpha });
    assertInterval(interval, full, "decimal");
    assert.ok(interval.lower <= estimate && estimate <= interval.upper);
  });
}

Deno.test("the betting interval covers every success rate with at least its level", () => {
  for (const level of [0.6, 0.95]) {
    for (let trials = 1; trials <= 12; trials++) {
      const intervals = Array.from({ length: trials + 1 }, (_, successes) => {
        const pairs = [[1, successes], [0, trials - successes]] as const;
        return boundedMeanInterval(pairs.filter(([, count]) => count > 0), { level });
      });
      assertCoverage(intervals, level);
    }
  }
});

Deno.test("the betting interval covers the mean of three-valued cases with at least its level", () => {
  const trials = 7;
  const level = 0.7;
  const counts = Array.from({ length: trials + 1 }, (_, count) => count);
  const draws = counts.flatMap((ones) =>
    counts.slice(0, trials - ones + 1).map((halves) => {
      const pairs = [[1, ones], [0.5, halves], [0, trials - ones - halves]] as const;
      return { ones, halves, ...boundedMeanInterval(pairs.filter(([, count]) => count > 0), { level }) };
    })
  );
  for (const rateOfOnes of [0, 0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 1]) {
    // The rate of halves is among the cases that are not ones.
    for (let rateOfHalves = 0; rateOfHalves <= 1; rateOfHalves += 0.0625) {
      const mean = rateOfOnes + (1 - rateOfOnes) * rateOfHalves / 2;
      const coverage = draws.filter(({ lower, upper }) => lower <= mean && mean <= upper).reduce(
        (sum, { ones, halves }) =>
          sum + binomialProbability(ones, trials, rateOfOnes) *
            binomialProbability(halves, trials - ones, rateOfHalves),
        0,
      );
      assert.ok(coverage >= level, `coverage ${coverage} at mean ${mean}`);
    }
  }
});

Deno.test("a single case is solved by hand", () => {
  // Seeing 1, the average wealth 0.5 + 0.5 / m reaches 40 at m = 1 / 79; seeing 0.5, 0.5 + 0.25 / m does at 1 / 158.
  const one = boundedMeanInterval([[1, 1]]);
  assert.ok(Math.abs(one.lower - 1 / 79) < 1e-15);
  assert.equal(one.upper, 1);
  const half = boundedMeanInterval([[0.5, 1]]);
  assert.ok(Math.abs(half.lower - 1 / 158) < 1e-15);
  assert.equal(half.upper, 1 - half.lower);
  assert.deepEqual(boundedMeanInterval([[0, 1]]), { lower: 0, upper: 1 - one.lower, grid: "betting/19" });
});

const pairs = fc.array(
  fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.integer({ min: 1, max: 9 })),
  { minLength: 1, maxLength: 12 },
);

Deno.test("the order and the grouping of the values do not matter, to the last bit", () => {
  const orders = fc.array(fc.integer({ min: 0, max: 100 }).map((grid) => grid / 100), {
    minLength: 1,
    maxLength: 12,
  })
    .chain((values) =>
      fc.tuple(fc.constant(values), fc.shuffledSubarray(values, { minLength: values.length }))
    );
  // Without sorting, one order in five hundred differs in the last bit: hence the many runs.
  fc.assert(
    fc.property(orders, ([values, shuffled]) => {
      const single = boundedMeanInterval(shuffled.map((value) => [value, 1]));
      const grouped = Map.groupBy(values, (value) => value).entries()
        .map(([value, equal]) => [value, equal.length] as const);
      assert.deepEqual(boundedMeanInterval(grouped), single);
    }),
    { seed: 1, numRuns: 1500 },
  );
});

Deno.test("the mean lies inside, and the interval widens with the level", () => {
  fc.assert(
    fc.property(pairs, fc.double({ min: 0.01, max: 0.98, noNaN: true }), (pairs, level) => {
      const cases = pairs.reduce((sum, [, count]) => sum + count, 0);
      const mean = pairs.reduce((sum, [value, count]) => sum + value * count, 0) / cases;
      const { lower, upper } = boundedMeanInterval(pairs, { level });
      const wider = boundedMeanInterval(pairs, { level: level + 0.01 });
      assert.ok(0 <= lower && lower <= mean && mean <= upper && upper <= 1);
      assert.ok(wider.lower <= lower && upper <= wider.upper);
    }),
    { seed: 1 },
  );
});

Deno.test("mirroring the values mirrors the interval exactly", () => {
  // Multiples of 2^-20, so that 1 - value is exact.
  const exact = fc.array(
    fc.tuple(
      fc.integer({ min: 0, max: 2 ** 20 }).map((grid) => grid / 2 ** 20),
      fc.integer({ min: 1, max: 9 }),
    ),
    { minLength: 1, maxLength: 12 },
  );
  fc.assert(
    fc.property(exact, (pairs) => {
      const interval = boundedMeanInterval(pairs);
      const mirrored = boundedMeanInterval(pairs.map(([value, count]) => [1 - value, count]));
      assert.equal(mirrored.lower, 1 - interval.upper);
      assert.equal(mirrored.upper, 1 - interval.lower);
    }),
    { seed: 1 },
  );
});

Deno.test("the grid names the halvings", () => {
  assert.equal(boundedMeanInterval([[0.5, 25]]).grid, "betting/19");
  assert.equal(boundedMeanInterval([[0.5, 26]]).grid, "betting/19+1");
  assert.equal(boundedMeanInterval([[0.5, 100_000]]).grid, "betting/19+6");
});

Deno.test("no values, values out of range and levels out of range are refused", () => {
  assert.throws(() => boundedMeanInterval([]), { name: "RangeError", message: /at least one is needed/ });
  assert.throws(() => boundedMeanInterval([[1.2, 1]]), { name: "RangeError", message: /value 1\.2/ });
  assert.throws(() => boundedMeanInterval([[0.5, 0]]), { name: "RangeError", message: /count 0/ });
  assert.throws(() => boundedMeanInterval([[0.5, 1]], { level: 1 }), RangeError);
});

Deno.test("values may come as a stream that is read once", () => {
  const stream = [[1, 9], [0, 4]].values().map(([value = 0, count = 0]) => [value, count] as const);
  assert.deepEqual(boundedMeanInterval(stream), boundedMeanInterval([[0, 4], [1, 9]]));
});
