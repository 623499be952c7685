import assert from "node:assert/strict";
import { mcnemarExact } from "../../lib/stats/mcnemar.ts";
import { binomialProbability } from "./binomial_probability.ts";
import { mcnemarVectors } from "./stats_vectors.ts";

/** Asserts agreement to a relative 1e-9, since a tiny p is not to be mistaken for another. */
function assertP(changes: { better: number; worse: number }, expected: number, tolerance = 1e-9): void {
  const p = mcnemarExact(changes);
  const label = `p ${p} of ${changes.better} better and ${changes.worse} worse, expected ${expected}`;
  assert.ok(Math.abs(p - expected) <= tolerance * expected, label);
}

for (const { id, input, expected } of mcnemarVectors) {
  Deno.test(`${id}: exact McNemar for ${input.better} better and ${input.worse} worse`, () => {
    assertP(input, expected.p_two_sided);
  });
}

Deno.test("p is the doubled binomial tail, by direct summation", () => {
  for (let changed = 1; changed <= 60; changed++) {
    let tail = 0;
    for (let fewer = 0; fewer <= changed / 2; fewer++) {
      tail += binomialProbability(fewer, changed, 0.5);
      assertP({ better: fewer, worse: changed - fewer }, Math.min(1, 2 * tail), 1e-12);
    }
  }
});

Deno.test("p sums every outcome as likely as the observed one or less", () => {
  for (let changed = 1; changed <= 30; changed++) {
    for (let better = 0; better <= changed; better++) {
      const unevenness = Math.abs(2 * better - changed);
      let p = 0;
      for (let other = 0; other <= changed; other++) {
        if (Math.abs(2 * other - changed) >= unevenness) p += binomialProbability(other, changed, 0.5);
      }
      assertP({ better, worse: changed - better }, p, 1e-12);
    }
  }
});

Deno.test("swapping better and worse changes nothing, to the last bit", () => {
  for (let better = 0; better <= 80; better++) {
    for (let worse = 0; worse < better; worse++) {
      assert.equal(mcnemarExact({ better, worse }), mcnemarExact({ better: worse, worse: better }));
    }
  }
});

Deno.test("p is exactly 1 when the counts differ by at most 1, and below 1 otherwise", () => {
  for (const fewer of [0, 1, 2, 7, 50, 99_998]) {
    assert.equal(mcnemarExact({ better: fewer, worse: fewer }), 1);
    assert.equal(mcnemarExact({ better: fewer, worse: fewer + 1 }), 1);
    assert.ok(mcnemarExact({ better: fewer, worse: fewer + 2 }) < 1);
  }
});

Deno.test("large counts agree with a 60-digit sum of the binomial", () => {
  assertP({ better: 100_000, worse: 99_998 }, 0.99821586919334695);
  assertP({ better: 100_000, worse: 99_900 }, 0.8247607455153544);
  assertP({ better: 50_000, worse: 50_500 }, 0.11547629006868125);
  assertP({ better: 100_000, worse: 99_000 }, 0.025127217688360944);
  assertP({ better: 95_000, worse: 100_000 }, 1.0314435694694686e-29);
  assertP({ better: 100_000, worse: 90_000 }, 1.6694459507441536e-116);
  assertP({ better: 20, worse: 1000 }, 9.1970941023077848e-266);
  assert.equal(mcnemarExact({ better: 100_000, worse: 0 }), 0);
});

Deno.test("p is at most 1, also where the rounding of huge counts is coarse", () => {
  for (let more = 2; more <= 9; more++) assert.ok(mcnemarExact({ better: 1e10 + more, worse: 1e10 }) <= 1);
});

Deno.test("p is at most a with probability at most a, when no direction is likelier", () => {
  for (let changed = 1; changed <= 40; changed++) {
    const outcomes = Array.from({ length: changed + 1 }, (_, better) => ({
      p: mcnemarExact({ better, worse: changed - better }),
      probability: binomialProbability(better, changed, 0.5),
    }));
    for (const { p: limit } of outcomes) {
      const atMost = outcomes.filter(({ p }) => p <= limit).reduce(
        (sum, outcome) => sum + outcome.probability,
        0,
      );
      assert.ok(atMost <= limit * (1 + 1e-12), `p at most ${limit} with probability ${atMost}`);
    }
  }
});

Deno.test("counts that are no whole numbers are refused", () => {
  for (const count of [-1, 0.5, NaN, Infinity]) {
    const message = /for worse: the number must be an integer of at least 0/;
    assert.throws(() => mcnemarExact({ better: 1, worse: count }), { name: "RangeError", message });
    assert.throws(() => mcnemarExact({ better: count, worse: 1 }), {
      name: "RangeError",
      message: /for better/,
    });
  }
});
