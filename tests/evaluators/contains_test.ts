import assert from "node:assert/strict";
import fc from "fast-check";
import type { Json } from "../../lib/domain/json.ts";
import { containsText } from "../../lib/evaluators/contains_text.ts";
import { absenceOf, judgeCase, mistakesOf, valueOf } from "./judge_case.ts";

const VERDICTS: readonly (readonly [output: Json, expected: Json, passes: boolean, why: string])[] = [
  ["Within 30 days of the charge", "30 days", true, "in the middle"],
  ["Within 30 days", "14 days", false, "not there"],
  ["REFUNDS TAKE 30 DAYS", "30 days", true, "case does not count"],
  ["Die Straße", "STRASSE", true, "case folding, not lower case alone"],
  ["DIE STRAẞE", "straße", true, "the capital sharp s"],
  ["ΟΔΟΣΑ", "οδος", true, "the final sigma"],
  ["ＡＢＣ １４", "abc 14", true, "NFKC"],
  ["cafe\u0301", "caf\u00e9", true, "composed and decomposed"],
  ["a\tb\u00a0\n c", " a b c ", true, "white space"],
  ["It was 14", 14, true, "a number is text"],
  [2014, 14, false, "numbers on both sides"],
  [true, "TRUE", true, "a boolean is text"],
  ["two or three", ["four", "three"], true, "any member"],
  ["two or three", ["four", "five"], false, "no member"],
  ["two or three", ["", null, "three"], true, "members that say nothing are passed over"],
  [null, "14", false, "null is an answer"],
  ["", "14", false, "an empty answer"],
  // A match never begins or ends inside a number.
  ["in 2014", "14", false, "the end of a number"],
  ["in 2014", "20", false, "the start of a number"],
  ["in 2014", "01", false, "the middle of a number"],
  ["it is 14.5", "14", false, "before decimals"],
  ["it is 14.5", "5", false, "decimals"],
  ["1,400 seats", "1", false, "before thousands"],
  ["1,400 seats", "400", false, "thousands"],
  ["1,400 seats", "1,", false, "an end between a digit and its separator"],
  ["1,400 seats", "1,400", true, "the whole number"],
  ["it is 14.", "14", true, "a full stop"],
  ["v1.14.2", "14", false, "a part of a version"],
  ["v1.14.2", "1.14", false, "the start of a version"],
  ["v1.14.2", "1.14.2", true, "a whole version"],
  ["14% of $14", "14", true, "units and currencies"],
  ["10-14 days", "14", true, "the end of a range"],
  ["+14", "14", true, "a sign is no part of a number"],
  ["14, 15 and 16", "14", true, "a comma before a space"],
  ["14,15", "15", true, "a comma that separates no thousands"],
  ["114, then 14", "14", true, "a later occurrence"],
  ["١٤٢", "١٤", false, "digits of any script"],
  ["1 1 12", "1 1", true, "an occurrence before one that is cut by a number"],
  ["11 1 1", "1 1", true, "an occurrence after one that is cut by a number"],
];

for (const [output, expected, passes, why] of VERDICTS) {
  const name = `${JSON.stringify(output)} ${passes ? "has" : "has not"} ${JSON.stringify(expected)}`;
  Deno.test(`contains: ${name}: ${why}`, async () => {
    assert.equal(valueOf(await judgeCase("contains", {}, { output, expected })), passes);
  });
}

Deno.test("contains: overlapping occurrences", () => {
  // "1a1" at 1 begins inside 11, the one at 3 overlaps it and is whole.
  assert.equal(containsText("11a1a1 b", "1a1"), true);
  assert.equal(containsText("11a1a12 b", "1a1"), false);
});

Deno.test("contains: case counts when it is asked to", async () => {
  const observation = { output: "Visa", expected: "visa" };
  assert.equal(valueOf(await judgeCase("contains", { ignore_case: false }, observation)), false);
  assert.equal(valueOf(await judgeCase("contains", { ignore_case: true }, observation)), true);
});

Deno.test("contains: fields are dotted paths", async () => {
  const parameters = { field: "answer.parts.1", expected_field: "answer" };
  const observation = { output: { answer: { parts: ["no", "30 days"] } }, expected: { answer: "30 days" } };
  assert.equal(valueOf(await judgeCase("contains", parameters, observation)), true);
});

Deno.test("contains: what is absent", async () => {
  const at = { field: "answer", expected_field: "answer" };
  const expected = { answer: "x" };
  const none = "excluded no_expected_value";
  assert.equal(absenceOf(await judgeCase("contains", at, { output: {}, expected: {} })), none);
  for (const nothing of [null, [], "", " \n", [null, ""], {}, [["x"]]]) {
    assert.equal(
      absenceOf(await judgeCase("contains", at, { output: {}, expected: { answer: nothing } })),
      none,
    );
  }
  assert.equal(absenceOf(await judgeCase("contains", {}, { output: "x" })), none);
  assert.equal(
    absenceOf(await judgeCase("contains", at, { output: {}, expected })),
    "missing output_field_absent",
  );
  for (const answer of [["x"], { text: "x" }]) {
    assert.equal(
      absenceOf(await judgeCase("contains", at, { output: { answer }, expected })),
      "missing output_not_text",
    );
  }
});

Deno.test("contains: messages name the field and what was found", async () => {
  const expected = { answer: "x" };
  const parameters = { field: "answer", expected_field: "answer" };
  assert.deepEqual(await judgeCase("contains", parameters, { output: { text: "x" }, expected }), {
    status: "missing",
    reason: "output_field_absent",
    message: 'The output has no field "answer"; it is an object with "text"',
  });
  assert.deepEqual(await judgeCase("contains", parameters, { output: { answer: ["x"] }, expected }), {
    status: "missing",
    reason: "output_not_text",
    message: `The output's field "answer" is a list of 1; expected text`,
  });
  assert.deepEqual(await judgeCase("contains", {}, { output: [], expected: "x" }), {
    status: "missing",
    reason: "output_not_text",
    message: "The output is an empty list; expected text",
  });
});

Deno.test("contains: parameters", () => {
  assert.deepEqual(mistakesOf("contains", {}), []);
  for (const field of ["", ".", "a.", ".a", "a..b"]) {
    assert.deepEqual(mistakesOf("contains", { field }), [
      "field: Expected a dotted path, such as answer or answer.text",
    ]);
  }
  assert.equal(mistakesOf("contains", { feild: "answer" }).length, 1);
  assert.equal(mistakesOf("contains", { ignore_case: "yes" }).length, 1);
});

Deno.test("contains: a number without separators is in another only if they are equal", () => {
  fc.assert(
    fc.property(fc.nat(), fc.nat(), fc.constantFrom("", " days", ".", "%", ", or"), (a, b, after) => {
      assert.equal(containsText(`it is ${a}${after}`, String(b)), a === b);
    }),
    { seed: 20260917, numRuns: 2000 },
  );
});

Deno.test("contains: without digits it is a plain search", () => {
  const letters = fc.string({ unit: fc.constantFrom("a", "b", ".", ",", " ") });
  fc.assert(
    fc.property(letters, letters, (text, part) => {
      assert.equal(containsText(text, part), text.includes(part));
    }),
    { seed: 20260917, numRuns: 2000 },
  );
});

Deno.test("contains: the number rule, by the definition and slowly", () => {
  const characters = fc.string({ unit: fc.constantFrom("1", "2", ".", ",", "a", " "), maxLength: 14 });
  const part = fc.string({ unit: fc.constantFrom("1", "2", ".", ",", "a"), minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(characters, part, (text, part) => {
      const numbers = [...text.matchAll(/\d+(?:,\d{3}(?!\d))*(?:\.\d+)*/g)]
        .map((match) => [match.index, match.index + match[0].length] as const);
      const isWhole = (place: number) => numbers.every(([start, end]) => place <= start || place >= end);
      const places = Array.from(text, (_, place) => place);
      const expected = places.some((place) =>
        text.startsWith(part, place) && isWhole(place) && isWhole(place + part.length)
      );
      assert.equal(containsText(text, part), expected);
    }),
    { seed: 20260917, numRuns: 5000 },
  );
});
