import assert from "node:assert/strict";
import type { Json, JsonObject } from "../../lib/domain/json.ts";
import { absenceOf, judgeCase, mistakesOf, valueOf } from "./judge_case.ts";

const VERDICTS: readonly (readonly [output: Json, parameters: JsonObject, passes: boolean])[] = [
  ["30 days", { pattern: "^\\d+ days$" }, true],
  ["30 Days", { pattern: "^\\d+ days$" }, false],
  ["30 Days", { pattern: "^\\d+ days$", flags: "i" }, true],
  ["a\nb", { pattern: "^b", flags: "m" }, true],
  ["a\nb", { pattern: "a.b", flags: "s" }, true],
  ["é", { pattern: "^\\p{L}$", flags: "u" }, true],
  ["é", { pattern: "^[\\p{L}--[a-z]]$", flags: "v" }, true],
  ["ＡＢ", { pattern: "AB" }, false],
  [14, { pattern: "^14$" }, true],
  [null, { pattern: "null" }, false],
  [{ answer: "yes" }, { field: "answer", pattern: "yes" }, true],
];

for (const [output, parameters, passes] of VERDICTS) {
  Deno.test(`regex: ${JSON.stringify(parameters)} on ${JSON.stringify(output)}: ${passes}`, async () => {
    assert.equal(valueOf(await judgeCase("regex", parameters, { output })), passes);
  });
}

Deno.test("regex: what is absent", async () => {
  const parameters = { field: "answer", pattern: "a" };
  assert.equal(
    absenceOf(await judgeCase("regex", parameters, { output: {} })),
    "missing output_field_absent",
  );
  assert.equal(
    absenceOf(await judgeCase("regex", parameters, { output: { answer: ["a"] } })),
    "missing output_not_text",
  );
});

Deno.test("regex: asks for one match and tells when time ran out", async () => {
  const asked: unknown[] = [];
  const judgment = await judgeCase("regex", { pattern: "(a+)+b", flags: "i" }, { output: "aaaa" }, {
    patterns: {
      find(...question) {
        asked.push(question);
        return { status: "timed_out" };
      },
    },
  });
  assert.equal(absenceOf(judgment), "missing pattern_timed_out");
  assert.deepEqual(asked, [["(a+)+b", "i", "aaaa", "first"]]);
});

Deno.test("regex: parameters", () => {
  assert.deepEqual(mistakesOf("regex", { pattern: "a", flags: "dimsu" }), []);
  assert.deepEqual(mistakesOf("regex", { pattern: "(" }), [
    "pattern: Invalid regular expression: /(/: Unterminated group",
  ]);
  assert.deepEqual(mistakesOf("regex", { pattern: "a", flags: "x" }), [
    "flags: Invalid flags supplied to RegExp constructor 'x'",
  ]);
  assert.deepEqual(mistakesOf("regex", { pattern: "a", flags: "ig" }), [
    'flags: The flag "g" has no meaning here; leave it out',
  ]);
  assert.deepEqual(mistakesOf("regex", { pattern: "a", flags: "y" }), [
    'flags: The flag "y" has no meaning here; leave it out',
  ]);
  // Whether a pattern is valid depends on its flags.
  assert.deepEqual(mistakesOf("regex", { pattern: "[(]" }), []);
  assert.equal(mistakesOf("regex", { pattern: "[(]", flags: "v" }).length, 1);
  assert.equal(mistakesOf("regex", {}).length, 1);
  assert.equal(mistakesOf("regex", { pattern: "" }).length, 1);
  assert.equal(mistakesOf("regex", { pattern: 1, flags: 2 }).length, 2);
  assert.equal(mistakesOf("regex", null).length, 1);
  // All mistakes at once: one of another parameter does not hide a broken pattern.
  assert.equal(mistakesOf("regex", { pattern: "(", field: 1, feild: "answer" }).length, 3);
});
