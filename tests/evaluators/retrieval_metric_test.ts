import assert from "node:assert/strict";
import fc from "fast-check";
import type { RelevanceLabel } from "../../lib/domain/case.ts";
import { absenceOf, bind, judgeCase, labelled, mistakesOf, passages, valueOf } from "./judge_case.ts";

const MEASURES = ["hit_rate", "recall", "precision", "mrr", "ndcg"];

async function measure(
  type: string,
  k: number,
  ranking: readonly string[],
  labels: readonly RelevanceLabel[],
  relevance_unit = "document",
): Promise<number> {
  const observation = { candidates: passages(...ranking), expected: labelled(labels) };
  return Number(valueOf(await judgeCase(type, { k, relevance_unit }, observation)));
}

const LABELS = [{ doc_id: "a", grade: 2 }, { doc_id: "c", grade: 1 }, { doc_id: "z", grade: 0 }];

// [ranking, k, hit_rate, recall, precision, mrr, ndcg]; gains by hand, the ideal being 2/log2(2) + 1/log2(3).
const IDEAL = 2 + 1 / Math.log2(3);
const WORKED: readonly (readonly [string, number, number, number, number, number, number])[] = [
  ["a b c", 3, 1, 1, 2 / 3, 1, (2 + 1 / 2) / IDEAL],
  ["a b c", 2, 1, 1 / 2, 1 / 2, 1, 2 / IDEAL],
  ["b z c", 3, 1, 1 / 2, 1 / 3, 1 / 3, 1 / 2 / IDEAL],
  ["b z c", 2, 0, 0, 0, 0, 0],
  ["a", 10, 1, 1 / 2, 1 / 10, 1, 2 / IDEAL],
  ["a c", 1, 1, 1 / 2, 1, 1, 1],
  ["a a c", 3, 1, 1, 2 / 3, 1, (2 + 1 / 2) / IDEAL],
  ["a|1 a|2 c|1", 3, 1, 1, 2 / 3, 1, (2 + 1 / 2) / IDEAL],
];

for (const [ranking, k, ...expected] of WORKED) {
  Deno.test(`retrieval measures at ${k} of ${ranking}`, async () => {
    for (const [index, type] of MEASURES.entries()) {
      const value = await measure(type, k, ranking.split(" "), LABELS);
      assert.ok(
        Math.abs(value - (expected[index] ?? NaN)) < 1e-15,
        `${type}: ${value}, not ${expected[index]}`,
      );
    }
  });
}

Deno.test("hit_rate observes a boolean, the others a number", async () => {
  for (const type of MEASURES) {
    const judgment = await judgeCase(type, { k: 1 }, {
      candidates: passages("a"),
      expected: labelled(LABELS),
    });
    assert.equal(typeof valueOf(judgment), type === "hit_rate" ? "boolean" : "number");
  }
});

Deno.test("retrieval measures: the unit decides what is relevant", async () => {
  const labels = [{ doc_id: "a", chunk_id: "1", grade: 1 }, { doc_id: "a", chunk_id: "2", grade: 3 }];
  assert.equal(await measure("recall", 2, ["a|3", "b|1"], labels), 1);
  assert.equal(await measure("recall", 2, ["a|3", "b|1"], labels, "chunk"), 0);
  assert.equal(await measure("recall", 2, ["a|1", "b|1"], labels, "chunk"), 1 / 2);
  assert.equal(await measure("ndcg", 1, ["a|1"], labels, "chunk"), 1 / 3);
  assert.equal(await measure("ndcg", 1, ["a|1"], labels), 1);
});

Deno.test("retrieval measures: a candidate without chunk_id matters within k, under chunk", async () => {
  const labels = [{ doc_id: "a", chunk_id: "1", grade: 1 }];
  const ranking = ["a|1", "b"];
  for (const type of MEASURES) {
    const observation = { candidates: passages(...ranking), expected: labelled(labels) };
    const judgment = await judgeCase(type, { k: 2, relevance_unit: "chunk" }, observation);
    assert.deepEqual(judgment, {
      status: "missing",
      reason: "candidate_without_chunk_id",
      message: "The candidate at position 2 has no chunk_id; relevance_unit chunk needs one",
    });
    assert.equal(await measure(type, 1, ranking, labels, "chunk"), 1);
    assert.ok(await measure(type, 2, ranking, labels) > 0);
  }
});

Deno.test("retrieval measures: labels without a grade above 0 exclude a case, failed or not", async () => {
  const error = { stage: "retrieve", kind: "exception", message: "" } as const;
  for (const type of MEASURES) {
    for (const expected of [null, {}, { relevant: [] }, { relevant: [{ doc_id: "a", grade: 0 }] }]) {
      const excluded = "excluded no_relevance_labels";
      const candidates = passages("a");
      assert.equal(absenceOf(await judgeCase(type, { k: 1 }, { candidates, expected })), excluded);
      assert.equal(absenceOf(await judgeCase(type, { k: 1 }, { error, expected })), excluded);
    }
    const expected = { relevant: [{ doc_id: "a" }] };
    assert.equal(absenceOf(await judgeCase(type, { k: 1 }, { error, expected })), "missing execution_failed");
  }
});

Deno.test("retrieval measures: parameters", () => {
  for (const type of MEASURES) {
    assert.equal(bind(type, { k: 6 }).criterion, `${type}_at_6`);
    for (const k of [undefined, null, 0, -1, 1.5, "2"]) assert.equal(mistakesOf(type, { k }).length, 1);
    assert.equal(mistakesOf(type, { k: 1, relevance_unit: "passage" }).length, 1);
    assert.equal(mistakesOf(type, { k: 1, field: "x" }).length, 1);
  }
});

const SETTINGS = { seed: 20260917, numRuns: 300 };
const unit = fc.constantFrom("a", "b", "c", "d", "e", "f");
const ranking = fc.array(unit, { maxLength: 10 });
const cutoff = fc.integer({ min: 1, max: 12 });
const labels = fc.uniqueArray(fc.record({ doc_id: unit, grade: fc.nat(4) }), {
  selector: ({ doc_id }) => doc_id,
})
  .filter((labels) => labels.some(({ grade }) => grade > 0));

Deno.test("retrieval measures lie in [0, 1] and agree on what a hit is", async () => {
  await fc.assert(
    fc.asyncProperty(ranking, cutoff, labels, async (ranking, k, labels) => {
      const values = await Promise.all(MEASURES.map((type) => measure(type, k, ranking, labels)));
      for (const value of values) {
        assert.ok(value >= 0 && value <= 1);
        assert.equal(value > 0, values[0] === 1);
      }
    }),
    SETTINGS,
  );
});

Deno.test("recall and hits do not fall when k grows", async () => {
  await fc.assert(
    fc.asyncProperty(ranking, cutoff, labels, async (ranking, k, labels) => {
      for (const type of ["recall", "hit_rate", "mrr"]) {
        assert.ok(await measure(type, k, ranking, labels) <= await measure(type, k + 1, ranking, labels));
      }
    }),
    SETTINGS,
  );
});

Deno.test("the order of the labels changes nothing", async () => {
  const shuffled = labels.chain((labels) =>
    fc.tuple(fc.constant(labels), fc.shuffledSubarray(labels, { minLength: labels.length }))
  );
  await fc.assert(
    fc.asyncProperty(ranking, cutoff, shuffled, async (ranking, k, [labels, shuffled]) => {
      for (const type of MEASURES) {
        assert.equal(await measure(type, k, ranking, shuffled), await measure(type, k, ranking, labels));
      }
    }),
    SETTINGS,
  );
});

Deno.test("what stands below k changes nothing", async () => {
  await fc.assert(
    fc.asyncProperty(ranking, cutoff, labels, async (ranking, k, labels) => {
      for (const type of MEASURES) {
        const cut = ranking.slice(0, k);
        assert.equal(await measure(type, k, ranking, labels), await measure(type, k, cut, labels));
      }
    }),
    SETTINGS,
  );
});

Deno.test("ndcg is 1 for a ranking by grade, and for one label only at the top", async () => {
  await fc.assert(
    fc.asyncProperty(ranking, cutoff, labels, async (ranking, k, labels) => {
      const byGrade = [...labels].sort((a, b) => b.grade - a.grade).map(({ doc_id }) => doc_id);
      assert.equal(await measure("ndcg", k, byGrade, labels), 1);
      const one = [{ doc_id: "a", grade: 3 }];
      assert.equal(await measure("ndcg", k, ranking, one) === 1, ranking[0] === "a");
    }),
    SETTINGS,
  );
});

Deno.test("ndcg does not pass 1 by rounding", async () => {
  // Added up in this order, the gains come out above those of the ideal order.
  const labels = [0, 1, 2].map((less, index) => ({ doc_id: "abc".charAt(index), grade: 2 ** 52 - less }));
  assert.equal(await measure("ndcg", 3, ["a", "c", "b"], labels), 1);
});
