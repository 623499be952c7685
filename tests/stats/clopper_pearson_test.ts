import assert from "node:assert/strict";
import fc from "fast-check";
import { clopperPearson } from "../../lib/stats/clopper_pearson.ts";
import { assertCoverage } from "./assert_coverage.ts";
import { assertInterval } from "./assert_interval.ts";
import { clopperPearsonVectors, missingBoundsVectors } from "./stats_vectors.ts";

for (const { id, input: { successes, n, alpha }, expected } of clopperPearsonVectors) {
  Deno.test(`${id}: Clopper-Pearson for ${successes} of ${n} at alpha ${alpha}`, () => {
    assertInterval(clopperPearson(successes, n, { level: 1 - alpha }), expected, "percent");
  });
}

for (const { id, input: { successes, observed, missing, alpha }, expected } of missingBoundsVectors) {
  Deno.test(`${id}: ${missing} missing beside ${successes} of ${observed}, left out or at worst and best`, () => {
    const options = { level: 1 - alpha };
    const { lower, upper } = clopperPearson(successes, observed, options);
    assertClose([lower, upper], expected.observed_only);
    const worst = clopperPearson(successes, observed + missing, options);
    const best = clopperPearson(successes + missing, observed + missing, options);
    assertClose([worst.lower, best.upper], expected.worst_to_best);
  });
}

function assertClose(actual: readonly number[], expected: readonly number[]): void {
  assert.equal(actual.length, expected.length);
  actual.forEach((end, index) => assert.ok(Math.abs(end - (expected[index] ?? NaN)) <= 1e-9, `end ${end}`));
}

Deno.test("Clopper-Pearson covers every success rate with at least its level", () => {
  for (const level of [0.8, 0.95]) {
    for (let trials = 1; trials <= 30; trials++) {
      const counts = Array.from({ length: trials + 1 }, (_, successes) => successes);
      assertCoverage(counts.map((successes) => clopperPearson(successes, trials, { level })), level);
    }
  }
});

Deno.test("the corners of Clopper-Pearson are solved by hand", () => {
  for (const trials of [1, 2, 3, 10, 13, 1000, 100_000]) {
    const limit = 0.025 ** (1 / trials);
    const none = clopperPearson(0, trials);
    const all = clopperPearson(trials, trials);
    assert.equal(none.lower, 0);
    assert.ok(Math.abs(none.upper - (1 - limit)) < 1e-15);
    assert.ok(Math.abs(all.lower - limit) < 1e-15);
    assert.equal(all.upper, 1);
  }
  // One success of two: (1 - p)^2 = 0.975 below, p^2 = 0.975 above.
  const half = clopperPearson(1, 2);
  assert.ok(Math.abs(half.lower - (1 - Math.sqrt(0.975))) < 1e-14);
  assert.ok(Math.abs(half.upper - Math.sqrt(0.975)) < 1e-14);
});

const counts = fc.integer({ min: 1, max: 5000 }).chain((trials) =>
  fc.record({ trials: fc.constant(trials), successes: fc.integer({ min: 0, max: trials }) })
);

Deno.test("Clopper-Pearson holds the observed rate, mirrors, and widens with the level", () => {
  fc.assert(
    fc.property(counts, ({ successes, trials }) => {
      const interval = clopperPearson(successes, trials);
      const mirrored = clopperPearson(trials - successes, trials);
      const wider = clopperPearson(successes, trials, { level: 0.99 });
      assert.ok(interval.lower <= successes / trials && successes / trials <= interval.upper);
      assert.equal(interval.upper, 1 - mirrored.lower);
      assert.ok(wider.lower <= interval.lower && interval.upper <= wider.upper);
    }),
    { seed: 1 },
  );
});

Deno.test("Clopper-Pearson grows with the number of successes", () => {
  const intervals = Array.from({ length: 51 }, (_, successes) => clopperPearson(successes, 50));
  intervals.slice(1).forEach(({ lower, upper }, index) => {
    const before = intervals[index];
    assert.ok(before !== undefined && before.lower < lower && before.upper < upper);
  });
});

Deno.test("Clopper-Pearson refuses counts and levels out of range", () => {
  for (const trials of [0, -1, 2.5, NaN, Infinity]) {
    assert.throws(() => clopperPearson(0, trials), { name: "RangeError", message: /integer of at least 1/ });
  }
  for (const successes of [-1, 14, 0.5, NaN]) {
    const message = /integer from 0 to 13/;
    assert.throws(() => clopperPearson(successes, 13), { name: "RangeError", message });
  }
  assert.throws(() => clopperPearson(9, 13, { level: 95 }), { name: "RangeError", message: /level 95/ });
});
