/** The evaluator `precision`. */
import type { EvaluatorType } from "./evaluator.ts";
import { defineRetrievalMetric } from "./retrieval_metric.ts";

/**
 * The number of relevant units among the first k candidates, divided by k, in [0, 1]. The divisor is k also
 * when fewer candidates were returned, and with fewer relevant units than k it cannot reach 1. What is read,
 * counted and excluded: `defineRetrievalMetric`.
 *
 * Source: NIST trec_eval 10, measure `P`.
 */
export const precision: EvaluatorType = defineRetrievalMetric({
  type: "precision",
  version: 1,
  observes: "number",
  measure: ({ found, k }) => found.length / k,
});
