/** The evaluators that ask a judge: what they ask, what they make of the reply, and when they do not ask. */
import assert from "node:assert/strict";
import type { JsonObject } from "../../lib/domain/json.ts";
import type { JudgeModel, JudgePort, JudgeQuestion, JudgeReply } from "../../lib/domain/judge.ts";
import { isLasting, type Judgment } from "../../lib/domain/judgment.ts";
import type { Passage } from "../../lib/domain/passage.ts";
import { absenceOf, judgeCase, type Observation } from "./judge_case.ts";

const MODEL = { provider: "openai", model: "m" };
const context: readonly Passage[] = [
  { doc_id: "a", text: "Refunds take 14 days." },
  { doc_id: "b", chunk_id: "1", text: "Seats cost $20." },
  { doc_id: "b", chunk_id: "2", text: "Seats are billed monthly." },
];

/** Judges by a judge that always replies so; answers with the judgment and what was asked. */
async function judged(
  type: string,
  parameters: JsonObject,
  observation: Observation,
  reply: Partial<Extract<JudgeReply, { status: "answered" }>["verdict"]> = {},
) {
  const asked: { model: JudgeModel; question: JudgeQuestion }[] = [];
  const judge: JudgePort = (model, question) => {
    asked.push({ model, question });
    return Promise.resolve({
      status: "answered",
      verdict: { pass: true, failed: [], reason: "because", ...reply },
    });
  };
  const judgment = await judgeCase(type, { ...MODEL, ...parameters }, observation, { judge });
  return { judgment, asked };
}

function valueAndDetails(judgment: Judgment) {
  assert.ok(judgment.status === "observed", JSON.stringify(judgment));
  return [judgment.value, judgment.details];
}

Deno.test("groundedness: every sentence is a claim, and the unsupported ones are named", async () => {
  const output = { answer: "Refunds take 14 days. Seats cost $30." };
  const { judgment, asked } = await judged(
    "groundedness_judge",
    { field: "answer" },
    { output, context },
    { pass: false, failed: [2] },
  );
  assert.deepEqual(valueAndDetails(judgment), [false, {
    claims: 2,
    unsupported: ["Seats cost $30."],
    reason: "because",
  }]);
  assert.deepEqual(asked.map(({ question }) => question.items), [2]);
  assert.deepEqual(asked[0]?.question.material, {
    task: "groundedness",
    input: null,
    answer: output.answer,
    passages: context,
    claims: ["Refunds take 14 days.", "Seats cost $30."],
  });
  assert.deepEqual(asked[0]?.model, { ...MODEL, temperature: 0 });
});

const UNASKED: readonly (readonly [string, string, JsonObject, Observation, string])[] = [
  ["an empty context", "groundedness_judge", {}, { output: "Yes.", context: [] }, "excluded empty_context"],
  ["an empty answer", "groundedness_judge", {}, { output: " \n", context }, "missing empty_answer"],
  ["a null answer", "groundedness_judge", {}, { output: null, context }, "missing empty_answer"],
  [
    "an absent field",
    "groundedness_judge",
    { field: "x" },
    { output: {}, context },
    "missing output_field_absent",
  ],
  ["an answer that is no text", "groundedness_judge", {}, { output: {}, context }, "missing output_not_text"],
  [
    "a passage without a text",
    "groundedness_judge",
    {},
    { output: "Yes.", context: [{ doc_id: "a" }] },
    "missing passage_without_text",
  ],
  [
    "nothing cited",
    "citation_support_judge",
    {},
    { output: { citations: [] }, context },
    "excluded nothing_cited",
  ],
  ["no field of citations", "citation_support_judge", {}, { output: {}, context }, "excluded nothing_cited"],
  [
    "unreadable citations",
    "citation_support_judge",
    {},
    { output: { citations: "a" }, context },
    "missing invalid_citations",
  ],
  [
    "citations of no answer",
    "citation_support_judge",
    { answer_field: "answer" },
    { output: { answer: "", citations: ["a"] }, context },
    "missing empty_answer",
  ],
  ["no reference", "judge", { expected_field: "answer" }, { output: "Yes." }, "excluded no_expected_value"],
  ["an empty reference", "judge", {}, { output: "Yes.", expected: " " }, "excluded no_expected_value"],
];

for (const [title, type, parameters, observation, absence] of UNASKED) {
  Deno.test(`${type}: ${title} is ${absence}, and nobody is asked`, async () => {
    const { judgment, asked } = await judged(type, parameters, observation);
    assert.equal(absenceOf(judgment), absence);
    assert.equal(asked.length, 0);
    assert.ok(isLasting(judgment));
  });
}

Deno.test("citations of a list are about the whole answer, each with the passages that it may mean", async () => {
  const output = { answer: "Refunds take 14 days. Seats cost $20.", citations: ["a", "b", "a"] };
  const { judgment, asked } = await judged(
    "citation_support_judge",
    { answer_field: "answer" },
    { output, context },
    { pass: false, failed: [2] },
  );
  const statement = output.answer;
  assert.deepEqual(valueAndDetails(judgment), [false, {
    citations: [
      { doc_id: "a", statement, status: "supported" },
      { doc_id: "b", statement, status: "unsupported" },
    ],
    reason: "because",
  }]);
  const [first] = asked;
  assert.equal(first?.question.items, 2);
  assert.match(first?.question.prompt.text ?? "", /Citation 2: STATEMENT 1 cites PASSAGE 2 or PASSAGE 3\./);
});

Deno.test("a citation in the text belongs to its sentence, or to the one it stands behind", async () => {
  const named = [{ doc_id: "A", text: "Refunds take 14 days." }, { doc_id: "B", text: "Seats cost $20." }];
  const pattern = "\\[(\\w+)\\]";
  const statements = async (output: string) => {
    const { judgment } = await judged("citation_support_judge", { pattern }, { output, context: named });
    const [, details] = valueAndDetails(judgment);
    const { citations } = details as { citations: readonly { doc_id: string; statement: string }[] };
    return citations.map(({ doc_id, statement }) => [doc_id, statement]);
  };
  assert.deepEqual(await statements("Refunds take 14 days [A]. Seats cost $20. [B]\nThat is all."), [
    ["A", "Refunds take 14 days [A]."],
    ["B", "Seats cost $20. [B]"],
  ]);
  assert.deepEqual(await statements("All is known. [A][B] Nothing else."), [
    ["A", "All is known. [A]"],
    ["B", "All is known. [B]"],
  ]);
  assert.deepEqual(await statements("Refunds take 14 days [A]. [B] tells of seats."), [
    ["A", "Refunds take 14 days [A]."],
    ["B", "[B] tells of seats."],
  ]);
});

Deno.test("what is not in the context supports nothing, whatever the judge says of the rest", async () => {
  const output = { answer: "Refunds take 14 days.", citations: ["a", "z"] };
  const { judgment, asked } = await judged("citation_support_judge", { answer_field: "answer" }, {
    output,
    context,
  });
  assert.equal(judgment.status === "observed" && judgment.value, false);
  assert.deepEqual(asked.map(({ question }) => question.items), [1]);
  const alone = await judged(
    "citation_support_judge",
    { answer_field: "answer" },
    { output: { ...output, citations: ["z"] }, context },
  );
  assert.equal(alone.asked.length, 0);
  assert.deepEqual(valueAndDetails(alone.judgment), [false, {
    asked: 0,
    citations: [{ doc_id: "z", statement: output.answer, status: "not_in_context" }],
  }]);
});

Deno.test("correctness reads the references, and only a rubric that asks for it reads the context", async () => {
  const observation = {
    output: { answer: "14 days" },
    expected: { answer: ["two weeks", "14 days"] },
    context,
  };
  const fields = { field: "answer", expected_field: "answer" };
  const { judgment, asked } = await judged("judge", fields, observation, { pass: false });
  assert.deepEqual(valueAndDetails(judgment), [false, { reason: "because" }]);
  const text = asked[0]?.question.prompt.text ?? "";
  assert.ok(text.includes("REFERENCE 2") && text.includes("two weeks") && !text.includes("PASSAGE"));
  const own = { ...fields, rubric: "The answer quotes a passage.", show_context: true };
  const shown = (await judged("judge", own, observation)).asked[0]?.question;
  assert.ok(
    shown?.prompt.text.includes("PASSAGE 3") && shown.prompt.instructions.includes("quotes a passage"),
  );
});

Deno.test("an empty answer is put to a rubric like any other", async () => {
  const { asked } = await judged("judge", { rubric: "The answer is polite." }, { output: null });
  assert.match(asked[0]?.question.prompt.text ?? "", /<<< ANSWER (\w+)\n\n>>> ANSWER \1/);
});

Deno.test("no failure of a judge is a fail, and none is kept", async () => {
  for (
    const reason of [
      "judge_invalid_verdict",
      "judge_refused",
      "judge_timed_out",
      "judge_rate_limited",
      "judge_failed",
      "judge_budget_spent",
    ] as const
  ) {
    const judge: JudgePort = () => Promise.resolve({ status: "failed", reason, message: "why" });
    const judgment = await judgeCase("groundedness_judge", MODEL, { output: "Yes.", context }, { judge });
    assert.deepEqual(judgment, { status: "missing", reason, message: "why" });
    assert.ok(!isLasting(judgment));
  }
});

Deno.test("where the key of a judge is looked for says nothing about its verdicts", async () => {
  const { asked } = await judged("groundedness_judge", { api_key_env: "OTHER" }, { output: "Yes.", context });
  assert.deepEqual(asked[0]?.model, { ...MODEL, temperature: 0 });
});
