import assert from "node:assert/strict";
import type { Json } from "../../lib/domain/json.ts";
import { absenceOf, judgeCase, valueOf } from "./judge_case.ts";

// Worked by hand from the definition; [output, expected, tokens shared × 2, tokens of both].
const SCORES:
  readonly (readonly [output: Json, expected: Json, shared2: number, both: number, why: string])[] = [
    ["Denver Broncos", "Denver Broncos", 4, 4, "equal"],
    ["the Denver, broncos!", "Denver Broncos", 4, 4, "case, punctuation and articles"],
    ["Broncos", "Denver Broncos", 2, 3, "one of two"],
    ["Carolina Panthers", "Denver Broncos", 0, 4, "none"],
    ["a a b b b", "b c", 2, 5, "articles go, and a token counts as often as both have it"],
    ["b b b", "b b c", 4, 6, "repeated tokens"],
    ["well-known", "wellknown", 2, 2, "punctuation leaves no gap"],
    ["can't", "cant", 2, 2, "apostrophes"],
    ["an-other", "another", 2, 2, "an article inside a word stays"],
    ["an apple", "Apple", 2, 2, "every article goes"],
    ["aé", "é", 0, 2, "an article before a letter with an accent stays"],
    ["éa", "é", 0, 2, "an article after a letter with an accent stays"],
    ["x—the—y", "x—the—y", 4, 4, "punctuation beyond ASCII stays, and bounds words"],
    ["", "", 1, 1, "no tokens on both sides"],
    ["The a!", "...", 1, 1, "nothing but articles and punctuation"],
    ["", "Denver", 0, 1, "no tokens in the output"],
    ["Denver", "", 0, 1, "no tokens expected"],
    ["Denver", ["Broncos", "Denver Broncos"], 2, 3, "the best of a list"],
    [14, "14", 2, 2, "scalars are text"],
    [null, "null", 0, 1, "null"],
  ];

for (const [output, expected, shared2, both, why] of SCORES) {
  Deno.test(`token_f1: ${JSON.stringify(output)} against ${JSON.stringify(expected)}: ${why}`, async () => {
    assert.equal(valueOf(await judgeCase("token_f1", {}, { output, expected })), shared2 / both);
  });
}

Deno.test("token_f1: what is absent", async () => {
  for (const expected of [null, [], {}]) {
    assert.equal(
      absenceOf(await judgeCase("token_f1", {}, { output: "a", expected })),
      "excluded no_expected_value",
    );
  }
  assert.equal(
    absenceOf(await judgeCase("token_f1", {}, { output: ["a"], expected: "a" })),
    "missing output_not_text",
  );
  assert.equal(
    absenceOf(await judgeCase("token_f1", { field: "a" }, { output: "a", expected: "a" })),
    "missing output_field_absent",
  );
});
