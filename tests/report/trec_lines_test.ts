import assert from "node:assert/strict";
import fc from "fast-check";
import type { Json } from "../../lib/domain/json.ts";
import type { Passage } from "../../lib/domain/passage.ts";
import type { RelevanceUnit } from "../../lib/domain/relevance.ts";
import { trecId, trecLines } from "../../lib/report/trec_lines.ts";
import { judgeCase, valueOf } from "../evaluators/judge_case.ts";
import { finishedCase } from "../metrics/judged_case.ts";

const run = (unit: RelevanceUnit = "document", repeats = 1) => ({
  run_id: "run_A",
  relevance_unit: unit,
  repeats,
});

function linesOf(
  candidates: readonly Passage[],
  relevant: Json,
  unit: RelevanceUnit = "document",
) {
  return trecLines(
    run(unit),
    finishedCase({ id: "c 1", candidates, expected: { relevant } }),
  );
}

Deno.test("trec: the score falls with the position, whatever the retriever's own scores say", () => {
  const lines = linesOf([{ doc_id: "a", score: 0.1 }, { doc_id: "b", score: 0.9 }], [{
    doc_id: "b",
    grade: 2,
  }]);
  assert.deepEqual(lines, {
    status: "written",
    qrels: ["c%201 0 b 2"],
    run: ["c%201 Q0 a 1 2 run_A", "c%201 Q0 b 2 1 run_A"],
  });
});

Deno.test("trec: a repeated unit has a name that no label has", () => {
  const chunks = ["x", "y", "z"].map((chunk_id) => ({ doc_id: "a", chunk_id }));
  const lines = linesOf(chunks, [{ doc_id: "a", chunk_id: "x", grade: 1 }, {
    doc_id: "a",
    chunk_id: "y",
    grade: 3,
  }]);
  assert.ok(lines.status === "written");
  assert.deepEqual(lines.qrels, ["c%201 0 a 3"]);
  assert.deepEqual(lines.run.map((line) => line.split(" ")[2]), ["a", "a%repeat-2", "a%repeat-3"]);
});

Deno.test("trec: chunks are named by both ids, and no two pairs share a name", () => {
  const lines = linesOf([{ doc_id: "a#b", chunk_id: "c" }, { doc_id: "a", chunk_id: "b#c" }], [
    { doc_id: "a", chunk_id: "b#c" },
  ], "chunk");
  assert.ok(lines.status === "written");
  assert.deepEqual(lines.run.map((line) => line.split(" ")[2]), ["a%23b#c", "a#b%23c"]);
});

Deno.test("trec: what our measures exclude or miss has no part in the files", () => {
  const error = { stage: "generate", kind: "timeout", message: "" } as const;
  const expected = { relevant: [{ doc_id: "a" }] };
  const reasonOf = (given: Parameters<typeof finishedCase>[0], unit: RelevanceUnit = "document") => {
    const lines = trecLines(run(unit), finishedCase(given));
    return lines.status === "left_out" ? lines.reason : lines.status;
  };
  assert.equal(reasonOf({ expected: { relevant: [{ doc_id: "a", grade: 0 }] } }), "no_relevance_labels");
  assert.equal(reasonOf({ expected, error, candidates: [] }), "execution_failed");
  assert.equal(reasonOf({ expected, candidates: [{ doc_id: "a" }] }, "chunk"), "no_relevance_labels");
  const chunk = { relevant: [{ doc_id: "a", chunk_id: "b" }] };
  assert.equal(
    reasonOf({ expected: chunk, candidates: [{ doc_id: "a" }] }, "chunk"),
    "candidate_without_chunk_id",
  );
});

Deno.test("trec: an empty retrieval has labels and no lines, and each repeat is a topic", () => {
  const found = finishedCase({ id: "c", repeat: 2, expected: { relevant: [{ doc_id: "a" }] } });
  assert.deepEqual(trecLines(run("document", 3), found), {
    status: "written",
    qrels: ["c%repeat-2 0 a 1"],
    run: [],
  });
});

Deno.test("trec: ids without white space and percent signs stand as they are; all come back", () => {
  assert.equal(trecId("Plan.pdf#page=4"), "Plan.pdf#page=4");
  assert.equal(trecId("ä\u00a0b\u3000c%20"), "ä%C2%A0b%E3%80%80c%2520");
  fc.assert(
    fc.property(fc.string({ unit: "binary", minLength: 1 }), (id) => {
      const written = trecId(id);
      assert.doesNotMatch(written, /\s/);
      assert.equal(decodeURIComponent(written), id);
    }),
    { seed: 1, numRuns: 1000 },
  );
});

/** What trec_eval 10 makes of one topic: sorted by score, then by name from the last; no name twice. */
function readAsTrecEval(lines: { readonly qrels: readonly string[]; readonly run: readonly string[] }) {
  const cellsOf = (line: string) => line.split(/\s+/);
  const grades = new Map(lines.qrels.map(cellsOf).map(([, , name = "", grade]) => [name, Number(grade)]));
  const ranked = lines.run.map(cellsOf).map(([, , name = "", , score]) => ({ name, score: Number(score) }))
    .sort((a, b) => b.score - a.score || (a.name < b.name ? 1 : -1)).map(({ name }) => name);
  assert.equal(new Set(ranked).size, ranked.length, "trec_eval refuses a document that stands twice");
  return { grades, ranked };
}

Deno.test("trec: trec_eval's reading of the files gives the values of our evaluators", async () => {
  const id = fc.constantFrom("a", "b", "c d", "e%20", "%repeat-2", "a%repeat-2");
  const passage = fc.record({ doc_id: id, chunk_id: id, score: fc.double({ noNaN: true, min: -9, max: 9 }) });
  const label = fc.record({ doc_id: id, chunk_id: id, grade: fc.nat(3) });
  const unit = fc.constantFrom<RelevanceUnit>("document", "chunk");
  const property = fc.asyncProperty(
    fc.array(passage, { maxLength: 9 }),
    fc.array(label, { maxLength: 9 }),
    unit,
    fc.integer({ min: 1, max: 6 }),
    async (candidates, relevant, relevance_unit, k) => {
      const stored = finishedCase({ candidates, expected: { relevant } });
      const lines = trecLines(run(relevance_unit), stored);
      const values = await valuesOf({ candidates, expected: { relevant } }, { k, relevance_unit });
      if (lines.status === "left_out") return assert.equal(values, undefined);
      const { grades, ranked } = readAsTrecEval(lines);
      const relevantCount = [...grades.values()].filter((grade) => grade > 0).length;
      const gains = ranked.slice(0, k).map((name) => grades.get(name) ?? 0);
      const dcg = (all: readonly number[]) =>
        all.reduce((sum, gain, index) => sum + gain / Math.log2(index + 2), 0);
      const ideal = dcg([...grades.values()].sort((a, b) => b - a).slice(0, k));
      const hits = gains.filter((gain) => gain > 0).length;
      const first = gains.findIndex((gain) => gain > 0);
      assert.deepEqual({ ...values, ndcg: undefined }, {
        hit_rate: hits > 0,
        recall: hits / relevantCount,
        precision: hits / k,
        mrr: first < 0 ? 0 : 1 / (first + 1),
        ndcg: undefined,
      });
      assert.ok(Math.abs(Number(values?.ndcg) - dcg(gains) / ideal) < 1e-12);
    },
  );
  await fc.assert(property, { seed: 1, numRuns: 500 });
});

/** The observed values by type; `undefined` where the case is excluded. */
async function valuesOf(
  observation: { readonly candidates: readonly Passage[]; readonly expected: Json },
  parameters: { readonly k: number; readonly relevance_unit: RelevanceUnit },
) {
  const values: Record<string, unknown> = {};
  for (const type of ["hit_rate", "recall", "precision", "mrr", "ndcg"]) {
    const judgment = await judgeCase(type, parameters, observation);
    if (judgment.status === "excluded") return undefined;
    values[type] = valueOf(judgment);
  }
  return values;
}
