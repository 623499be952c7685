import assert from "node:assert/strict";
import type { DropReason } from "../../lib/domain/passage.ts";
import type { CaseRecord } from "../../lib/domain/record.ts";
import { entryConditions } from "../../lib/stages/entry_conditions.ts";

function recordOf(
  dropped: readonly (readonly [position: number, reason: DropReason])[],
  tokens: readonly number[],
) {
  return {
    case: { id: "a", input: null },
    dropped: dropped.map(([position, reason]) => ({ position, doc_id: `d${position}`, reason })),
    tokens,
  } satisfies CaseRecord;
}

Deno.test("entryConditions: each dropped passage with the setting that would let it in", () => {
  const record = recordOf([[2, "over_token_budget"], [3, "beyond_top_k"], [6, "beyond_top_k"]], [30, 12]);
  assert.deepEqual(entryConditions(record, { token_budget: 40 }), [
    { position: 2, setting: "token_budget", from: 42 },
    { position: 3, setting: "top_k", from: 3 },
    { position: 6, setting: "top_k", from: 6 },
  ]);
});

Deno.test("entryConditions: what the system left out itself has none, and neither has a record without drops", () => {
  assert.deepEqual(entryConditions(recordOf([[1, "left_out_by_system"]], []), { token_budget: null }), []);
  assert.deepEqual(entryConditions({ case: { id: "a", input: null } }, { token_budget: 3 }), []);
});
