/** The evaluator `number`. */
import { z } from "zod";
import type { Case } from "../domain/case.ts";
import { readPath } from "../domain/json.ts";
import { missing, observed } from "../domain/judgment.ts";
import { isWithin, readNumber } from "./decimal.ts";
import { describeValue } from "./describe_value.ts";
import { defineEvaluator, type EvaluatorType } from "./evaluator.ts";
import { besideOtherMistakes } from "./parameter_check.ts";
import { describeField, fieldPath, NO_EXPECTED_VALUE, readOutput } from "./read_field.ts";

const parameters = z.strictObject({
  field: fieldPath.optional(),
  expected_field: fieldPath.optional(),
  tolerance: z.number().min(0).optional(),
  relative_tolerance: z.number().min(0).optional(),
}).superRefine(checkTolerances, besideOtherMistakes);

function checkTolerances(
  given: { tolerance?: unknown; relative_tolerance?: unknown },
  context: z.RefinementCtx,
): void {
  if (given.tolerance === undefined || given.relative_tolerance === undefined) return;
  const message = "Give either tolerance or relative_tolerance, not both";
  context.addIssue({ code: "custom", path: ["relative_tolerance"], message });
}

type Parameters = z.infer<typeof parameters>;

/**
 * Passes when the output's number is within `tolerance` (in the unit of the numbers) or `relative_tolerance`
 * (a share of |expected|) of the expected one, bounds included; without either it must be the same number.
 *
 * A number is a JSON number or a text that is wholly one decimal number (see `readNumber`). A null output
 * fails; any other is missing with `output_not_a_number`. Excluded with `no_expected_value` when the case
 * expects no number there.
 */
export const number: EvaluatorType = defineEvaluator<Parameters>({
  type: "number",
  version: 1,
  reads: "output",
  observes: "pass",
  parameters,
  criterion: () => "number",
  excludes: (given, testCase) =>
    expectedNumber(given, testCase) === undefined ? NO_EXPECTED_VALUE : undefined,
  judge(given, record) {
    const output = readOutput(record, given.field);
    if (output.status === "missing") return output;
    if (output.value === null) return observed(false);
    const actual = readNumber(output.value);
    if (actual === undefined) {
      const found = `${describeField(given.field)} is ${describeValue(output.value)}; expected a number`;
      return missing("output_not_a_number", found);
    }
    const expected = expectedNumber(given, record.case);
    if (expected === undefined) return { status: "excluded", reason: NO_EXPECTED_VALUE };
    const { tolerance = 0, relative_tolerance } = given;
    return observed(
      relative_tolerance === undefined
        ? isWithin(actual, expected, tolerance, "absolute")
        : isWithin(actual, expected, relative_tolerance, "relative"),
    );
  },
});

function expectedNumber({ expected_field }: Parameters, testCase: Case): number | undefined {
  return readNumber(readPath(testCase.expected, expected_field));
}
