/** The measures of a ranking against the values of NIST trec_eval. */
import assert from "node:assert/strict";
import vectors from "../fixtures/retrieval_vectors.json" with { type: "json" };
import type { Judgment } from "../../lib/domain/judgment.ts";
import { absenceOf, judgeCase, labelled, passages, valueOf } from "./judge_case.ts";

const TOLERANCE = 1e-12;
const MEASURES = ["hit_rate", "recall", "mrr", "ndcg"] as const;

type Qrels = Readonly<Record<string, number>>;

interface Fixture {
  readonly vectors: readonly {
    readonly id: string;
    readonly unit: string;
    readonly k: number;
    readonly ranking: readonly string[];
    readonly qrels: Qrels;
    readonly expected: Qrels;
  }[];
  readonly states: readonly {
    readonly id: string;
    readonly k: number;
    readonly ranking: readonly string[] | null;
    readonly qrels: Qrels | null;
    readonly expected_state: string;
    readonly expected?: Qrels;
  }[];
  readonly ties: readonly {
    readonly ranking: readonly string[];
    readonly scores: readonly number[];
    readonly relevant: string;
    readonly mrr: number;
  }[];
}

const FIXTURE: Fixture = vectors as unknown as Fixture;

function labels(qrels: Qrels) {
  const units = Object.keys(qrels);
  return labelled(
    passages(...units).map((unit, index) => ({ ...unit, grade: qrels[units[index] ?? ""] ?? 0 })),
  );
}

function assertValue(judgment: Judgment, expected: number | undefined, message: string) {
  const value = Number(valueOf(judgment));
  assert.ok(
    expected !== undefined && Math.abs(value - expected) <= TOLERANCE,
    `${message}: ${value}, not ${expected}`,
  );
}

for (const measure of MEASURES) {
  Deno.test(`${measure}: agrees with trec_eval on ${FIXTURE.vectors.length} rankings`, async () => {
    assert.ok(FIXTURE.vectors.length > 200);
    for (const { id, unit, k, ranking, qrels, expected } of FIXTURE.vectors) {
      const observation = { candidates: passages(...ranking), expected: labels(qrels) };
      const judgment = await judgeCase(measure, { k, relevance_unit: unit }, observation);
      assertValue(judgment, expected[measure], id);
    }
  });

  for (const { id, k, ranking, qrels, expected_state, expected } of FIXTURE.states) {
    Deno.test(`${measure}: state ${id} is ${expected_state}`, async () => {
      const error = { stage: "retrieve", kind: "exception", message: "No index" } as const;
      const judgment = await judgeCase(measure, { k }, {
        ...(ranking === null ? { error } : { candidates: passages(...ranking) }),
        expected: qrels === null ? {} : labels(qrels),
      });
      if (expected_state === "excluded") assert.equal(absenceOf(judgment), "excluded no_relevance_labels");
      else if (expected_state === "missing") assert.equal(absenceOf(judgment), "missing execution_failed");
      else assertValue(judgment, expected?.[measure], id);
    });
  }
}

Deno.test("mrr: the recorded order decides between equal scores", async () => {
  for (const { ranking, scores, relevant, mrr } of FIXTURE.ties) {
    const candidates = ranking.map((doc_id, index) => ({ doc_id, score: scores[index] ?? 0 }));
    const judgment = await judgeCase("mrr", { k: 10 }, { candidates, expected: labels({ [relevant]: 1 }) });
    assertValue(judgment, mrr, ranking.join());
  }
});
