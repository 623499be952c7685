/** The evaluator `judge`. */
import { z } from "zod";
import type { Case } from "../domain/case.ts";
import { observed } from "../domain/judgment.ts";
import { checkJudgeModel, judgeModelShape } from "../judges/judge_model.ts";
import { PROMPT_VERSION } from "../judges/prompt.ts";
import { askRubric } from "../judges/question.ts";
import { CORRECTNESS } from "../judges/rubric.ts";
import { defineEvaluator, type EvaluatorType, notReported } from "./evaluator.ts";
import { judgeBy, readAnswer, readPassages } from "./judge_verdict.ts";
import { besideOtherMistakes } from "./parameter_check.ts";
import { expectedTexts, fieldPath, NO_EXPECTED_VALUE } from "./read_field.ts";

const parameters = z.strictObject({
  ...judgeModelShape,
  rubric: z.string().refine((text) => text === CORRECTNESS || /\S\s+\S/.test(text))
    .describe(`${CORRECTNESS}, or the text of a rubric`).default(CORRECTNESS),
  field: fieldPath.optional(),
  expected_field: fieldPath.optional(),
  show_context: z.boolean().default(false),
}).superRefine(checkJudgeModel, besideOtherMistakes);

type Parameters = z.infer<typeof parameters>;

/**
 * Passes when a judge finds that the answer passes a rubric: `correctness`, the shipped one (the answer against the reference), or
 * one in the user's own words. The judge reads the input, the answer (`field`, the whole output without one), the references (the
 * expected texts at `expected_field`; any one will do) and, with `show_context`, the context.
 *
 * Excluded with `no_expected_value` when the case has no reference that the rubric or `expected_field` asks for. Missing with
 * `output_not_text`, `output_field_absent` or `passage_without_text` when something cannot be read, and with the judge's own
 * reason when it gave no verdict. An empty answer is put to the judge like any other.
 */
export const judge: EvaluatorType = defineEvaluator<Parameters>({
  type: "judge",
  version: PROMPT_VERSION,
  reads: "output",
  observes: "pass",
  judged: true,
  parameters,
  criterion: ({ rubric }) => rubric === CORRECTNESS ? CORRECTNESS : "judge",
  excludes: (given, testCase) => referencesOf(given, testCase)?.length === 0 ? NO_EXPECTED_VALUE : undefined,
  needs: ({ show_context }) => show_context ? ["context"] : [],
  judge(given, record, ports) {
    const answer = readAnswer(record, given.field);
    if (answer.status === "missing") return answer;
    if (given.show_context && record.context === undefined) return notReported("context");
    const passages = given.show_context ? readPassages(record.context ?? []) : undefined;
    if (passages !== undefined && "status" in passages) return passages;
    const references = referencesOf(given, record.case);
    const question = askRubric(given.rubric, record.case.input, answer.value, {
      ...(references === undefined ? {} : { references }),
      ...(passages === undefined ? {} : { passages }),
    });
    return judgeBy(given, question, ports, ({ pass, reason }) => observed(pass, { reason }));
  },
});

/** The references that are asked for; undefined where none are. */
function referencesOf(
  { rubric, expected_field }: Parameters,
  testCase: Case,
): readonly string[] | undefined {
  if (rubric !== CORRECTNESS && expected_field === undefined) return undefined;
  return expectedTexts(testCase, expected_field).filter((text) => text.trim() !== "");
}
