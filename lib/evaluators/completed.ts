/** The evaluator `completed`. */
import { z } from "zod";
import { observed } from "../domain/judgment.ts";
import { defineEvaluator, type EvaluatorType } from "./evaluator.ts";

const parameters = z.strictObject({});

/**
 * Passes when the execution finished and fails when a stage did not deliver: the one evaluator that counts
 * failures.
 */
export const completed: EvaluatorType = defineEvaluator<z.infer<typeof parameters>>({
  type: "completed",
  version: 1,
  reads: "execution",
  observes: "pass",
  parameters,
  criterion: () => "completed",
  judge: () => observed(true),
  judgeFailed: () => observed(false),
});
