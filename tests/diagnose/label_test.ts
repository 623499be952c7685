/** The table of labels, row by row and as a whole. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { isRecovered, labelCase } from "../../lib/diagnose/label.ts";
import { LABELS } from "../../lib/diagnose/tally.ts";
import type { Attempts, RelevantUnit, UnitFate, UnknownEvidence } from "../../lib/domain/diagnosis.ts";

const passed: Attempts = { passed: 1, failed: 0, unjudged: 0 };
const failed: Attempts = { passed: 0, failed: 1, unjudged: 0 };
const unjudged: Attempts = { passed: 0, failed: 0, unjudged: 1 };

function units(...fates: readonly UnitFate[]): readonly RelevantUnit[] {
  return fates.map((fate, index) => ({
    doc_id: `d${index}`,
    position: fate === "not_retrieved" ? null : index + 1,
    fate,
  }));
}

const rows: readonly (readonly [
  what: string,
  control: Attempts,
  gold: Attempts,
  units: readonly RelevantUnit[] | UnknownEvidence,
  expected: string,
])[] = [
  ["the control passed", passed, passed, units("not_retrieved"), "UNSTABLE control_recovered none"],
  ["the control passed, gold failed", passed, failed, units("in_context"), "UNSTABLE control_recovered none"],
  ["the control passed, gold broke", passed, unjudged, units(), "UNSTABLE control_recovered none"],
  ["gold broke", failed, unjudged, units("in_context"), "INCONCLUSIVE gold_run_failed none"],
  ["the control broke", unjudged, passed, units("in_context"), "INCONCLUSIVE control_failed none"],
  ["both broke", unjudged, unjudged, units("in_context"), "INCONCLUSIVE gold_run_failed none"],
  ["no labels, recovered", failed, passed, [], "INCONCLUSIVE no_relevance_labels none"],
  ["no labels, not recovered", failed, failed, [], "GENERATION_FAILURE fails_with_gold_context"],
  ["no units", failed, passed, "candidate_without_chunk_id", "INCONCLUSIVE candidate_without_chunk_id none"],
  ["not retrieved", failed, passed, units("not_retrieved"), "RETRIEVAL_MISS relevant_not_retrieved"],
  ["below top-k", failed, passed, units("below_top_k"), "RANKED_OUT relevant_below_top_k"],
  ["dropped", failed, passed, units("dropped"), "CONTEXT_ASSEMBLY_LOSS relevant_dropped_from_context"],
  ["no context told", failed, passed, "context_not_reported", "INCONCLUSIVE context_not_reported none"],
  ["not in the context", failed, passed, units("not_in_context"), "CONTEXT_MISS relevant_not_in_context"],
  [
    "some not in the context",
    failed,
    passed,
    units("in_context", "not_in_context"),
    "CONTEXT_MISS some_relevant_not_in_context",
  ],
  ["in the context", failed, passed, units("in_context"), "CONTEXT_INTERFERENCE relevant_in_context"],
  // None of several reached the context: the one that came furthest tells.
  [
    "missed and dropped",
    failed,
    passed,
    units("not_retrieved", "dropped"),
    "CONTEXT_ASSEMBLY_LOSS relevant_dropped_from_context",
  ],
  [
    "below and missed",
    failed,
    passed,
    units("below_top_k", "not_retrieved"),
    "RANKED_OUT relevant_below_top_k",
  ],
  // Some did: the one lost earliest tells.
  [
    "in context and missed",
    failed,
    passed,
    units("in_context", "dropped", "not_retrieved"),
    "RETRIEVAL_MISS some_relevant_not_retrieved",
  ],
  [
    "in context and below",
    failed,
    passed,
    units("below_top_k", "in_context", "dropped"),
    "RANKED_OUT some_relevant_below_top_k",
  ],
  [
    "in context and dropped",
    failed,
    passed,
    units("in_context", "dropped"),
    "CONTEXT_ASSEMBLY_LOSS some_relevant_dropped",
  ],
];

for (const [what, control, gold, found, expected] of rows) {
  Deno.test(`label: ${what}`, () => {
    const { label, reason, strength } = labelCase({ control, gold, units: found, otherPassage: false });
    assert.ok(`${label} ${reason} ${strength}`.startsWith(expected), `${label} ${reason} ${strength}`);
    const recovered = !["UNSTABLE", "INCONCLUSIVE", "GENERATION_FAILURE"].includes(label);
    assert.equal(strength === "intervention_recovery", recovered);
  });
}

Deno.test("label: another passage of a relevant document has a reason of its own", () => {
  const facts = { control: failed, gold: passed, otherPassage: true };
  assert.equal(
    labelCase({ ...facts, units: units("in_context") }).reason,
    "other_passage_of_relevant_document",
  );
  assert.equal(labelCase({ ...facts, units: units("dropped") }).reason, "relevant_dropped_from_context");
});

Deno.test("label: more than half of the repeats recovers, half of them does not", () => {
  const control: Attempts = { passed: 0, failed: 5, unjudged: 0 };
  assert.equal(isRecovered({ passed: 3, failed: 2, unjudged: 0 }, control), true);
  assert.equal(isRecovered({ passed: 2, failed: 3, unjudged: 0 }, control), false);
  assert.equal(isRecovered({ passed: 4, failed: 0, unjudged: 1 }, control), false);
  assert.equal(
    isRecovered({ passed: 5, failed: 0, unjudged: 0 }, { ...control, passed: 1, failed: 4 }),
    false,
  );
});

Deno.test("label: every combination of facts has exactly one label, and only a failing control recovers", () => {
  const attempts = fc.record({ passed: fc.nat(3), failed: fc.nat(3), unjudged: fc.nat(2) });
  const fate = fc.constantFrom<UnitFate>("not_retrieved", "below_top_k", "dropped", "in_context");
  fc.assert(
    fc.property(
      attempts,
      attempts,
      fc.option(fc.array(fate, { maxLength: 4 }), { nil: undefined }),
      fc.boolean(),
      (control, gold, fates, otherPassage) => {
        const found = fates === undefined ? "candidate_without_chunk_id" as const : units(...fates);
        const { label, strength } = labelCase({ control, gold, units: found, otherPassage });
        assert.ok(LABELS.includes(label));
        if (strength === "intervention_recovery") assert.ok(isRecovered(gold, control));
        if (control.passed > 0) assert.equal(label, "UNSTABLE");
      },
    ),
    { seed: 11, numRuns: 500 },
  );
});
