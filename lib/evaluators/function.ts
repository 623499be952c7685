/** The evaluator `function`. */
import { z } from "zod";
import { missing, observed } from "../domain/judgment.ts";
import { describeValue } from "./describe_value.ts";
import { defineEvaluator, type EvaluatorType } from "./evaluator.ts";

const parameters = z.strictObject({
  object: z.string().regex(/^[^:]+:[^:]+$/, "Expected module:export, such as scoring:isPolite"),
});

/**
 * What the user's function `object` says of the record: a boolean, or a number in [0, 1]. The function is
 * called with the record (case, candidates, context, output) and may be async. Any other value is missing
 * with `invalid_value`; what it throws is missing with `evaluator_failed`. The criterion is the export's
 * name.
 */
export const userFunction: EvaluatorType = defineEvaluator<z.infer<typeof parameters>>({
  type: "function",
  version: 1,
  reads: "output",
  observes: "either",
  parameters,
  criterion: ({ object }) => object.slice(object.indexOf(":") + 1),
  async judge({ object }, record, ports) {
    const value = await ports.callFunction(object, record);
    if (typeof value === "boolean" || (typeof value === "number" && value >= 0 && value <= 1)) {
      return observed(value);
    }
    const message = `The function ${object} returned ${describeValue(value)}; ` +
      "expected a boolean or a number in [0, 1]";
    return missing("invalid_value", message);
  },
});
