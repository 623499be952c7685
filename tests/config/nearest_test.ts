import assert from "node:assert/strict";
import { didYouMean, nearest } from "../../lib/config/nearest.ts";

const KEYS = ["name", "version", "depth", "top_k", "token_budget", "index_version", "params", "k"];

const WORDS: readonly (readonly [string, string | undefined])[] = [
  ["depht", "depth"],
  ["topk", "top_k"],
  ["topK", "top_k"],
  ["top-k", "top_k"],
  ["TOP_K", "top_k"],
  ["tokenBudget", "token_budget"],
  ["token budget", "token_budget"],
  ["budget", "token_budget"],
  ["param", "params"],
  ["ver", "version"],
  ["index", "index_version"],
  ["K", "k"],
  ["q", undefined],
  ["nam", "name"],
  ["", undefined],
  ["temperature", undefined],
];

for (const [word, expected] of WORDS) {
  Deno.test(`the nearest key to ${JSON.stringify(word)}`, () => assert.equal(nearest(word, KEYS), expected));
}

Deno.test("the nearest of several is taken, the first on a tie", () => {
  assert.equal(nearest("recal", ["recall_all", "recall"]), "recall");
  assert.equal(nearest("bat", ["cat", "hat"]), "cat");
});

Deno.test("a very long word has no nearest, at once", () => {
  assert.equal(nearest("k".repeat(1_000_000), KEYS), undefined);
});

Deno.test("a hint names what is near, and nothing is hinted otherwise", () => {
  assert.deepEqual(didYouMean("depht", KEYS), { hint: 'did you mean "depth"?' });
  assert.deepEqual(didYouMean("temperature", KEYS), {});
});
