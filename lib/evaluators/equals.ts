/** The evaluator `equals`. */
import { z } from "zod";
import { canonicalJson } from "../domain/identity.ts";
import { type Json, readPath } from "../domain/json.ts";
import { observed } from "../domain/judgment.ts";
import { defineEvaluator, type EvaluatorType } from "./evaluator.ts";
import { normalizeText } from "./normalize_text.ts";
import { expectedValues, fieldPath, NO_EXPECTED_VALUE, readOutput, textOf } from "./read_field.ts";

const parameters = z.strictObject({
  field: fieldPath.optional(),
  expected_field: fieldPath.optional(),
  ignore_case: z.boolean().default(true),
});

/**
 * Passes when the output equals the expected value, or any member of an expected list, or that list itself.
 *
 * Scalars are compared as text in its normal form (see `normalizeText`), so 14 equals "14". Lists and objects
 * are equal when their canonical JSON is: to the letter, whatever `ignore_case` says, and whatever the order
 * of the keys. A null output fails. Excluded with `no_expected_value` when the case expects nothing there,
 * null or an empty list.
 */
export const equals: EvaluatorType = defineEvaluator<z.infer<typeof parameters>>({
  type: "equals",
  version: 1,
  reads: "output",
  observes: "pass",
  parameters,
  criterion: () => "equals",
  excludes: ({ expected_field }, testCase) =>
    expectedValues(testCase, expected_field).length === 0 ? NO_EXPECTED_VALUE : undefined,
  judge({ field, expected_field, ignore_case }, record) {
    const output = readOutput(record, field);
    if (output.status === "missing") return output;
    const { value } = output;
    const whole = readPath(record.case.expected, expected_field);
    const accepted = [
      ...expectedValues(record.case, expected_field),
      ...(Array.isArray(whole) ? [whole] : []),
    ];
    return observed(accepted.some((expected) => areEqual(value, expected, ignore_case)));
  },
});

function areEqual(output: Json, expected: Json, ignoreCase: boolean): boolean {
  const [text, expectedText] = [textOf(output), textOf(expected)];
  if (text !== undefined && expectedText !== undefined) {
    return normalizeText(text, ignoreCase) === normalizeText(expectedText, ignoreCase);
  }
  return canonicalJson(output) === canonicalJson(expected);
}
