/** What became of the relevant units, and whether the gold passage was among those of its document. */
import assert from "node:assert/strict";
import { hasOtherPassage } from "../../lib/diagnose/other_passage.ts";
import { bestPosition, unitFates } from "../../lib/diagnose/unit_fates.ts";
import type { CaseRecord } from "../../lib/domain/record.ts";

const record: CaseRecord = {
  case: {
    id: "c",
    input: null,
    expected: {
      relevant: [
        { doc_id: "a", chunk_id: "1" },
        { doc_id: "b", chunk_id: "1", grade: 2 },
        { doc_id: "c", chunk_id: "1" },
        { doc_id: "z", chunk_id: "1" },
        { doc_id: "no", chunk_id: "1", grade: 0 },
      ],
    },
  },
  candidates: [
    { doc_id: "x", chunk_id: "1" },
    { doc_id: "a", chunk_id: "1" },
    { doc_id: "b", chunk_id: "1" },
    { doc_id: "a", chunk_id: "1" },
    { doc_id: "c", chunk_id: "1" },
  ],
  context: [{ doc_id: "b", chunk_id: "1" }],
};

function fatesOf(of: CaseRecord, unit: "document" | "chunk", top_k: number | null) {
  const fates = unitFates(of, unit, { top_k });
  assert.ok(typeof fates !== "string");
  return fates;
}

Deno.test("unit fates: where only the context is reported, a unit is in it or not", () => {
  const { candidates: _, ...contextAlone } = record;
  assert.deepEqual(fatesOf(contextAlone, "document", null).map(({ fate, position }) => [fate, position]), [
    ["not_in_context", null],
    ["in_context", null],
    ["not_in_context", null],
    ["not_in_context", null],
  ]);
});

Deno.test("unit fates: where only candidates are reported, nothing is known but that none was retrieved", () => {
  const { context: _, ...candidatesAlone } = record;
  assert.equal(unitFates(candidatesAlone, "document", { top_k: null }), "context_not_reported");
  const missed = { ...candidatesAlone, candidates: [{ doc_id: "other" }] };
  const fates = fatesOf(missed, "document", null).map(({ fate }) => fate);
  assert.deepEqual(new Set(fates), new Set(["not_retrieved"]));
  const { candidates: _c, ...nothing } = candidatesAlone;
  assert.equal(unitFates(nothing, "document", { top_k: null }), "context_not_reported");
});

Deno.test("unit fates: without a top_k no unit is below it; without a single ranking none has a position", () => {
  assert.deepEqual(fatesOf(record, "document", null).map(({ fate }) => fate), [
    "left_out",
    "in_context",
    "left_out",
    "not_retrieved",
  ]);
  const fates = unitFates(record, "document", { top_k: 2, ranked: false });
  assert.ok(typeof fates !== "string");
  assert.equal(bestPosition(fates), null);
});

Deno.test("unit fates: each relevant unit by its first position and the context", () => {
  const fates = fatesOf(record, "chunk", 3);
  assert.deepEqual(fates, [
    { doc_id: "a", chunk_id: "1", position: 2, fate: "dropped" },
    { doc_id: "b", chunk_id: "1", position: 3, fate: "in_context" },
    { doc_id: "c", chunk_id: "1", position: 5, fate: "below_top_k" },
    { doc_id: "z", chunk_id: "1", position: null, fate: "not_retrieved" },
  ]);
  assert.equal(bestPosition(fates), 2);
  assert.equal(bestPosition(fates.filter(({ position }) => position === null)), null);
});

Deno.test("unit fates: documents, no labels, and candidates without chunk_id", () => {
  assert.deepEqual(fatesOf(record, "document", 2).map(({ doc_id, fate }) => [doc_id, fate]), [
    ["a", "dropped"],
    ["b", "in_context"],
    ["c", "below_top_k"],
    ["z", "not_retrieved"],
  ]);
  assert.deepEqual(unitFates({ ...record, case: { id: "c", input: null } }, "document", { top_k: 2 }), []);
  assert.equal(
    unitFates({ ...record, candidates: [{ doc_id: "a" }] }, "chunk", { top_k: 2 }),
    "candidate_without_chunk_id",
  );
});

Deno.test("other passage: only when the document is there and the gold text is not", () => {
  const gold = [{ doc_id: "a", text: "the  ﬁne\nprint" }];
  const other = (...context: { doc_id: string; text?: string }[]) => hasOtherPassage(gold, context);
  assert.equal(other({ doc_id: "a", text: "something else" }), true);
  assert.equal(other({ doc_id: "a", text: "Read the fine print." }), false);
  assert.equal(other({ doc_id: "a", text: "x" }, { doc_id: "a", text: "the fine print" }), false);
  assert.equal(other({ doc_id: "b", text: "the fine print" }), false);
  assert.equal(other({ doc_id: "a" }), false);
  assert.equal(other(), false);
});
