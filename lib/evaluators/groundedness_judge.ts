/** The evaluator `groundedness_judge`. */
import { z } from "zod";
import { excluded, missing, observed } from "../domain/judgment.ts";
import { checkJudgeModel, judgeModelShape } from "../judges/judge_model.ts";
import { PROMPT_VERSION } from "../judges/prompt.ts";
import { askGroundedness } from "../judges/question.ts";
import { splitClaims } from "../judges/split_claims.ts";
import { defineEvaluator, type EvaluatorType, notReported } from "./evaluator.ts";
import { judgeBy, readAnswer, readPassages } from "./judge_verdict.ts";
import { besideOtherMistakes } from "./parameter_check.ts";
import { fieldPath } from "./read_field.ts";

const parameters = z.strictObject({ ...judgeModelShape, field: fieldPath.optional() })
  .superRefine(checkJudgeModel, besideOtherMistakes);

/**
 * Passes when a judge finds every claim of the answer supported by the context that the answer was given. The answer, the text in
 * `field` (the whole output without one), is split into numbered claims, its sentences, and the judge gives a verdict on each; the
 * details name the unsupported ones and hold the judge's reason.
 *
 * Excluded with `empty_context` when the context holds no passage. Missing with `empty_answer`, `output_not_text`,
 * `output_field_absent` or `passage_without_text` when there is nothing to be read; then, as above, no judge is asked. Missing
 * with the judge's own reason when it gave no verdict.
 */
export const groundednessJudge: EvaluatorType = defineEvaluator<z.infer<typeof parameters>>({
  type: "groundedness_judge",
  version: PROMPT_VERSION,
  reads: "context",
  observes: "pass",
  judged: true,
  parameters,
  criterion: () => "groundedness",
  judge(given, record, ports) {
    const { context } = record;
    if (context === undefined) return notReported("context");
    if (context.length === 0) return excluded("empty_context");
    const answer = readAnswer(record, given.field);
    if (answer.status === "missing") return answer;
    const claims = splitClaims(answer.value);
    if (claims.length === 0) return missing("empty_answer", "The answer holds neither letter nor digit");
    const passages = readPassages(context);
    if ("status" in passages) return passages;
    const question = askGroundedness(record.case.input, answer.value, passages, claims);
    return judgeBy(given, question, ports, ({ pass, failed, reason }) => {
      const unsupported = failed.flatMap((number) => claims[number - 1] ?? []);
      return observed(pass, { claims: claims.length, unsupported, reason });
    });
  },
});
