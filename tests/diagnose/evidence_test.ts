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

Deno.test("unit fates: each relevant unit by its first position and the context", () => {
  const fates = unitFates(record, "chunk", 3) ?? [];
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
  assert.deepEqual(unitFates(record, "document", 2)?.map(({ doc_id, fate }) => [doc_id, fate]), [
    ["a", "dropped"],
    ["b", "in_context"],
    ["c", "below_top_k"],
    ["z", "not_retrieved"],
  ]);
  assert.deepEqual(unitFates({ ...record, case: { id: "c", input: null } }, "document", 2), []);
  assert.equal(unitFates({ ...record, candidates: [{ doc_id: "a" }] }, "chunk", 2), undefined);
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
