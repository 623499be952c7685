import assert from "node:assert/strict";
import { clopperPearson } from "../../lib/stats/clopper_pearson.ts";
import { labelsNeeded } from "../../lib/stats/labels_needed.ts";

Deno.test("without an error 17, 36 and 72 labels reach 0.80, 0.90 and 0.95", () => {
  const none = { agreeing: 0, labels: 0 };
  assert.deepEqual([0.8, 0.9, 0.95].map((least) => labelsNeeded(least, none)), [17, 36, 72]);
});

Deno.test("the number is the smallest that reaches the minimum", () => {
  for (const [agreeing, labels] of [[0, 0], [5, 5], [18, 20], [40, 50], [0, 3]] as const) {
    for (const least of [0.5, 0.8, 0.9]) {
      const needed = labelsNeeded(least, { agreeing, labels });
      assert.ok(needed !== undefined);
      const wrong = labels - agreeing;
      assert.ok(clopperPearson(needed - wrong, needed).lower >= least);
      if (needed > Math.max(1, labels)) {
        assert.ok(clopperPearson(needed - 1 - wrong, needed - 1).lower < least);
      }
    }
  }
});

Deno.test("what is there already is not asked for again, and certainty by no number", () => {
  assert.equal(labelsNeeded(0.5, { agreeing: 100, labels: 100 }), 100);
  assert.equal(labelsNeeded(0, { agreeing: 0, labels: 0 }), 1);
  assert.equal(labelsNeeded(1, { agreeing: 3, labels: 3 }), undefined);
  assert.throws(() => labelsNeeded(1.5, { agreeing: 0, labels: 0 }), RangeError);
  assert.throws(() => labelsNeeded(0.5, { agreeing: 2, labels: 1 }), RangeError);
});
