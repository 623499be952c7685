import assert from "node:assert/strict";
import type { Json } from "../../lib/domain/json.ts";
import { absenceOf, judgeCase, valueOf } from "./judge_case.ts";

const VERDICTS: readonly (readonly [output: Json, expected: Json, passes: boolean, why: string])[] = [
  ["30 Days", "30 days", true, "case does not count"],
  [" 30\n days ", "30 days", true, "white space"],
  ["30 days.", "30 days", false, "all of it counts"],
  ["2014", "14", false, "a part is not the whole"],
  [14, "14", true, "scalars are compared as text"],
  [14, 14.0, true, "numbers"],
  ["14.0", 14, false, "as text, not as numbers"],
  [true, "true", true, "booleans"],
  [false, "", false, "false is not empty"],
  ["", "", true, "an empty text is a value"],
  ["b", ["a", "B"], true, "any member"],
  ["c", ["a", "b"], false, "no member"],
  ["b", [null, "b"], true, "a null member is no value"],
  [["a", "b"], ["a", "b"], true, "the whole list"],
  [["b", "a"], ["a", "b"], false, "the order of a list counts"],
  [["a"], [["a"], ["b"]], true, "a list as a member"],
  [{ a: 1, b: 2 }, { b: 2, a: 1 }, true, "the order of keys does not count"],
  [{ a: "X" }, { a: "x" }, false, "within objects case counts"],
  [{ a: 1 }, [{ a: 2 }, { a: 1 }], true, "an object as a member"],
  ["a", { a: 1 }, false, "a scalar is no object"],
  [["a"], "a", false, "a list is no scalar"],
  [null, "null", false, "null is a wrong answer"],
  [null, [null, "a"], false, "null is a wrong answer to a list, too"],
];

for (const [output, expected, passes, why] of VERDICTS) {
  const name = `${JSON.stringify(output)} ${passes ? "is" : "is not"} ${JSON.stringify(expected)}`;
  Deno.test(`equals: ${name}: ${why}`, async () => {
    assert.equal(valueOf(await judgeCase("equals", {}, { output, expected })), passes);
  });
}

Deno.test("equals: case counts when it is asked to", async () => {
  assert.equal(
    valueOf(await judgeCase("equals", { ignore_case: false }, { output: "A", expected: "a" })),
    false,
  );
});

Deno.test("equals: what is absent", async () => {
  const at = { field: "answer", expected_field: "answer" };
  for (const expected of [undefined, {}, { answer: null }, { answer: [] }, { answer: [null] }]) {
    const observation = expected === undefined ? { output: {} } : { output: {}, expected };
    assert.equal(absenceOf(await judgeCase("equals", at, observation)), "excluded no_expected_value");
  }
  assert.equal(
    absenceOf(await judgeCase("equals", at, { output: {}, expected: { answer: "" } })),
    "missing output_field_absent",
  );
});
