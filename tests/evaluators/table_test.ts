import assert from "node:assert/strict";
import type { JsonObject } from "../../lib/domain/json.ts";
import { evaluatorTypes } from "../../lib/evaluators/table.ts";
import { bind } from "./judge_case.ts";

// [type, parameters with which it can be bound, criterion, reads, observes, complete parameters]
const ROWS: readonly (readonly [string, JsonObject, string, string, string, JsonObject])[] = [
  ["contains", {}, "contains", "output", "pass", { ignore_case: true }],
  ["equals", {}, "equals", "output", "pass", { ignore_case: true }],
  ["regex", { pattern: "a" }, "regex", "output", "pass", { pattern: "a", flags: "" }],
  ["number", {}, "number", "output", "pass", {}],
  ["token_f1", {}, "token_f1", "output", "number", {}],
  ["hit_rate", { k: 2 }, "hit_rate_at_2", "retrieval", "pass", { k: 2, relevance_unit: "document" }],
  ["recall", { k: 2 }, "recall_at_2", "retrieval", "number", { k: 2, relevance_unit: "document" }],
  ["precision", { k: 2 }, "precision_at_2", "retrieval", "number", { k: 2, relevance_unit: "document" }],
  ["mrr", { k: 2 }, "mrr_at_2", "retrieval", "number", { k: 2, relevance_unit: "document" }],
  ["ndcg", { k: 6 }, "ndcg_at_6", "retrieval", "number", { k: 6, relevance_unit: "document" }],
  ["citation_validity", {}, "citations_valid", "context", "pass", { require_citations: false }],
  ["completed", {}, "completed", "execution", "pass", {}],
  ["function", { object: "app:isPolite" }, "isPolite", "output", "either", { object: "app:isPolite" }],
  [
    "judge",
    { provider: "openai", model: "m" },
    "correctness",
    "output",
    "pass",
    { provider: "openai", model: "m", temperature: 0, rubric: "correctness", show_context: false },
  ],
  [
    "groundedness_judge",
    { provider: "openai", model: "m" },
    "groundedness",
    "context",
    "pass",
    { provider: "openai", model: "m", temperature: 0 },
  ],
  [
    "citation_support_judge",
    { provider: "openai", model: "m" },
    "citations_supported",
    "context",
    "pass",
    { provider: "openai", model: "m", temperature: 0 },
  ],
];

Deno.test("table: holds these evaluators, in this order", () => {
  assert.deepEqual([...evaluatorTypes.keys()], ROWS.map(([type]) => type));
});

for (const [type, parameters, criterion, reads, observes, complete] of ROWS) {
  Deno.test(`table: ${type}`, () => {
    const row = evaluatorTypes.get(type);
    assert.equal(row?.type, type);
    assert.equal(row?.version, 1);
    assert.equal(row?.reads, reads);
    assert.equal(row?.observes, observes);
    assert.equal(bind(type, parameters).criterion, criterion);
    assert.deepEqual(row?.parameters.parse(parameters), complete);
    // What is stored with a run must be readable as parameters again.
    assert.deepEqual(row?.parameters.parse(complete), complete);
    assert.throws(() => bind(type, { ...parameters, unknown_key: 1 }));
    assert.equal("judgeFailed" in bind(type, parameters), type === "completed");
  });
}
