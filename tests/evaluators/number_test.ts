import assert from "node:assert/strict";
import fc from "fast-check";
import type { Json, JsonObject } from "../../lib/domain/json.ts";
import { isWithin, readNumber } from "../../lib/evaluators/decimal.ts";
import { absenceOf, judgeCase, mistakesOf, valueOf } from "./judge_case.ts";

const VERDICTS:
  readonly (readonly [output: Json, expected: Json, parameters: JsonObject, passes: boolean])[] = [
    [14, 14, {}, true],
    ["14", 14, {}, true],
    [" 14.0\n", "14", {}, true],
    [14.5, 14, {}, false],
    [15, 14, { tolerance: 1 }, true],
    [13, 14, { tolerance: 1 }, true],
    [15.1, 14, { tolerance: 1 }, false],
    [1.1, 1, { tolerance: 0.1 }, true],
    [0.3, 0.1, { tolerance: 0.2 }, true],
    [1.1000000000000003, 1, { tolerance: 0.1 }, false],
    [105, 100, { relative_tolerance: 0.05 }, true],
    [95, 100, { relative_tolerance: 0.05 }, true],
    [106, 100, { relative_tolerance: 0.05 }, false],
    [-105, -100, { relative_tolerance: 0.05 }, true],
    [1.21, 1.1, { relative_tolerance: 0.1 }, true],
    [0, 0, { relative_tolerance: 0.5 }, true],
    [0.001, 0, { relative_tolerance: 0.5 }, false],
    ["1e3", 1000, {}, true],
    ["-.5", -0.5, {}, true],
    [1e308, -1e308, { tolerance: 1 }, false],
    [5e-324, 0, { tolerance: 5e-324 }, true],
    [5e-324, 0, {}, false],
    [null, 0, {}, false],
  ];

for (const [output, expected, parameters, passes] of VERDICTS) {
  const name = `${output} against ${expected} with ${JSON.stringify(parameters)}`;
  Deno.test(`number: ${name}: ${passes}`, async () => {
    assert.equal(valueOf(await judgeCase("number", parameters, { output, expected })), passes);
  });
}

Deno.test("number: what is absent", async () => {
  const at = { field: "n", expected_field: "n" };
  for (const expected of [{}, { n: null }, { n: [] }, { n: [14] }, { n: "about 14" }, { n: true }]) {
    const judgment = await judgeCase("number", at, { output: { n: 1 }, expected });
    assert.equal(absenceOf(judgment), "excluded no_expected_value");
  }
  assert.equal(
    absenceOf(await judgeCase("number", at, { output: {}, expected: { n: 1 } })),
    "missing output_field_absent",
  );
  for (
    const n of ["14 days", "1,400", "", "0x10", "NaN", "Infinity", "1e999", "1 4", "1.2.3", true, [14], {}]
  ) {
    assert.equal(
      absenceOf(await judgeCase("number", at, { output: { n }, expected: { n: 1 } })),
      "missing output_not_a_number",
    );
  }
  assert.deepEqual(await judgeCase("number", {}, { output: "14 days", expected: 14 }), {
    status: "missing",
    reason: "output_not_a_number",
    message: 'The output is the text "14 days"; expected a number',
  });
});

Deno.test("number: parameters", () => {
  assert.deepEqual(mistakesOf("number", { tolerance: 0 }), []);
  assert.deepEqual(mistakesOf("number", { tolerance: 0, relative_tolerance: 0 }), [
    "relative_tolerance: Give either tolerance or relative_tolerance, not both",
  ]);
  assert.equal(mistakesOf("number", { tolerance: -1 }).length, 1);
  assert.equal(mistakesOf("number", { tolerance: Infinity }).length, 1);
  assert.equal(mistakesOf("number", { tolerance: 1, relative_tolerance: 1, field: 1, x: 1 }).length, 3);
});

Deno.test("number: every number is read back from its text", () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (number) => {
      assert.ok(readNumber(String(number)) === number);
      assert.equal(isWithin(number, number, 0, "absolute"), true);
    }),
    { seed: 20260917, numRuns: 2000 },
  );
});

Deno.test("number: tolerances are exact for cents", () => {
  fc.assert(
    fc.property(
      fc.integer({ max: 1e6, min: -1e6 }),
      fc.integer({ max: 1e6, min: -1e6 }),
      fc.nat(2e6),
      (a, b, t) => {
        assert.equal(isWithin(a / 100, b / 100, t / 100, "absolute"), Math.abs(a - b) <= t);
        // All counted in hundredths, and the product in ten-thousandths.
        assert.equal(
          isWithin(a / 100, b / 100, t / 100, "relative"),
          Math.abs(a - b) * 100 <= t * Math.abs(b),
        );
      },
    ),
    { seed: 20260917, numRuns: 2000 },
  );
});
