import assert from "node:assert/strict";
import fc from "fast-check";
import { importTrec } from "../../lib/importers/trec.ts";
import { trecId, trecLines } from "../../lib/report/trec_lines.ts";
import { finishedCase } from "../metrics/judged_case.ts";
import { readAll, sourceOf } from "./read_source.ts";

function read(qrels: string, run: string, topics?: string) {
  return readAll(importTrec({
    name: "bm25",
    qrels: sourceOf("qrels.txt", qrels),
    run: sourceOf("run.txt", run),
    ...(topics === undefined ? {} : { topics: sourceOf("topics.tsv", topics) }),
  }));
}

Deno.test("trec: candidates stand by score, equal ones by document from the last, ranks aside", async () => {
  const { records } = await read(
    "1 0 a 1\n",
    ["1 Q0 a 1 0.5 x", "1 Q0 c 2 0.5 x", "1 Q0 b 9 1e1 x", "1\tQ0\tz\t4\t-3\tx"].join("\n"),
  );
  assert.deepEqual(records, [{
    case_id: "1",
    output: null,
    candidates: [{ doc_id: "b", score: 10 }, { doc_id: "c", score: 0.5 }, { doc_id: "a", score: 0.5 }, {
      doc_id: "z",
      score: -3,
    }],
  }]);
});

Deno.test("trec: scores are equal when single precision cannot tell them apart, and ids are ordered by their bytes", async () => {
  const order = async (...documents: readonly (readonly [string, string])[]) => {
    const lines = documents.map(([doc, score]) => `1 Q0 ${doc} 0 ${score} x\n`).join("");
    return (await read("1 0 a 1\n", lines)).records[0]?.candidates?.map(({ doc_id }) => doc_id);
  };
  assert.deepEqual(await order(["a", "1.000000001"], ["b", "1"]), ["b", "a"]);
  // A UTF-16 comparison would put the ligature last.
  assert.deepEqual(await order(["ﬁ", "1"], ["𝒳", "1"]), ["𝒳", "ﬁ"]);
});

Deno.test("trec: a topic without lines is an empty retrieval, one without labels a case without expectation", async () => {
  const { cases, records, notices } = await read(
    "1 0 a 1\n1 0 b -1\n",
    "2 Q0 a 1 1 x\n",
    "1\tone?\n3\tthree?\n",
  );
  assert.deepEqual(cases, [
    {
      id: "1",
      input: { question: "one?" },
      expected: { relevant: [{ doc_id: "a", grade: 1 }, { doc_id: "b", grade: 0 }] },
    },
    { id: "2", input: { topic: "2" } },
  ]);
  assert.deepEqual(records[0], { case_id: "1", output: null, candidates: [] });
  assert.deepEqual(notices.map((notice) => notice.split(":")[0]), [
    "negative_grade",
    "topic_not_in_run",
    "topic_without_labels",
    "topic_without_text",
    "topic_left_out",
  ]);
});

Deno.test("trec: every mistake has its line", async () => {
  const { issues, mistakes } = await read(
    "1 0 a\n1 0 a 1.5\n1 0 a 1\n1 0 a 1\n1 Q0 a 1 1 x\n",
    "1 Q0 a 1 nan x\n1 Q0 b 1 2 x\n1 Q0 b 2 1 x\n1 0 b 1\n",
    "1 no tab\n1\ta\n1\tb\n",
  );
  assert.deepEqual(issues, [
    "qrels.txt:1 invalid_qrels",
    "qrels.txt:2 invalid_qrels",
    "qrels.txt:4 duplicate_document",
    "qrels.txt:5 invalid_qrels",
    "run.txt:1 invalid_run",
    "run.txt:3 duplicate_document",
    "run.txt:4 invalid_run",
    "topics.tsv:1 invalid_topics",
    "topics.tsv:3 duplicate_topic",
  ]);
  assert.match(mistakes[3]?.hint ?? "", /the order is QRELS RUN/);
});

Deno.test("trec: what was exported is imported with the same order and the same labels", async () => {
  const id = fc.string({ unit: "grapheme", minLength: 1, maxLength: 5 });
  const candidates = fc.uniqueArray(id, { maxLength: 8 });
  const labels = fc.uniqueArray(fc.record({ doc_id: id, grade: fc.nat(3) }), {
    minLength: 1,
    selector: ({ doc_id }) => doc_id,
  });
  const property = fc.asyncProperty(candidates, labels, async (documents, relevant) => {
    const passages = documents.map((doc_id) => ({ doc_id }));
    const stored = finishedCase({ id: "a case", candidates: passages, expected: { relevant } });
    const lines = trecLines({ run_id: "run_A", relevance_unit: "document", repeats: 1 }, stored);
    if (lines.status === "left_out") return;
    const { cases, records, issues } = await read(lines.qrels.join("\n"), lines.run.join("\n"));
    assert.deepEqual(issues, []);
    assert.deepEqual(
      records[0]?.candidates?.map(({ doc_id }) => doc_id),
      documents.map((doc) => trecId(doc)),
    );
    assert.deepEqual(cases[0]?.expected, {
      relevant: relevant.map(({ doc_id, grade }) => ({ doc_id: trecId(doc_id), grade })),
    });
  });
  await fc.assert(property, { seed: 1, numRuns: 300 });
});
