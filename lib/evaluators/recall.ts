/** The evaluator `recall`. */
import type { EvaluatorType } from "./evaluator.ts";
import { defineRetrievalMetric } from "./retrieval_metric.ts";

/**
 * The share of the case's relevant units that are among the first k candidates, in [0, 1]. With more relevant
 * units than k it cannot reach 1. What is read, counted and excluded: `defineRetrievalMetric`.
 *
 * Source: NIST trec_eval 10, measure `recall`.
 */
export const recall: EvaluatorType = defineRetrievalMetric({
  type: "recall",
  version: 1,
  observes: "number",
  measure: ({ found, relevant }) => found.length / relevant.size,
});
