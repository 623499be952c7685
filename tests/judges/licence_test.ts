import assert from "node:assert/strict";
import fc from "fast-check";
import { licenceOf } from "../../lib/judges/licence.ts";
import { clopperPearson } from "../../lib/stats/clopper_pearson.ts";

const terms = { min_sensitivity: 0.8, min_specificity: 0.8, min_labels: 30 };

/** A judge that agrees on so many of so many passes, and of so many fails. */
function judged(passes: readonly [number, number], fails: readonly [number, number]) {
  return {
    table: {
      human_pass_judge_pass: passes[0],
      human_pass_judge_fail: passes[1] - passes[0],
      human_fail_judge_fail: fails[0],
      human_fail_judge_pass: fails[1] - fails[0],
    },
    labels: passes[1] + fails[1],
  };
}

/** Why a judge is refused. */
function problemOf(...given: Parameters<typeof licenceOf>): string {
  const licence = licenceOf(...given);
  return licence.qualified ? "" : licence.problem;
}

Deno.test("17 agreeing labels of each class are enough for 0.8, and 16 are not", () => {
  const { lower } = clopperPearson(17, 17);
  assert.deepEqual(licenceOf(terms, judged([17, 17], [17, 17]), 0.95), {
    qualified: true,
    margin_factor: 2 * lower - 1,
  });
  assert.equal(
    problemOf(terms, judged([16, 16], [17, 17]), 0.95),
    "the lower bound of its sensitivity is 79.4%, under 80% (1 more labelled pass on which it agrees would do)",
  );
});

Deno.test("what is lacking is said, for both rates", () => {
  assert.equal(problemOf(terms, judged([10, 10], [10, 10]), 0.95), "it has 20 labels and needs 30");
  assert.match(problemOf(terms, judged([0, 0], [40, 40]), 0.95), /no label is a pass/);
  assert.match(problemOf(terms, judged([40, 40], [0, 0]), 0.95), /no label is a fail/);
  const both = problemOf(terms, judged([15, 20], [18, 20]), 0.95);
  assert.match(both, /sensitivity is 50\.8%.*; the lower bound of its specificity is 68\.3%/);
  assert.match(problemOf({ ...terms, min_specificity: 1 }, judged([40, 40], [40, 40]), 0.95), /no number/);
});

Deno.test("a judge that is no better than a coin may not gate, however low the terms are", () => {
  const none = { min_sensitivity: 0, min_specificity: 0, min_labels: 1 };
  assert.match(problemOf(none, judged([30, 60], [30, 60]), 0.95), /do not add up to more than 1/);
});

Deno.test("the bounds are those of the policy's level", () => {
  assert.equal(licenceOf(terms, judged([17, 17], [17, 17]), 0.99).qualified, false);
  assert.equal(licenceOf(terms, judged([25, 25], [25, 25]), 0.99).qualified, true);
});

Deno.test("a margin is never widened, and more errors never widen it either", () => {
  const low = { min_sensitivity: 0, min_specificity: 0, min_labels: 1 };
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 200 }), fc.integer({ min: 1, max: 200 }), (agree, wrong) => {
      const better = licenceOf(low, judged([agree + wrong, agree + wrong], [200, 200]), 0.95);
      const worse = licenceOf(low, judged([agree, agree + wrong], [200, 200]), 0.95);
      assert.ok(better.qualified && better.margin_factor > 0 && better.margin_factor <= 1);
      assert.ok(!worse.qualified || worse.margin_factor < better.margin_factor);
    }),
    { seed: 3, numRuns: 200 },
  );
});
