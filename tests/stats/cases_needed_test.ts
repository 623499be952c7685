import assert from "node:assert/strict";
import fc from "fast-check";
import { betFractions } from "../../lib/stats/bet_fractions.ts";
import { casesNeeded } from "../../lib/stats/cases_needed.ts";
import { pairedDifferenceInterval } from "../../lib/stats/paired_difference_interval.ts";
import { smallestExcludedLoss } from "../../lib/stats/smallest_excluded_loss.ts";
import { casesNeededVectors } from "./stats_vectors.ts";

type Shape = readonly (readonly [difference: number, share: number])[];
type Rule = Parameters<typeof casesNeeded>[1];

const TIES: Shape = [[0, 1]];

for (const { id, shape, margin, alpha, cases } of casesNeededVectors) {
  Deno.test(`${id}: ${cases} pairs of shape ${JSON.stringify(shape)} clear a margin of ${margin}`, () => {
    assert.equal(casesNeeded(shape, { test: "non-inferiority", margin, level: 1 - alpha }), cases);
  });
}

/** Whether the lower bound exceeds a limit, by the capital as the definition of the interval has it. */
function exceeds(limit: number, shape: Shape, { cases, level }: { cases: number; level: number }): boolean {
  const mean = (1 + limit) / 2;
  const { fractions } = betFractions(cases);
  const capitals = fractions.map((u) =>
    shape.reduce(
      (product, [d, share]) => product * (1 + u / mean * ((1 + d) / 2 - mean)) ** (cases * share),
      1,
    )
  );
  return capitals.reduce((sum, capital) => sum + capital, 0) / fractions.length > 2 / (1 - level);
}

function passes(shape: Shape, { test, margin, level = 0.95 }: Rule, cases: number): boolean {
  const game = { cases, level };
  if (test === "superiority") return exceeds(margin, shape, game);
  const mirrored = shape.map(([d, share]) => [-d, share] as const);
  return exceeds(-margin, shape, game) && (test === "non-inferiority" || exceeds(-margin, mirrored, game));
}

const PLANS: readonly { readonly shape: Shape; readonly rule: Rule; readonly cases: number }[] = [
  { shape: TIES, rule: { test: "non-inferiority", margin: 0.05 }, cases: 109 },
  { shape: TIES, rule: { test: "equivalence", margin: 0.05 }, cases: 109 },
  { shape: TIES, rule: { test: "non-inferiority", margin: 0.3, level: 0.8 }, cases: 10 },
  // Already passed by 100 pairs, but not by 101, which have more bet fractions.
  { shape: TIES, rule: { test: "non-inferiority", margin: 0.05375 }, cases: 102 },
  // Failed by 25 pairs, and passed by 26 only because they have more bet fractions.
  { shape: TIES, rule: { test: "non-inferiority", margin: 0.19 }, cases: 26 },
  { shape: [[0, 0.95], [1, 0.02], [-1, 0.03]], rule: { test: "non-inferiority", margin: 0.05 }, cases: 379 },
  { shape: [[0, 0.8], [0.25, 0.1], [-0.5, 0.1]], rule: { test: "non-inferiority", margin: 0.1 }, cases: 88 },
  { shape: [[0, 0.75], [1, 0.15], [-1, 0.1]], rule: { test: "superiority", margin: 0 }, cases: 1134 },
  { shape: [[0, 0.5], [1, 0.5]], rule: { test: "superiority", margin: 0.2, level: 0.99 }, cases: 43 },
  { shape: [[0, 0.9], [1, 0.06], [-1, 0.04]], rule: { test: "equivalence", margin: 0.1 }, cases: 184 },
  { shape: [[0, 0.9], [1, 0.04], [-1, 0.06]], rule: { test: "equivalence", margin: 0.1 }, cases: 184 },
  // One pair is enough: 0.5 + 0.5 / m is above 40 for m = 0.01.
  { shape: [[1, 1]], rule: { test: "non-inferiority", margin: 0.98 }, cases: 1 },
];

for (const { shape, rule, cases } of PLANS) {
  const { test, margin, level = 0.95 } = rule;
  const name = `${JSON.stringify(shape)} needs ${cases} for ${test} by ${margin} at ${level}`;
  Deno.test(`${name}, by trying every number`, () => {
    assert.equal(casesNeeded(shape, rule), cases);
    assert.ok(cases === 1 || !passes(shape, rule, cases - 1), "one pair less passes too");
    for (let more = cases; more <= cases + 2000; more++) assert.ok(passes(shape, rule, more), `${more} fail`);
  });
}

Deno.test("tied pairs need as many as the intervals of every number say, across the grids", () => {
  const losses = Array.from({ length: 600 }, (_, index) => smallestExcludedLoss(index + 1));
  const casesByTrying = (margin: number) => losses.findLastIndex((loss) => !(margin > loss)) + 2;
  for (const loss of losses.slice(0, 450)) {
    // A bound exactly at the margin does not clear it.
    for (const margin of [loss, loss - 1e-11, loss + 1e-11]) {
      assert.equal(casesNeeded(TIES, { test: "non-inferiority", margin }), casesByTrying(margin));
    }
  }
});

Deno.test("numbers that make the counts whole are decided like the gate does", () => {
  const shape = [[0, 0.9], [1, 0.05], [-1, 0.05]] as const;
  for (const margin of [0.03, 0.05, 0.08]) {
    const cases = casesNeeded(shape, { test: "non-inferiority", margin }) ?? NaN;
    for (let twenties = 1; twenties <= 60; twenties++) {
      const pairs = [[0, 18 * twenties], [1, twenties], [-1, twenties]] as const;
      const { lower } = pairedDifferenceInterval(pairs);
      assert.equal(lower > -margin, 20 * twenties >= cases, `${20 * twenties} pairs, margin ${margin}`);
    }
  }
});

Deno.test("equal differences need as many as their intervals say", () => {
  const plan = fc.record({
    difference: fc.integer({ min: -99, max: 100 }).map((hundredths) => hundredths / 100),
    margin: fc.integer({ min: 0, max: 99 }).map((hundredths) => hundredths / 100),
    level: fc.constantFrom(0.5, 0.8, 0.95, 0.99),
  });
  fc.assert(
    fc.property(plan, ({ difference, margin, level }) => {
      for (const [test, limit] of [["non-inferiority", -margin], ["superiority", margin]] as const) {
        const cases = casesNeeded([[difference, 1]], { test, margin, level });
        const clears = (cases: number) =>
          pairedDifferenceInterval([[difference, cases]], { level }).lower > limit;
        assert.equal(cases !== undefined, difference > limit);
        if (cases === undefined) continue;
        assert.ok(cases === 1 || !clears(cases - 1));
        for (const more of [0, 1, 2, 3, 10, 100, 1000]) assert.ok(clears(cases + more));
      }
    }),
    { seed: 1 },
  );
});

Deno.test("tiny margins need many pairs, and more than ten million are not searched", () => {
  const plan = (margin: number) => casesNeeded(TIES, { test: "non-inferiority", margin });
  for (const [margin, cases] of [[1e-3, 5716], [1e-5, 591_361], [1e-6, 5_957_836]] as const) {
    assert.equal(plan(margin), cases);
    assert.ok(smallestExcludedLoss(cases) < margin);
    assert.ok(smallestExcludedLoss(cases - 1) >= margin);
  }
  // Between the two, ten million pairs: the first number of the next grid is beyond.
  assert.equal(plan(smallestExcludedLoss(10_000_000) * (1 + 1e-8)), 10_000_000);
  assert.equal(plan(smallestExcludedLoss(10_000_000) * (1 - 1e-6)), undefined);
  assert.equal(plan(1e-7), undefined);
  assert.equal(plan(1e-15), undefined);
});

Deno.test("no number of pairs decides what the shape itself does not clear", () => {
  const lossOf5 = [[0, 0.95], [-1, 0.05]] as const;
  for (const margin of [0.02, 0.05]) {
    assert.equal(casesNeeded(lossOf5, { test: "non-inferiority", margin }), undefined);
    assert.equal(casesNeeded(lossOf5, { test: "equivalence", margin }), undefined);
    assert.equal(casesNeeded([[0, 0.95], [1, 0.05]], { test: "superiority", margin: 0.05 }), undefined);
    assert.equal(casesNeeded([[0, 0.95], [1, 0.05]], { test: "equivalence", margin }), undefined);
  }
  assert.equal(casesNeeded(TIES, { test: "non-inferiority", margin: 0 }), undefined);
  assert.equal(casesNeeded(TIES, { test: "superiority", margin: 0 }), undefined);
  assert.equal(casesNeeded([[1, 1]], { test: "superiority", margin: 1 }), undefined);
});

Deno.test("a margin of 1 is cleared by one pair, unless all are lost", () => {
  for (const test of ["non-inferiority", "equivalence"] as const) {
    assert.equal(casesNeeded([[0, 0.5], [-1, 0.5]], { test, margin: 1 }), 1);
    assert.equal(casesNeeded([[-1, 1]], { test, margin: 1 }), undefined);
  }
});

Deno.test("splitting a share, or a difference that never occurs, changes nothing", () => {
  const rule = { test: "non-inferiority", margin: 0.05 } as const;
  assert.equal(casesNeeded([[0, 0.25], [0, 0.75], [-1, 0]], rule), casesNeeded(TIES, rule));
  assert.equal(casesNeeded([[0, 1]].values().map(([d = 0, share = 0]) => [d, share] as const), rule), 109);
});

Deno.test("shapes, margins and levels out of range are refused", () => {
  const rule = { test: "non-inferiority", margin: 0.05 } as const;
  const refuses = (shape: Shape, message: RegExp, changed: Partial<Rule> = {}) =>
    assert.throws(() => casesNeeded(shape, { ...rule, ...changed }), { name: "RangeError", message });
  refuses([], /add up to 0/);
  refuses([[0, 0.9]], /add up to 0\.9: they must add up to 1/);
  refuses([[0, 13]], /add up to 13/);
  refuses([[-5, 1]], /difference -5 with share 1/);
  refuses([[NaN, 1]], /difference NaN/);
  refuses([[0, 1.5], [1, -0.5]], /share -0\.5/);
  refuses([[0, NaN]], /share NaN/);
  for (const margin of [-0.05, 5, NaN]) refuses(TIES, /number from 0 to 1/, { margin });
  refuses(TIES, /level 95/, { level: 95 });
});
