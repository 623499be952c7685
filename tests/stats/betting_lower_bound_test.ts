import assert from "node:assert/strict";
import fc from "fast-check";
import { betFractions } from "../../lib/stats/bet_fractions.ts";
import { bettingLowerBound } from "../../lib/stats/betting_lower_bound.ts";
import { assertInterval } from "./assert_interval.ts";
import { bettingMeanVectors } from "./stats_vectors.ts";

const { fractions } = betFractions(1);

// More than 25 cases get more fractions from the public function; the 19 alone can be checked here.
for (const { id, pairs, cases, alpha, grid19 } of bettingMeanVectors.filter(({ cases }) => cases > 25)) {
  Deno.test(`${id}: betting bounds of ${cases} values on the 19 basic fractions`, () => {
    const mirrored = pairs.map(([value, count]) => [1 - value, count] as const);
    const lower = bettingLowerBound(pairs, { alpha, fractions });
    const upper = 1 - bettingLowerBound(mirrored, { alpha, fractions });
    assertInterval({ lower, upper }, grid19, "decimal");
  });
}

/** Whether the average wealth reaches 2 / 0.05 at a candidate, in whole numbers: no rounding at all. */
function isRejectedExactly(values: readonly number[], candidate: number): boolean {
  const mean = BigInt(candidate * 2 ** 50);
  let total = 0n;
  for (let twentieths = 1n; twentieths <= 19n; twentieths++) {
    // 1 - u + u x / m, times 20 m.
    total += values.reduce(
      (product, value) => product * ((20n - twentieths) * mean + twentieths * BigInt(value * 2 ** 50)),
      1n,
    );
  }
  return total >= 19n * 40n * (20n * mean) ** BigInt(values.length);
}

Deno.test("the bound is rejected in exact arithmetic, and a hair above it is not", () => {
  const values = fc.array(fc.integer({ min: 0, max: 1024 }).map((grid) => grid / 1024), {
    minLength: 1,
    maxLength: 25,
  });
  fc.assert(
    fc.property(values, (values) => {
      const bound = bettingLowerBound(values.map((value) => [value, 1]), { alpha: 0.05, fractions });
      assert.ok(bound === 0 || isRejectedExactly(values, bound));
      assert.ok(!isRejectedExactly(values, bound + 2 ** -46));
    }),
    { seed: 1 },
  );
});

Deno.test("a count stands for that many equal values", () => {
  const pairs = fc.array(
    fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.integer({ min: 1, max: 40 })),
    {
      maxLength: 6,
    },
  );
  fc.assert(
    fc.property(pairs, (pairs) => {
      const single = pairs.flatMap(([value, count]) => Array(count).fill([value, 1] as const));
      const game = { alpha: 0.05, fractions };
      assert.ok(Math.abs(bettingLowerBound(pairs, game) - bettingLowerBound(single, game)) < 1e-12);
    }),
    { seed: 1 },
  );
});

Deno.test("long runs of equal values neither overflow nor underflow", () => {
  const { fractions } = betFractions(2_000_000);
  const game = { alpha: 0.05, fractions };
  assert.equal(bettingLowerBound([[0, 2_000_000]], game), 0);
  const half = bettingLowerBound([[0, 1_000_000], [1, 1_000_000]], game);
  assert.ok(half > 0.498 && half < 0.5);
  const apart = Array.from({ length: 20_000 }, (_, index) => [index < 10_000 ? 0 : 1, 1] as const);
  const together = bettingLowerBound([[0, 10_000], [1, 10_000]], game);
  assert.ok(Math.abs(bettingLowerBound(apart, game) - together) < 1e-12);
});

Deno.test("a wealth beyond 2^±500 on the way is solved by hand", () => {
  const game = { alpha: 0.05, fractions: [0.95] };
  // A one multiplies the wealth by 0.05 + 0.95 / m, a zero by 0.05, and the wealth must reach 40.
  const solve = (ones: number, zeros: number) => 0.95 / ((40 * 20 ** zeros) ** (1 / ones) - 0.05);
  // Grouped values come before single ones, so the first wealth goes far up, the second far down.
  const zeros = Array.from({ length: 230 }, (_, index) => [index * 1e-18, 1] as const);
  assert.ok(Math.abs(bettingLowerBound([[1, 256], ...zeros], game) - solve(256, 230)) < 1e-12);
  const ones = Array.from({ length: 400 }, (_, index) => [1 - index * 2 ** -53, 1] as const);
  assert.ok(Math.abs(bettingLowerBound([[0, 200], ...ones], game) - solve(400, 200)) < 1e-12);
});

Deno.test("so many cases that rounding decides nothing leave every mean possible", () => {
  assert.equal(bettingLowerBound([[1, Number.MAX_SAFE_INTEGER]], { alpha: 0.05, fractions }), 0);
});
