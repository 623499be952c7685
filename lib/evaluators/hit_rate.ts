/** The evaluator `hit_rate`. */
import type { EvaluatorType } from "./evaluator.ts";
import { defineRetrievalMetric } from "./retrieval_metric.ts";

/**
 * Passes when a relevant unit is among the first k candidates. What is read, counted and excluded:
 * `defineRetrievalMetric`.
 *
 * Source: NIST trec_eval 10, measure `success`.
 */
export const hitRate: EvaluatorType = defineRetrievalMetric({
  type: "hit_rate",
  version: 1,
  observes: "pass",
  measure: ({ found }) => found.length > 0,
});
