/** Whole comparisons: direction, order, and every case accounted for. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { ComparisonFold } from "../../lib/compare/comparison_fold.ts";
import type { Outcome } from "../../lib/compare/outcome.ts";
import { identityOf } from "../../lib/domain/identity.ts";

interface Case {
  readonly id: string;
  readonly now: Outcome;
  readonly before: Outcome;
  readonly topic: string;
}

function foldOf(cases: readonly Case[]): ComparisonFold {
  const fold = new ComparisonFold({
    candidate: "run_now",
    baseline: "run_before",
    criteria: ["right"],
    slices: ["metadata.topic"],
    min_slice_support: 1,
    level: 0.95,
    policy: {
      level: 0.95,
      on_insufficient: "block",
      rules: [{ name: "kept", criterion: "right", test: "no-regression" }],
    },
  });
  for (const { id, now, before, topic } of cases) {
    fold.addPair(id, [now], [before], new Map([["metadata.topic", topic]]));
  }
  return fold;
}

const outcome = fc.oneof(
  fc.constantFrom<Outcome>(true, false, "missing"),
  fc.integer({ min: 0, max: 8 }).map((eighths): Outcome => eighths / 8),
);
const cases = fc.array(fc.tuple(outcome, outcome, fc.constantFrom("a", "b")), { minLength: 1, maxLength: 30 })
  .map((list) => list.map(([now, before, topic], index): Case => ({ id: `c${index}`, now, before, topic })));

Deno.test("comparison: turned round, every difference changes its sign and nothing else", () => {
  fc.assert(
    fc.property(cases, (list) => {
      const there = foldOf(list).content();
      const back = foldOf(list.map(({ now, before, ...rest }) => ({ ...rest, now: before, before: now })))
        .content();
      const negated = (value: number | null) => value === null ? null : 0 - value;
      const turn = (metric: (typeof there.metrics)[number]) => ({
        ...metric,
        difference: negated(metric.difference),
        lower: negated(metric.upper),
        upper: negated(metric.lower),
        better: metric.worse,
        worse: metric.better,
      });
      assert.deepEqual(back.metrics, there.metrics.map(turn));
      assert.deepEqual(
        back.slices.map(({ metrics }) => metrics),
        there.slices.map(({ metrics }) => metrics?.map(turn) ?? null),
      );
    }),
    { seed: 8, numRuns: 100 },
  );
});

Deno.test("comparison: any order of cases gives the same content, and so the same id", () => {
  fc.assert(
    fc.property(cases, fc.integer(), (list, salt) => {
      const shuffled = list.toSorted((a, b) =>
        (a.id.length * salt + salt) % 7 - (b.id.length * salt + salt) % 7 || b.id.localeCompare(a.id)
      );
      assert.equal(identityOf(foldOf(shuffled).content()), identityOf(foldOf(list).content()));
    }),
    { seed: 9, numRuns: 50 },
  );
});

Deno.test("comparison: pairs, missing and excluded add up; unpaired cases are counted and held against rules", () => {
  const fold = foldOf([
    { id: "a", now: true, before: true, topic: "x" },
    { id: "b", now: "missing", before: true, topic: "x" },
    { id: "c", now: "excluded", before: "excluded", topic: "y" },
  ]);
  fold.addOnlyInBaseline("d", [true], new Map());
  fold.addOnlyInCandidate([true]);
  fold.addChanged("e", [true], [true], new Map());
  const content = fold.content();
  assert.equal(content.paired, 3);
  assert.deepEqual(content.unpaired, { only_in_candidate: 1, only_in_baseline: 1, changed: 1 });
  const [metric] = content.metrics;
  assert.deepEqual([metric?.paired, metric?.missing, metric?.excluded], [1, 1, 1]);
  const [decision] = content.decisions;
  assert.deepEqual([decision?.decision, decision?.reason, decision?.unobserved], [
    "INSUFFICIENT_EVIDENCE",
    "missing_outcomes",
    3,
  ]);
});
