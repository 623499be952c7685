import assert from "node:assert/strict";
import { evaluatorsBeyondDepth } from "../../lib/config/check_depth.ts";

Deno.test("evaluators of retrieval read no further than the depth", () => {
  const evaluators = [
    { type: "contains", criterion: "contains", parameters: { k: 9 } },
    { type: "recall", criterion: "recall_at_4", parameters: { k: 4 } },
    { type: "ndcg", criterion: "ranking", parameters: { k: 5 } },
  ];
  assert.deepEqual(evaluatorsBeyondDepth(evaluators, 4), [{
    index: 2,
    criterion: "ranking",
    k: 5,
    message: "ranking reads the first 5 candidates, but depth is 4; allowed: k up to 4",
  }]);
  assert.deepEqual(evaluatorsBeyondDepth(evaluators, 5), []);
  assert.deepEqual(evaluatorsBeyondDepth(evaluators, 3).map(({ index }) => index), [1, 2]);
});
