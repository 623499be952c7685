import assert from "node:assert/strict";
import fc from "fast-check";
import type { Json } from "../../lib/domain/json.ts";
import { observed } from "../../lib/domain/judgment.ts";
import type { DroppedPassage } from "../../lib/domain/passage.ts";
import { SliceFold, type SliceSettings, sliceValue } from "../../lib/metrics/slice.ts";
import { evaluator, type Finished, finishedCase, passages, relevant } from "./judged_case.ts";

const failed = { stage: "retrieve", kind: "timeout", message: "late" } as const;

function valueOf(slice: string, given: Finished, relevance_unit: "document" | "chunk" = "document"): string {
  return sliceValue(slice, finishedCase(given).record, { relevance_unit, system: {} });
}

Deno.test("sliceValue: a path into metadata or input", () => {
  const given = {
    metadata: { topic: "billing", deep: { list: ["x", "y"] } },
    input: { lang: "de", turn: 3 },
  };
  assert.equal(valueOf("metadata.topic", given), "billing");
  assert.equal(valueOf("metadata.deep.list.1", given), "y");
  assert.equal(valueOf("input.lang", given), "de");
  assert.equal(valueOf("input.turn", given), "3");
});

Deno.test("sliceValue: values that are no text are JSON, whatever the order of their keys", () => {
  const value = (x: Json) => valueOf("metadata.x", { metadata: { x } });
  assert.equal(value(true), "true");
  assert.equal(value(null), "null");
  assert.equal(value(1.50), "1.5");
  assert.equal(value(""), "");
  assert.equal(value([1, "a"]), '[1,"a"]');
  assert.equal(value({ b: 1, a: { d: 2, c: 3 } }), '{"a":{"c":3,"d":2},"b":1}');
  assert.equal(value({ a: { c: 3, d: 2 }, b: 1 }), '{"a":{"c":3,"d":2},"b":1}');
});

Deno.test("sliceValue: what is not there is absent", () => {
  assert.equal(valueOf("metadata.topic", {}), "absent");
  assert.equal(valueOf("metadata.topic", { metadata: {} }), "absent");
  assert.equal(valueOf("metadata.topic.sub", { metadata: { topic: "a" } }), "absent");
  assert.equal(valueOf("input.lang", { input: "a text" }), "absent");
  assert.equal(valueOf("metadata.toString", { metadata: {} }), "absent");
});

Deno.test("sliceValue: the best position of a relevant unit", () => {
  const position = (candidates: readonly string[], ...labels: readonly string[]) =>
    valueOf("relevant_position", { candidates: passages(...candidates), expected: relevant(...labels) });
  assert.equal(position(["a", "b", "c"], "a"), "1");
  assert.equal(position(["a", "b", "c"], "c", "b"), "2");
  assert.equal(position(["a", "a", "b"], "b"), "3");
  assert.equal(position(["a", "b"], "z"), "none");
  assert.equal(position([], "a"), "none");
  assert.equal(position(["a"]), "unlabelled");
});

Deno.test("sliceValue: without labels a case is unlabelled, even if it failed; with labels a failed one is absent", () => {
  assert.equal(valueOf("relevant_position", { error: failed }), "unlabelled");
  assert.equal(valueOf("relevant_position", { error: failed, expected: relevant("a") }), "absent");
  const judged = { expected: { relevant: [{ doc_id: "a", grade: 0 }] }, candidates: passages("a") };
  assert.equal(valueOf("relevant_position", judged), "unlabelled");
});

Deno.test("sliceValue: chunks are told apart where they are the unit", () => {
  const given = { candidates: passages("a|1", "a|2"), expected: relevant("a|2") };
  assert.equal(valueOf("relevant_position", given, "document"), "1");
  assert.equal(valueOf("relevant_position", given, "chunk"), "2");
  assert.equal(valueOf("relevant_position", { ...given, candidates: passages("a") }, "chunk"), "absent");
});

Deno.test("sliceValue: a context is truncated when the budget dropped a passage", () => {
  const truncated = (...reasons: readonly DroppedPassage["reason"][]) =>
    valueOf("context_truncated", {
      dropped: reasons.map((reason, index) => ({ position: index + 1, doc_id: "a", reason })),
    });
  assert.equal(truncated(), "false");
  assert.equal(truncated("beyond_top_k"), "false");
  // What a budget did in an assembly of the system's own is not known.
  assert.equal(truncated("left_out_by_system"), "absent");
  assert.equal(truncated("beyond_top_k", "over_token_budget"), "true");
  assert.equal(valueOf("context_truncated", { error: failed }), "absent");
});

/** Slices of cases with one pass/fail criterion. */
function slicesOf(cases: readonly Finished[], settings: Partial<SliceSettings> = {}) {
  const fold = new SliceFold({
    slices: ["metadata.topic"],
    min_slice_support: 1,
    relevance_unit: "document",
    evaluators: [evaluator("contains")],
    system: {},
    repeats: 1,
    ...settings,
  });
  for (const { record, judgments } of cases.map(finishedCase)) fold.add(record, judgments);
  return fold.slices();
}

const topic = (name: Json, passed = true): Finished => ({
  metadata: { topic: name },
  judgments: [observed(passed)],
});

Deno.test("SliceFold: cases that share a value are counted and estimated together", () => {
  const slices = slicesOf([topic("billing"), topic("legal", false), topic("billing", false), {
    judgments: [],
  }]);
  const told = slices.map((
    { slice, value, cases, metrics },
  ) => [slice, value, cases, metrics?.[0]?.estimate]);
  assert.deepEqual(told, [
    ["metadata.topic", "absent", 1, null],
    ["metadata.topic", "billing", 2, 0.5],
    ["metadata.topic", "legal", 1, 0],
  ]);
});

Deno.test("SliceFold: under the minimum support cases are counted and nothing is estimated", () => {
  const slices = slicesOf([topic("a"), topic("a"), topic("b")], { min_slice_support: 2 });
  assert.deepEqual(slices.map(({ value, cases, metrics }) => [value, cases, metrics !== null]), [
    ["a", 2, true],
    ["b", 1, false],
  ]);
});

Deno.test("SliceFold: slices stand in the project's order, values by number and then by text", () => {
  const values = ["b", "10", "9", "none", "a", "1.5", "-1"].map((value) => topic(value));
  const slices = slicesOf(values, { slices: ["relevant_position", "metadata.topic"] });
  assert.deepEqual(slices.map(({ slice, value }) => `${slice}=${value}`), [
    "relevant_position=unlabelled",
    ...["-1", "1.5", "9", "10", "a", "b", "none"].map((value) => `metadata.topic=${value}`),
  ]);
});

Deno.test("SliceFold: every case is in one group of each slice, in any order of cases", () => {
  const given = fc.array(fc.tuple(fc.constantFrom("a", "b", "1", "10"), fc.boolean()), { maxLength: 20 });
  const shuffled = given.chain((cases) =>
    fc.tuple(fc.constant(cases), fc.shuffledSubarray(cases, { minLength: cases.length }))
  );
  fc.assert(
    fc.property(shuffled, ([cases, others]) => {
      const slices = slicesOf(cases.map(([name, passed]) => topic(name, passed)));
      assert.equal(slices.reduce((sum, { cases }) => sum + cases, 0), cases.length);
      assert.deepEqual(slicesOf(others.map(([name, passed]) => topic(name, passed))), slices);
    }),
    { seed: 1 },
  );
});
