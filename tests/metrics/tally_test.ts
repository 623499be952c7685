import assert from "node:assert/strict";
import fc from "fast-check";
import { excluded, type Judgment, missing, observed } from "../../lib/domain/judgment.ts";
import type { Metric } from "../../lib/domain/metric.ts";
import { Tally } from "../../lib/metrics/tally.ts";

/** The metric of judgments, of which some are 0 or 1 by construction. */
function metricOf(
  judgments: readonly Judgment[],
  isBinary: (index: number) => boolean = () => false,
): Metric {
  const tally = new Tally();
  for (const [index, judgment] of judgments.entries()) tally.add(judgment, isBinary(index));
  return tally.metric("right");
}

const passes = (count: number, of: number): readonly Judgment[] =>
  Array.from({ length: of }, (_, index) => observed(index < count));

Deno.test("Tally: pass and fail are a proportion with the exact interval", () => {
  const { lower, upper, ...rest } = metricOf(passes(9, 13));
  assert.deepEqual(rest, {
    criterion: "right",
    kind: "proportion",
    estimate: 9 / 13,
    level: 0.95,
    method: "clopper-pearson",
    observed: 13,
    missing: 0,
    excluded: 0,
  });
  assert.ok(lower !== null && Math.abs(lower - 0.38573) < 1e-4);
  assert.ok(upper !== null && Math.abs(upper - 0.90911) < 1e-4);
});

Deno.test("Tally: values are a mean with the betting interval", () => {
  const metric = metricOf([observed(0.25), observed(1), observed(0.5)]);
  assert.equal(metric.kind, "mean");
  assert.equal(metric.method, "betting/19");
  assert.equal(metric.estimate, 1.75 / 3);
  assert.ok(metric.lower !== null && metric.lower < 0.58 && metric.upper !== null && metric.upper > 0.59);
});

Deno.test("Tally: values among passes make all of it a mean", () => {
  const metric = metricOf([observed(true), observed(false), observed(0.5)]);
  assert.equal(metric.kind, "mean");
  assert.equal(metric.estimate, 0.5);
});

Deno.test("Tally: numbers that happen to be 0 and 1 are a mean, by construction they are a proportion", () => {
  const judgments = [observed(1), observed(0), observed(1)];
  assert.equal(metricOf(judgments).kind, "mean");
  const byConstruction = metricOf(judgments, () => true);
  assert.equal(byConstruction.kind, "proportion");
  assert.equal(byConstruction.estimate, 2 / 3);
  assert.equal(metricOf(judgments, (index) => index !== 1).kind, "mean");
});

Deno.test("Tally: a missing outcome counts for the construction, an excluded one does not", () => {
  const judgments = [observed(1), missing("execution_failed"), excluded("no_relevance_labels")];
  assert.equal(metricOf(judgments, (index) => index <= 1).kind, "proportion");
  assert.equal(metricOf(judgments, (index) => index === 0).kind, "mean");
});

Deno.test("Tally: missing and excluded are counted, and enter neither estimate nor interval", () => {
  const alone = metricOf(passes(3, 4));
  const among = metricOf([
    missing("a"),
    ...passes(3, 4),
    excluded("b"),
    missing("c"),
    excluded("d"),
    excluded("e"),
  ]);
  assert.deepEqual(among, { ...alone, missing: 2, excluded: 3 });
});

Deno.test("Tally: without an observed value there is no estimate and no interval", () => {
  const absent = { estimate: null, lower: null, upper: null, level: null, method: null };
  const { kind: _, ...nothing } = metricOf([]);
  assert.deepEqual(nothing, { criterion: "right", ...absent, observed: 0, missing: 0, excluded: 0 });
  const { kind: __, ...unobserved } = metricOf([missing("a"), excluded("b")]);
  assert.deepEqual(unobserved, { criterion: "right", ...absent, observed: 0, missing: 1, excluded: 1 });
});

const judgment: fc.Arbitrary<Judgment> = fc.oneof(
  fc.constantFrom(observed(true), observed(false), missing("a"), excluded("b")),
  fc.constantFrom(0, 0.1, 0.2, 0.3, 1 / 3, 0.7, 1).map((value) => observed(value)),
  fc.double({ min: 0, max: 1, noNaN: true }).map((value) => observed(value)),
);

Deno.test("Tally: the order of judgments cannot show, to the last bit", () => {
  const shuffled = fc.array(judgment, { maxLength: 30 }).chain((judgments) =>
    fc.tuple(fc.constant(judgments), fc.shuffledSubarray(judgments, { minLength: judgments.length }))
  );
  fc.assert(
    fc.property(shuffled, ([judgments, others]) => {
      assert.deepEqual(metricOf(others), metricOf(judgments));
    }),
    { seed: 20260917, numRuns: 200 },
  );
});

Deno.test("Tally: every judgment is counted once, and the estimate lies within its interval", () => {
  fc.assert(
    fc.property(fc.array(judgment, { maxLength: 30 }), (judgments) => {
      const metric = metricOf(judgments);
      assert.equal(metric.observed + metric.missing + metric.excluded, judgments.length);
      for (const status of ["observed", "missing", "excluded"] as const) {
        assert.equal(metric[status], judgments.filter((judgment) => judgment.status === status).length);
      }
      const { lower, estimate, upper } = metric;
      if (lower === null || estimate === null || upper === null) return;
      assert.ok(0 <= lower && lower <= estimate + 1e-12 && estimate <= upper + 1e-12 && upper <= 1);
    }),
    { seed: 20260917, numRuns: 200 },
  );
});
