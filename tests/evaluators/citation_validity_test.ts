import assert from "node:assert/strict";
import type { Json, JsonObject } from "../../lib/domain/json.ts";
import { absenceOf, judgeCase, mistakesOf, passages } from "./judge_case.ts";

const RETRIEVED = {
  candidates: passages("kb-1|a", "kb-1|b", "kb-2|a", "kb-3"),
  context: passages("kb-1|a", "kb-2|a"),
};

async function judgeOutput(output: Json, parameters: JsonObject = {}) {
  return await judgeCase("citation_validity", parameters, { ...RETRIEVED, output });
}

const LISTS: readonly (readonly [citations: Json, passes: boolean, details: readonly JsonObject[]])[] = [
  [["kb-1"], true, [{ doc_id: "kb-1", status: "in_context" }]],
  [["kb-1", "kb-3"], false, [
    { doc_id: "kb-1", status: "in_context" },
    { doc_id: "kb-3", status: "retrieved_but_dropped" },
  ]],
  [["kb-9"], false, [{ doc_id: "kb-9", status: "never_retrieved" }]],
  [["KB-1"], false, [{ doc_id: "KB-1", status: "never_retrieved" }]],
  [[" kb-1"], false, [{ doc_id: " kb-1", status: "never_retrieved" }]],
  [["toString"], false, [{ doc_id: "toString", status: "never_retrieved" }]],
  [[""], false, [{ doc_id: "", status: "malformed" }]],
  [[{ doc_id: "kb-2" }], true, [{ doc_id: "kb-2", status: "in_context" }]],
  [[{ doc_id: "kb-2", chunk_id: null }], true, [{ doc_id: "kb-2", status: "in_context" }]],
  [[{ doc_id: "kb-1", chunk_id: "a", quote: "…" }], true, [
    { doc_id: "kb-1", chunk_id: "a", status: "in_context" },
  ]],
  [[{ doc_id: "kb-1", chunk_id: "b" }], false, [
    { doc_id: "kb-1", chunk_id: "b", status: "retrieved_but_dropped" },
  ]],
  // Each id occurs in the context, but not on one passage.
  [[{ doc_id: "kb-2", chunk_id: "b" }], false, [{
    doc_id: "kb-2",
    chunk_id: "b",
    status: "never_retrieved",
  }]],
  [[{ doc_id: "" }], false, [{ doc_id: "", status: "malformed" }]],
  [[{ doc_id: "kb-1", chunk_id: "" }], false, [{ doc_id: "kb-1", chunk_id: "", status: "malformed" }]],
  [["kb-1", "kb-1"], true, [
    { doc_id: "kb-1", status: "in_context" },
    { doc_id: "kb-1", status: "in_context" },
  ]],
];

for (const [citations, passes, details] of LISTS) {
  Deno.test(`citation_validity: ${JSON.stringify(citations)}: ${passes}`, async () => {
    assert.deepEqual(await judgeOutput({ citations }), {
      status: "observed",
      value: passes,
      details: { citations: details },
    });
  });
}

for (const output of [{ citations: null }, { citations: [] }]) {
  Deno.test(`citation_validity: ${JSON.stringify(output)} cites nothing`, async () => {
    assert.deepEqual(await judgeOutput(output), { status: "observed", value: true });
    assert.deepEqual(await judgeOutput(output, { require_citations: true }), {
      status: "observed",
      value: false,
    });
  });
}

for (const output of [{}, "See kb-9", null]) {
  Deno.test(`citation_validity: ${JSON.stringify(output)} cites nothing, and says that the field is absent`, async () => {
    const details = { field_absent: true };
    assert.deepEqual(await judgeOutput(output), { status: "observed", value: true, details });
    assert.deepEqual(await judgeOutput(output, { require_citations: true }), {
      status: "observed",
      value: false,
      details,
    });
  });
}

const LIST_EXPECTED = "expected a list of doc_ids or of {doc_id, chunk_id}";
const INVALID: readonly (readonly [citations: Json, problem: string])[] = [
  ["kb-1", `is the text "kb-1"; ${LIST_EXPECTED}, or a pattern that reads citations out of text`],
  ["", `is the text ""; ${LIST_EXPECTED}, or a pattern that reads citations out of text`],
  [1, `is 1; ${LIST_EXPECTED}`],
  [true, `is true; ${LIST_EXPECTED}`],
  [{ doc_id: "kb-1" }, `is an object with "doc_id"; ${LIST_EXPECTED}`],
  [["kb-1", ["kb-2"]], `has a list of 1 at place 2; ${LIST_EXPECTED}`],
  [[1], `has 1 at place 1; ${LIST_EXPECTED}`],
  [[null], `has null at place 1; ${LIST_EXPECTED}`],
  [[{ chunk_id: "a" }], `has an object with "chunk_id" at place 1; ${LIST_EXPECTED}`],
  [[{ doc_id: 1 }], `has an object with "doc_id" at place 1; ${LIST_EXPECTED}`],
  [[{ doc_id: "kb-1", chunk_id: 1 }], `has an object with "doc_id", "chunk_id" at place 1; ${LIST_EXPECTED}`],
];

for (const [citations, problem] of INVALID) {
  Deno.test(`citation_validity: ${JSON.stringify(citations)} cannot be read`, async () => {
    assert.deepEqual(await judgeOutput({ citations }), {
      status: "missing",
      reason: "invalid_citations",
      message: `The output's field "citations" ${problem}`,
    });
  });
}

Deno.test("citation_validity: the field is a dotted path", async () => {
  const judgment = await judgeOutput({ meta: { sources: ["kb-3"] } }, { field: "meta.sources" });
  assert.deepEqual(judgment.status === "observed" && judgment.value, false);
});

const TEXTS: readonly (readonly [text: string, parameters: JsonObject, details: readonly JsonObject[]])[] = [
  ["It is so [kb-1]. And so [kb-3][kb-9].", { pattern: "\\[([^\\]]*)\\]" }, [
    { doc_id: "kb-1", status: "in_context" },
    { doc_id: "kb-3", status: "retrieved_but_dropped" },
    { doc_id: "kb-9", status: "never_retrieved" },
  ]],
  ["It is so [].", { pattern: "\\[([^\\]]*)\\]", refers_to: "doc_id" }, [{
    doc_id: "",
    status: "malformed",
  }]],
  ["So [a], so [b], so [c], so [].", { pattern: "\\[([^\\]]*)\\]", refers_to: "chunk_id" }, [
    { chunk_id: "a", status: "in_context" },
    { chunk_id: "b", status: "retrieved_but_dropped" },
    { chunk_id: "c", status: "never_retrieved" },
    { chunk_id: "", status: "malformed" },
  ]],
  ["[1] [2] [3] [0] [-1] [1.5] [x] [02]", { pattern: "\\[([^\\]]*)\\]", refers_to: "position" }, [
    { position: 1, status: "in_context" },
    { position: 2, status: "in_context" },
    { position: 3, status: "never_retrieved" },
    { text: "0", status: "malformed" },
    { text: "-1", status: "malformed" },
    { text: "1.5", status: "malformed" },
    { text: "x", status: "malformed" },
    { position: 2, status: "in_context" },
  ]],
  [`[${"9".repeat(400)}]`, { pattern: "\\[(.*)\\]", refers_to: "position" }, [
    { text: "9".repeat(400), status: "malformed" },
  ]],
  ["[none] [kb-1]", { pattern: "\\[none\\]|\\[(.*?)\\]" }, [{ doc_id: "kb-1", status: "in_context" }]],
];

for (const [text, parameters, details] of TEXTS) {
  Deno.test(`citation_validity: ${JSON.stringify(parameters)} on ${text.slice(0, 40)}`, async () => {
    const expected = {
      status: "observed",
      value: details.every(({ status }) => status === "in_context"),
      details: { citations: details },
    };
    assert.deepEqual(await judgeOutput(text, parameters), expected);
    assert.deepEqual(await judgeOutput({ answer: text }, { ...parameters, field: "answer" }), expected);
  });
}

Deno.test("citation_validity: with a pattern, what cites nothing and what cannot be read", async () => {
  const parameters = { pattern: "\\[(.*?)\\]", field: "answer" };
  for (const output of [{ answer: null }, { answer: "No idea" }, { answer: 14 }]) {
    assert.deepEqual(await judgeOutput(output, parameters), { status: "observed", value: true });
    const required = await judgeOutput(output, { ...parameters, require_citations: true });
    assert.deepEqual(required, { status: "observed", value: false });
  }
  const absent = { status: "observed", value: true, details: { field_absent: true } };
  assert.deepEqual(await judgeOutput({}, parameters), absent);
  for (const answer of [["[kb-1]"], { text: "[kb-1]" }]) {
    assert.equal(absenceOf(await judgeOutput({ answer }, parameters)), "missing output_not_text");
  }
});

Deno.test("citation_validity: asks for all matches and tells when time ran out", async () => {
  const asked: unknown[] = [];
  const judgment = await judgeCase("citation_validity", { pattern: "(a+)+b" }, { output: "aaaa" }, {
    patterns: {
      find(...question) {
        asked.push(question);
        return { status: "timed_out" };
      },
    },
  });
  assert.equal(absenceOf(judgment), "missing pattern_timed_out");
  assert.deepEqual(asked, [["(a+)+b", "", "aaaa", "all"]]);
});

Deno.test("citation_validity: parameters", () => {
  const groups = "pattern: Expected exactly one capture group, which holds what is cited; the pattern has";
  assert.deepEqual(mistakesOf("citation_validity", {}), []);
  assert.deepEqual(
    mistakesOf("citation_validity", { pattern: "(?:a)(?<id>b)|c", refers_to: "position" }),
    [],
  );
  assert.deepEqual(mistakesOf("citation_validity", { pattern: "a" }), [`${groups} 0`]);
  assert.deepEqual(mistakesOf("citation_validity", { pattern: "(a)(b)" }), [`${groups} 2`]);
  assert.deepEqual(mistakesOf("citation_validity", { pattern: "\\(a[(]" }), [`${groups} 0`]);
  assert.deepEqual(mistakesOf("citation_validity", { pattern: "(" }), [
    "pattern: Invalid regular expression: /(/: Unterminated group",
  ]);
  assert.deepEqual(mistakesOf("citation_validity", { refers_to: "position" }), [
    "refers_to: refers_to says what a pattern captures; give pattern, too",
  ]);
  assert.equal(mistakesOf("citation_validity", { pattern: "(a)", refers_to: "page" }).length, 1);
  assert.equal(mistakesOf("citation_validity", { require_citations: 1, refers_to: "position" }).length, 2);
});
