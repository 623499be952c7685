import assert from "node:assert/strict";
import type { InspectedCase } from "../../lib/domain/run_report.ts";
import { caseText, failedText, inspectedRunText } from "../../lib/report/inspect_text.ts";
import { proportion, reportOf } from "./run_report.ts";

function inspected(
  record: Partial<InspectedCase["record"]>,
  change: Partial<InspectedCase> = {},
): InspectedCase {
  return {
    relevance_unit: "document",
    run_id: "run_A",
    record: { case: { id: "a", input: { question: "how long?" } }, ...record },
    entry: [],
    judgments: [],
    cache: { execution: "miss", judgment: { hit: 0, miss: 0 } },
    costs: {},
    ...change,
  };
}

Deno.test("caseText: candidates with position, what they are, and why they are not in the context", () => {
  const text = caseText(inspected({
    case: {
      id: "a",
      input: "q",
      expected: { relevant: [{ doc_id: "b" }], gold_context: [{ doc_id: "b", text: "x" }] },
    },
    query: "rewritten",
    candidates: [{ doc_id: "a", chunk_id: "1", score: 0.123456789 }, { doc_id: "b" }, { doc_id: "c" }],
    context: [{ doc_id: "a", chunk_id: "1", text: "one\n two" }],
    dropped: [
      { position: 2, doc_id: "b", reason: "over_token_budget", tokens: 9 },
      { position: 3, doc_id: "c", reason: "beyond_top_k" },
    ],
    tokens: [1, 9],
    output: { answer: "14 days" },
  }, {
    entry: [
      { position: 2, setting: "token_budget", from: 10 },
      { position: 3, setting: "top_k", from: 3 },
    ],
    judgments: [
      { criterion: "right", judgment: { status: "observed", value: true } },
      { criterion: "ndcg", judgment: { status: "observed", value: 1 / 3, details: { a: 1 } } },
      {
        criterion: "judged",
        judgment: { status: "missing", reason: "evaluator_failed", message: "it\nthrew" },
      },
      { criterion: "other", judgment: { status: "excluded", reason: "no_expected_value" } },
    ],
  }));
  assert.deepEqual(text.split("\n"), [
    "Case a of run_A",
    'Input: "q"',
    'Expected: {"relevant":[{"doc_id":"b"}]}',
    'Query: "rewritten"',
    "Candidates: 3",
    "  1. a 1 · score 0.123457 · 1 token · in the context",
    "  2. b · relevant · 9 tokens · dropped: over_token_budget, enters from token_budget 10",
    "  3. c · dropped: beyond_top_k, enters from top_k 3 if the budget has room",
    "Context: 1 passage",
    "  a 1: one two",
    'Output: {"answer":"14 days"}',
    "Judgments",
    "  right: pass",
    '  ndcg: 0.333333 {"a":1}',
    "  judged: missing (evaluator_failed): it threw",
    "  other: excluded (no_expected_value)",
    "",
  ]);
});

Deno.test("caseText: a failed case says how far it came", () => {
  const text = caseText(inspected({
    error: {
      stage: "retrieve",
      kind: "exception",
      message: "index is\u001b[31m gone",
      trace: "Error: index is gone\n    at retrieve (app.ts:3:1)\n    at run (x.ts:1:1)",
    },
  }));
  assert.match(text, /\nCandidates: retrieval did not finish\nContext: not reached\nOutput: not reached\n/);
  assert.match(
    text,
    /\nFailed: retrieve exception: index is\\u\{1b\}\[31m gone\n {2}at retrieve \(app\.ts:3:1\)\n/,
  );
});

Deno.test("caseText: an empty retrieval is an observation, not an absence", () => {
  const text = caseText(inspected({ candidates: [], context: [], dropped: [], output: null }));
  assert.match(text, /\nCandidates: 0\nContext: 0 passages\nOutput: null\n/);
});

Deno.test("caseText: no text of the case can move the cursor", () => {
  const hostile = "\u001b[2J\u202e\u0007";
  const text = caseText(inspected({
    case: { id: "a", input: hostile, expected: hostile, metadata: { [hostile]: hostile } },
    query: hostile,
    candidates: [{ doc_id: hostile, chunk_id: hostile }],
    context: [{ doc_id: hostile, text: hostile }],
    output: hostile,
  }, { judgments: [{ criterion: "a", judgment: { status: "missing", reason: "b", message: hostile } }] }));
  assert.doesNotMatch(text, /(?!\n)\p{Cc}|\p{Bidi_Control}/u);
});

Deno.test("failedText: a line a failure, and the command that tells more", () => {
  const failed = [
    { case_id: "my case", expected: "14 days", got: "7 days", details: null, relevant_position: "2" },
    { case_id: "b", expected: null, got: null, details: { cited: ["x"] }, relevant_position: "none" },
  ];
  const told = { run_id: "run_A", criterion: "right", failed, missing: 1, repeats: 1, diagnosable: false };
  assert.deepEqual(failedText(told).split("\n"), [
    "2 cases of run_A failed right; of 1 more case the judgment is missing",
    'my case: expected "14 days", got "7 days", relevant position 2',
    'b: {"cited":["x"]}, relevant position none',
    "Next: oloproof inspect run_A --case 'my case'",
    "",
  ]);
  assert.match(
    failedText({ ...told, diagnosable: true }, { program: "oloproof -C x" }),
    /\nNext: oloproof -C x diagnose run_A --intervention gold-context --criterion right\n$/,
  );
  assert.equal(failedText({ ...told, failed: [], missing: 0 }), "0 cases of run_A failed right\n");
});

Deno.test("inspectedRunText: what was run, its figures, and the funnel with the passes", () => {
  const text = inspectedRunText(reportOf({
    name: "before",
    metrics: [proportion(), proportion({ criterion: "recall_at_2" })],
    pass_fail_criteria: ["answer_correct"],
    funnel: {
      unit: "document",
      cases: 1,
      relevant: 13,
      retrieved: 12,
      within_top_k: 11,
      in_context: 9,
      positions: [],
    },
    system: {
      ...reportOf().system,
      token_budget: 40,
      index_version: "kb",
      params: { retrieve: {}, generate: { model: "small" } },
    },
  }));
  assert.match(text, /^Run run_A \(before\) · complete · started 2026-09-17T10:00:00\.000Z\n/);
  assert.match(text, /\nSystem help 1 · depth 6 · top_k 2 · token_budget 40 · index kb\n/);
  assert.match(text, /\nparams\.generate \{"model":"small"\}\n/);
  assert.match(
    text,
    /\nEvidence funnel \(unit document; 1 labelled case executed\)\n {2}relevant units +13\n/,
  );
  assert.match(
    text,
    /\n {2}in the context +9\nPasses\n {2}answer_correct: 9 \/ 13 observed .*\[38\.5%, 91\.0%\]\n$/,
  );
});
