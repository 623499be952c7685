/** The evaluator `regex`. */
import { z } from "zod";
import { missing, observed } from "../domain/judgment.ts";
import { defineEvaluator, type EvaluatorType } from "./evaluator.ts";
import { besideOtherMistakes } from "./parameter_check.ts";
import { findPatternProblem } from "./pattern_parameter.ts";
import { fieldPath, readOutputText } from "./read_field.ts";

const parameters = z.strictObject({
  field: fieldPath.optional(),
  pattern: z.string().min(1),
  flags: z.string().default(""),
}).superRefine(checkPattern, besideOtherMistakes);

function checkPattern(given: { pattern?: unknown; flags?: unknown }, context: z.RefinementCtx): void {
  const { pattern, flags = "" } = given;
  if (typeof pattern !== "string" || typeof flags !== "string") return;
  const problem = findPatternProblem(pattern, flags);
  if (problem === undefined) return;
  context.addIssue({ code: "custom", path: [problem.parameter], message: problem.message });
}

/**
 * Passes when the pattern matches somewhere in the output's text, which is read as it stands, without
 * normalisation. `flags` are those of JavaScript without `g` and `y`. Scalars are read as text; a null output
 * fails; a list or an object is missing with `output_not_text`, and a search that takes too long with
 * `pattern_timed_out`.
 */
export const regex: EvaluatorType = defineEvaluator<z.infer<typeof parameters>>({
  type: "regex",
  version: 1,
  reads: "output",
  observes: "pass",
  parameters,
  criterion: () => "regex",
  judge({ field, pattern, flags }, record, { patterns }) {
    const output = readOutputText(record, field);
    if (output.status === "missing") return output;
    if (output.value === null) return observed(false);
    const result = patterns.find(pattern, flags, output.value, "first");
    return result.status === "timed_out" ? missing("pattern_timed_out") : observed(result.matches.length > 0);
  },
});
