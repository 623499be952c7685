/** How a diagnosis is told: the lines that need more than the examples show. */
import assert from "node:assert/strict";
import { tallyDiagnosis } from "../../lib/diagnose/tally.ts";
import type { DiagnosedCase, Diagnosis, DiagnosisReport, LabelReason } from "../../lib/domain/diagnosis.ts";
import { diagnosedCasesText, diagnosisText } from "../../lib/report/diagnosis_text.ts";

const failed = { passed: 0, failed: 1, unjudged: 0 };
const passed = { passed: 1, failed: 0, unjudged: 0 };

function caseOf(case_id: string, label: DiagnosedCase["label"], reason: LabelReason): DiagnosedCase {
  const recovered = !["UNSTABLE", "INCONCLUSIVE", "GENERATION_FAILURE"].includes(label);
  return {
    case_id,
    label,
    reason,
    strength: recovered ? "intervention_recovery" : "none",
    best_relevant_position: null,
    units: [],
    control: label === "UNSTABLE" ? passed : failed,
    intervention: recovered ? passed : failed,
    recovered,
  };
}

function reportOf(cases: readonly DiagnosedCase[], changed: Partial<Diagnosis> = {}): DiagnosisReport {
  const content: Diagnosis["content"] = {
    schema: "oloproof/diagnosis/1",
    run_id: "run_1",
    criterion: "right",
    intervention: { kind: "gold-context" },
    repeats: 1,
    carried: null,
    cases,
  };
  const diagnosis: Diagnosis = {
    diagnosis_id: "sha256:0",
    content,
    selection: {
      failed: cases.length,
      without_gold_context: 0,
      missing_judgments: 0,
      gold_from_corpus: 0,
      without_relevance_labels: 0,
      unfinished: 0,
      forgotten: 0,
      limit: null,
    },
    settings: { depth: 6, top_k: 2 },
    child_runs: [],
    created_at: "2026-09-16T12:00:00.000Z",
    ...changed,
  };
  return { diagnosis, tally: tallyDiagnosis(diagnosis.content), gold_recovered: 0 };
}

const linesOf = (report: DiagnosisReport) => diagnosisText(report).trimEnd().split("\n");

Deno.test("diagnosis text: partial evidence is never told as none", () => {
  const lines = linesOf(reportOf([
    caseOf("a", "RETRIEVAL_MISS", "relevant_not_retrieved"),
    caseOf("b", "RETRIEVAL_MISS", "some_relevant_not_retrieved"),
    caseOf("c", "CONTEXT_INTERFERENCE", "other_passage_of_relevant_document"),
  ]));
  assert.deepEqual(lines.slice(3, 7), [
    "RETRIEVAL_MISS: 1 of 3, recovered; no relevant evidence was retrieved",
    "RETRIEVAL_MISS: 1 of 3, recovered; some relevant evidence was not retrieved",
    "CONTEXT_INTERFERENCE: 1 of 3, recovered; the context held another passage of a relevant document than the gold one",
    "Implicated: retriever, in 2 of the 3 recovered failures.",
  ]);
});

Deno.test("diagnosis text: a tie implicates every factor of it, nothing recovered none", () => {
  const tie = linesOf(reportOf([
    caseOf("a", "RANKED_OUT", "relevant_below_top_k"),
    caseOf("b", "CONTEXT_INTERFERENCE", "relevant_in_context"),
  ]));
  assert.deepEqual(tie.filter((line) => /^(Implicated|Candidate)/.test(line)), [
    "Implicated: ranking cutoff, in 1 of the 2 recovered failures.",
    "Implicated: context composition, in 1 of the 2 recovered failures.",
    "Candidate experiment: a larger top-k. This is a hypothesis to test, not an established cause.",
    "Candidate experiment: a reranker. This is a hypothesis to test, not an established cause.",
    "Candidate experiment: fewer passages. This is a hypothesis to test, not an established cause.",
  ]);
  const none = linesOf(reportOf([caseOf("a", "GENERATION_FAILURE", "fails_with_gold_context")]));
  assert.ok(!none.some((line) => /^(Implicated|Candidate)/.test(line)));
});

Deno.test("diagnosis text: controls that passed are set against the intervention, with advice", () => {
  const lines = linesOf(reportOf([
    caseOf("a", "UNSTABLE", "control_recovered"),
    caseOf("b", "RANKED_OUT", "relevant_below_top_k"),
  ]));
  assert.equal(lines[1], "Control: 1 of 2 passed when re-executed without the intervention");
  assert.ok(lines.includes("Only with gold: 1 · only without: 1 · both: 0 · neither: 0"));
  assert.ok(lines.some((line) => line.includes("--repeats 3")));
  assert.ok(lines.includes("UNSTABLE: 1 of 2, passed when re-executed without the intervention"));
});

Deno.test("diagnosis text: what was not selected, and what cannot be observed, is said", () => {
  const lines = linesOf(reportOf([caseOf("a", "INCONCLUSIVE", "no_relevance_labels")], {
    settings: { depth: 4, top_k: 4 },
    selection: {
      failed: 5,
      without_gold_context: 1,
      missing_judgments: 2,
      gold_from_corpus: 0,
      without_relevance_labels: 1,
      unfinished: 65,
      forgotten: 0,
      limit: 1,
    },
  }));
  assert.deepEqual(lines.slice(0, 6), [
    "Selected: 1 failed case with gold context (observed; no population claim)",
    "Limited: 1 of 4, the first by hash of id (--limit 1)",
    "Not diagnosed: 1 failed case without gold context",
    "Not diagnosed: 2 cases with a missing judgment",
    "Not executed: 65 cases; the run is not finished",
    "Without relevance labels: 1 of 1",
  ]);
  assert.ok(lines.includes("INCONCLUSIVE: 1 of 1, has no relevance labels"));
  assert.ok(lines.includes("RANKED_OUT cannot be observed: depth equals top_k"));
});

Deno.test("diagnosis text: an expected text that gold lacks is told before the generator is blamed", () => {
  const one = caseOf("a", "GENERATION_FAILURE", "fails_with_gold_context");
  const lines = linesOf(
    reportOf([{ ...one, expected_in_gold: false }, { ...one, case_id: "b", expected_in_gold: true }]),
  );
  assert.deepEqual(lines.slice(3, 5), [
    "GENERATION_FAILURE: 2 of 2, still failed with the gold context",
    "1 of them: the expected text does not occur in the gold context; check labels and evaluator before the generator",
  ]);
});

Deno.test("diagnosed cases: repeats and several units are told one by one", () => {
  const one = caseOf("a", "RANKED_OUT", "some_relevant_below_top_k");
  const report = reportOf([{
    ...one,
    best_relevant_position: 1,
    units: [
      { doc_id: "x", chunk_id: "2", position: 1, fate: "in_context" },
      { doc_id: "y", position: 5, fate: "below_top_k" },
      { doc_id: "z", position: null, fate: "not_retrieved" },
    ],
    control: { passed: 0, failed: 5, unjudged: 0 },
    intervention: { passed: 4, failed: 1, unjudged: 0 },
  }]);
  const { content } = report.diagnosis;
  const text = diagnosedCasesText({
    ...report,
    diagnosis: { ...report.diagnosis, content: { ...content, repeats: 5 } },
  });
  assert.deepEqual(text.trimEnd().split("\n").slice(1), [
    "a: RANKED_OUT, some_relevant_below_top_k, strength intervention_recovery (gold 4/5, control 0/5), " +
    "best relevant position 1",
    "  x 2: position 1, in the context",
    "  y: position 5, below top-k",
    "  z: not retrieved",
  ]);
});
