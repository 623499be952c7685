import assert from "node:assert/strict";
import { type CsvColumns, importCsv } from "../../lib/importers/csv.ts";
import { readAll, sourceOf } from "./read_source.ts";

function read(text: string, columns: Partial<CsvColumns> = {}) {
  return readAll(importCsv(sourceOf("t.csv", text), "t", { input: ["question"], expected: [], ...columns }));
}

Deno.test("csv: columns are input, expectation, id or metadata, by their names", async () => {
  const { cases, issues, draft } = await read("no,question,answer,topic\n7,How long?,30,time\n8,Why?,,\n", {
    expected: ["answer"],
    id: "no",
  });
  assert.deepEqual(issues, []);
  assert.deepEqual(cases, [
    { id: "7", input: { question: "How long?" }, expected: { answer: "30" }, metadata: { topic: "time" } },
    { id: "8", input: { question: "Why?" } },
  ]);
  assert.deepEqual(draft.evaluators, [
    { type: "contains", criterion: "answer_correct", field: "answer", expected_field: "answer" },
  ]);
});

Deno.test("csv: ids are made from the content: stable, and equal rows are one case", async () => {
  const { cases, notices } = await read("question,topic\na,x\na,y\na,x\n");
  assert.equal(cases.length, 2);
  assert.equal((await read("topic,question\nx,a\n")).cases[0]?.id, cases[0]?.id);
  assert.deepEqual(notices, [
    "equal_rows: Left out: rows that make the same case as an earlier one: 1 (t.csv:4 equals t.csv:2)",
  ]);
});

Deno.test("csv: ids that are given twice name both lines", async () => {
  const { issues, mistakes } = await read("id,question\n1,a\n1,a\n", { id: "id" });
  assert.deepEqual(issues, ["t.csv:3 duplicate_id"]);
  assert.match(mistakes[0]?.message ?? "", /t\.csv:2/);
});

Deno.test("csv: dots in names are underscores, columns without a name are left out; both are said", async () => {
  const { cases, notices } = await read(",question,meta.topic\n0,a,x\n");
  assert.deepEqual(cases.map(({ metadata }) => metadata), [{ meta_topic: "x" }]);
  assert.deepEqual(notices.map((notice) => notice.split(":")[0]), ["column_without_name", "renamed_column"]);
});

Deno.test("csv: mistakes in columns and rows", async () => {
  assert.deepEqual((await read("")).issues, ["t.csv:1 no_header"]);
  assert.deepEqual((await read("question,a,a\nx,1,2\n")).issues, ["t.csv:1 duplicate_column"]);
  assert.deepEqual((await read("question,a.b,a_b\nx,1,2\n")).issues, ["t.csv:1 duplicate_column"]);
  assert.deepEqual((await read("question\nx\n", { expected: ["question"] })).issues, [
    "t.csv:1 column_given_twice",
  ]);
  assert.deepEqual((await read("question,b\n,1\nx\n,2\n")).issues, [
    "t.csv:3 ragged_row",
    "t.csv:2 empty_cell",
    "t.csv:4 empty_cell",
  ]);
  const { mistakes } = await read("questoin,answer\nx,1\n");
  assert.equal(mistakes.length, 1);
  assert.match(
    mistakes[0]?.message ?? "",
    /--input names no column: "question"; the columns are "questoin", "answer"/,
  );
  assert.match(mistakes[0]?.hint ?? "", /questoin/);
});

Deno.test("csv: several columns of one part stand side by side, and no evaluator is guessed", async () => {
  const { cases, draft } = await read("question,tone,a,b\nx,kind,1,2\n", {
    input: ["question", "tone"],
    expected: ["a", "b"],
  });
  assert.deepEqual(cases.map(({ input, expected }) => [input, expected]), [[{ question: "x", tone: "kind" }, {
    a: "1",
    b: "2",
  }]]);
  assert.deepEqual(draft.evaluators, []);
});
