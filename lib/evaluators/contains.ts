/** The evaluator `contains`. */
import { z } from "zod";
import type { Case } from "../domain/case.ts";
import { observed } from "../domain/judgment.ts";
import { containsText } from "./contains_text.ts";
import { defineEvaluator, type EvaluatorType } from "./evaluator.ts";
import { normalizeText } from "./normalize_text.ts";
import { expectedTexts, fieldPath, NO_EXPECTED_VALUE, readOutputText } from "./read_field.ts";

const parameters = z.strictObject({
  field: fieldPath.optional(),
  expected_field: fieldPath.optional(),
  ignore_case: z.boolean().default(true),
});

type Parameters = z.infer<typeof parameters>;

/**
 * Passes when the expected text occurs in the output's text, or any member of an expected list does.
 *
 * Scalars are read as text. Texts are compared in their normal form (see `normalizeText`), and a match never
 * begins or ends inside a number (see `containsText`). A null output fails; a list or an object is missing
 * with `output_not_text`. Excluded with `no_expected_value` when the case expects no text there, or only
 * white space.
 */
export const contains: EvaluatorType = defineEvaluator<Parameters>({
  type: "contains",
  version: 1,
  reads: "output",
  observes: "pass",
  parameters,
  criterion: () => "contains",
  excludes: (given, testCase) => expectedParts(given, testCase).length === 0 ? NO_EXPECTED_VALUE : undefined,
  judge(given, record) {
    const output = readOutputText(record, given.field);
    if (output.status === "missing") return output;
    if (output.value === null) return observed(false);
    const text = normalizeText(output.value, given.ignore_case);
    return observed(expectedParts(given, record.case).some((part) => containsText(text, part)));
  },
});

/** Empty texts are dropped: they occur everywhere and would say nothing. */
function expectedParts({ expected_field, ignore_case }: Parameters, testCase: Case): readonly string[] {
  return expectedTexts(testCase, expected_field)
    .map((text) => normalizeText(text, ignore_case))
    .filter((text) => text !== "");
}
