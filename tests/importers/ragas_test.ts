import assert from "node:assert/strict";
import { passageIdOf } from "../../lib/importers/content_id.ts";
import { importRagas } from "../../lib/importers/ragas.ts";
import { jsonl, readAll, sourceOf } from "./read_source.ts";

const read = (text: string, name = "rows.jsonl") => readAll(importRagas(sourceOf(name, text), "rows"));

const trial = "The trial lasts 30 days.";
const seats = "A seat costs 5 euros.";
const row = {
  user_input: "How long is the trial?",
  response: "30 days.",
  retrieved_contexts: [trial, seats],
  reference: "30 days",
  reference_contexts: [trial],
  faithfulness: 0.5,
  answer_relevancy: null,
};

Deno.test("ragas: question, expectation, answer and contexts; equal texts are one passage", async () => {
  const { cases, records, passages, draft } = await read(jsonl(row));
  const [id] = cases.map((testCase) => testCase.id);
  assert.match(id ?? "", /^[0-9a-f]{16}$/);
  assert.deepEqual(cases, [{
    id,
    input: { question: row.user_input },
    expected: {
      answer: "30 days",
      relevant: [{ doc_id: passageIdOf(trial) }],
      gold_context: [{ doc_id: passageIdOf(trial), text: trial }],
    },
    metadata: { faithfulness: 0.5 },
  }]);
  const contexts = [{ doc_id: passageIdOf(trial), text: trial }, { doc_id: passageIdOf(seats), text: seats }];
  assert.deepEqual(records, [{
    case_id: id,
    output: { answer: "30 days." },
    candidates: contexts,
    context: contexts,
  }]);
  assert.deepEqual(passages, contexts);
  assert.deepEqual(draft.evaluators.map(({ type, k }) => [type, k]), [["token_f1", undefined], [
    "hit_rate",
    2,
  ], ["recall", 2]]);
  assert.equal(draft.depth, 2);
});

Deno.test("ragas: the names of before, as JSON and as a data frame's CSV, are the same case", async () => {
  const old = {
    question: row.user_input,
    answer: row.response,
    contexts: [trial, seats],
    ground_truth: "30 days",
  };
  const json = await read(JSON.stringify([old], null, 2), "rows.json");
  const csv = await read(
    `,question,answer,contexts,ground_truth\n0,${old.question},${old.answer},"['${trial}', ""${seats}""]",30 days\n`,
    "rows.csv",
  );
  assert.deepEqual([json.issues, csv.issues], [[], []]);
  assert.deepEqual(csv.cases, json.cases);
  assert.deepEqual(csv.records, json.records);
});

Deno.test("ragas: ids that the rows give name their contexts, whole numbers too", async () => {
  const { cases, records } = await read(
    jsonl({ ...row, retrieved_context_ids: [1, "b"], reference_context_ids: ["b"] }),
  );
  assert.deepEqual(records[0]?.context?.map(({ doc_id }) => doc_id), ["1", "b"]);
  assert.deepEqual((cases[0]?.expected as { relevant: unknown }).relevant, [{ doc_id: "b" }]);
});

Deno.test("ragas: two sets of answers to one question have one id; what was scored does not name a case", async () => {
  const [first, second] = [
    await read(jsonl(row)),
    await read(jsonl({ ...row, response: "no", faithfulness: 0 })),
  ];
  assert.equal(first.cases[0]?.id, second.cases[0]?.id);
});

Deno.test("ragas: an equal row is left out, one with another answer is a mistake", async () => {
  const { cases, notices, issues, mistakes } = await read(jsonl(row, row, { ...row, response: "no" }));
  assert.equal(cases.length, 1);
  assert.ok(
    notices.some((notice) => /^equal_rows: .*\(rows\.jsonl:2:1 equals rows\.jsonl:1:1\)$/.test(notice)),
  );
  assert.deepEqual(issues, ["rows.jsonl:3:1 duplicate_id"]);
  assert.match(mistakes[0]?.message ?? "", /rows\.jsonl:1:1/);
});

Deno.test("ragas: no response is no record, no contexts are none, an empty list is one", async () => {
  const { records, notices } = await read(
    jsonl({ user_input: "a" }, { user_input: "b", response: "x" }, {
      user_input: "c",
      response: "y",
      retrieved_contexts: [],
    }),
  );
  assert.deepEqual(records.map(({ case_id: _id, ...rest }) => rest), [
    { output: { answer: "x" } },
    { output: { answer: "y" }, candidates: [], context: [] },
  ]);
  assert.ok(notices.some((notice) => /^row_without_response: .*: 1 \(rows\.jsonl:1:1\)$/.test(notice)));
});

Deno.test("ragas: how many reference contexts are retrieved ones is said", async () => {
  const { notices } = await read(jsonl({ ...row, reference_contexts: [trial, `${trial} `] }));
  assert.match(notices[0] ?? "", /^matched_contexts: 1 of 2 reference contexts/);
});

Deno.test("ragas: every mistake has its place; a conversation is left out and said", async () => {
  const { issues, notices } = await read(
    jsonl(
      { response: "x" },
      { user_input: "a", response: 4, retrieved_contexts: ["x", null], reference_contexts: "not a list" },
      { user_input: "b", retrieved_contexts: ["x"], retrieved_context_ids: ["1", "2"] },
      { user_input: [{ type: "human", content: "hi" }] },
    ) + '{"user_input": "c", "faithfulness": NaN}\n{"user_input": "d"\n',
  );
  assert.deepEqual(issues, [
    "rows.jsonl:1:1 missing_key",
    "rows.jsonl:2:30 invalid_type",
    "rows.jsonl:2:53 invalid_type",
    "rows.jsonl:2:85 invalid_type",
    "rows.jsonl:3:70 invalid_value",
    "rows.jsonl:5:37 invalid_json",
    "rows.jsonl:6:19 invalid_json",
  ]);
  assert.ok(notices.some((notice) => /^multi_turn: .*: 1 \(rows\.jsonl:4:1\)$/.test(notice)));
});

Deno.test("ragas: a document that holds no list is a mistake with a way out", async () => {
  const { mistakes } = await read('{"question": {"0": "a"}}', "rows.json");
  assert.match(mistakes[0]?.hint ?? "", /orient="records"/);
});
