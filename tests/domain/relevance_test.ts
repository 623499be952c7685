import assert from "node:assert/strict";
import fc from "fast-check";
import { relevanceLabels } from "../../lib/domain/case.ts";
import { findRelevant, relevantUnits, unitKey } from "../../lib/domain/relevance.ts";

Deno.test("relevanceLabels: a label without a grade has grade 1", () => {
  const expected = { relevant: [{ doc_id: "a" }, { doc_id: "b", chunk_id: "1", grade: 0 }] };
  assert.deepEqual(relevanceLabels(expected), [
    { doc_id: "a", grade: 1 },
    { doc_id: "b", chunk_id: "1", grade: 0 },
  ]);
});

Deno.test("relevanceLabels: what is no list of labels holds none", () => {
  for (const expected of [undefined, null, "a", [], {}, { relevant: null }, { relevant: { doc_id: "a" } }]) {
    assert.deepEqual(relevanceLabels(expected), []);
  }
  assert.deepEqual(relevanceLabels({ relevant: ["a", null, { chunk_id: "1" }, { doc_id: 1 }] }), []);
});

Deno.test("unitKey: a document is its doc_id, a chunk both ids", () => {
  assert.equal(unitKey({ doc_id: "a", chunk_id: "1" }, "document"), "a");
  assert.equal(unitKey({ doc_id: "a" }, "document"), "a");
  assert.equal(unitKey({ doc_id: "a" }, "chunk"), undefined);
  assert.notEqual(unitKey({ doc_id: "a", chunk_id: "" }, "chunk"), undefined);
});

Deno.test("unitKey: no two chunks share a key", () => {
  const id = fc.string({ unit: fc.constantFrom("a", '"', ",", "\\", "|", " "), maxLength: 4 });
  fc.assert(
    fc.property(id, id, id, id, (doc, chunk, otherDoc, otherChunk) => {
      const same = doc === otherDoc && chunk === otherChunk;
      const key = unitKey({ doc_id: doc, chunk_id: chunk }, "chunk");
      assert.equal(key === unitKey({ doc_id: otherDoc, chunk_id: otherChunk }, "chunk"), same);
    }),
    { seed: 20260917, numRuns: 2000 },
  );
});

Deno.test("relevantUnits: a document has the highest grade of its chunks", () => {
  const labels = [
    { doc_id: "a", chunk_id: "1", grade: 1 },
    { doc_id: "a", chunk_id: "2", grade: 3 },
    { doc_id: "a", chunk_id: "3", grade: 0 },
    { doc_id: "b", grade: 2 },
    { doc_id: "c", grade: 0 },
  ];
  assert.deepEqual([...relevantUnits(labels, "document")], [["a", 3], ["b", 2]]);
  assert.deepEqual([...relevantUnits(labels, "chunk").values()], [1, 3]);
});

Deno.test("findRelevant: each unit at its first position, with its grade, in rank order", () => {
  const relevant = new Map([["a", 2], ["c", 1], ["toString", 4]]);
  const candidates = ["b", "c", "a", "c", "a"].map((doc_id) => ({ doc_id }));
  assert.deepEqual(findRelevant(candidates, relevant, "document"), [
    { unit: "c", position: 2, grade: 1 },
    { unit: "a", position: 3, grade: 2 },
  ]);
  assert.deepEqual(findRelevant([], relevant, "document"), []);
});

Deno.test("findRelevant: nothing can be said of chunks when a candidate names none", () => {
  const relevant = relevantUnits([{ doc_id: "a", chunk_id: "1", grade: 1 }], "chunk");
  assert.equal(findRelevant([{ doc_id: "a", chunk_id: "1" }, { doc_id: "b" }], relevant, "chunk"), undefined);
  assert.equal(findRelevant([{ doc_id: "a", chunk_id: "1" }], relevant, "chunk")?.length, 1);
});
