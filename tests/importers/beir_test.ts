import assert from "node:assert/strict";
import { importBeir } from "../../lib/importers/beir.ts";
import { jsonl, readAll, sourceOf } from "./read_source.ts";

function read(corpus: string, queries: string, qrels: string) {
  return readAll(importBeir({
    name: "plants",
    split: "test",
    corpus: sourceOf("corpus.jsonl", corpus),
    queries: sourceOf("queries.jsonl", queries),
    qrels: sourceOf("qrels/test.tsv", qrels),
  }));
}

const corpus = jsonl(
  { _id: "moss", title: "Moss", text: "It drinks through its leaves." },
  { _id: 7, title: "", text: "Lichen is two.", metadata: { shelf: 3 } },
);
const queries = jsonl({ _id: "q2", text: "two?" }, { _id: "q1", text: "drinks?" }, {
  _id: "q3",
  text: "unused",
});
const header = "query-id\tcorpus-id\tscore\n";

Deno.test("beir: a case a labelled query, with grades and the texts of what is relevant", async () => {
  const { cases, passages, issues, notices } = await read(
    corpus,
    queries,
    `${header}q1\tmoss\t2\r\nq1\t7\t0\nq2\t7\t1\nq2\tgone\t1\n`,
  );
  assert.deepEqual(issues, []);
  assert.deepEqual(passages, [
    { doc_id: "moss", text: "Moss\nIt drinks through its leaves." },
    { doc_id: "7", text: "Lichen is two.", metadata: { shelf: 3 } },
  ]);
  assert.deepEqual(cases, [
    {
      id: "q2",
      input: { question: "two?" },
      expected: {
        relevant: [{ doc_id: "7", grade: 1 }, { doc_id: "gone", grade: 1 }],
        gold_context: [{ doc_id: "7", text: "Lichen is two." }],
      },
    },
    {
      id: "q1",
      input: { question: "drinks?" },
      expected: {
        relevant: [{ doc_id: "moss", grade: 2 }, { doc_id: "7", grade: 0 }],
        gold_context: [{ doc_id: "moss", text: "Moss\nIt drinks through its leaves." }],
      },
    },
  ]);
  assert.equal(notices.length, 2);
  assert.match(notices[1] ?? "", /^query_without_labels: .*: 1 \(queries\.jsonl:3:1\)$/);
  assert.match(notices[0] ?? "", /^label_not_in_corpus: .*: 1 \("gone"\)$/);
});

Deno.test("beir: qrels without a header are data from the first line", async () => {
  const { cases } = await read(corpus, queries, "q1\tmoss\t1\n");
  assert.deepEqual(cases.map(({ id }) => id), ["q1"]);
});

Deno.test("beir: every mistake has its place", async () => {
  const { issues } = await read(
    `{"_id": "a", "text": 1}\n{"_id": "", "text": "x"}\n${
      jsonl({ _id: "b", text: "x" }, { _id: "b", text: "y" })
    }[1]\n`,
    `{"_id": "q1", "text": NaN}\n`,
    `${header}q1\tb\t1.5\nq1 b 1\nq1\tb\t1\nq1\tb\t1\nq9\tb\t1\n`,
  );
  assert.deepEqual(issues, [
    "qrels/test.tsv:2 invalid_qrels",
    "qrels/test.tsv:3 invalid_qrels",
    "qrels/test.tsv:5 duplicate_label",
    "corpus.jsonl:1:22 invalid_type",
    "corpus.jsonl:2:9 invalid_type",
    "corpus.jsonl:4:1 duplicate_id",
    "corpus.jsonl:5:1 invalid_type",
    "queries.jsonl:1:23 invalid_json",
    "qrels/test.tsv:4 unknown_query",
    "qrels/test.tsv:6 unknown_query",
  ]);
});

Deno.test("beir: a bare NaN is a mistake with a way out, never a number", async () => {
  const { mistakes } = await read(`{"_id": "a", "text": "x", "score": NaN}\n`, "", "");
  assert.match(mistakes[0]?.message ?? "", /NaN is not a JSON number/);
  assert.match(mistakes[0]?.hint ?? "", /to_json/);
});
