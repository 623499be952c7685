/** The evaluator `mrr`. */
import type { EvaluatorType } from "./evaluator.ts";
import { defineRetrievalMetric } from "./retrieval_metric.ts";

/**
 * The reciprocal of the position of the first relevant unit, in [0, 1]; 0 when none is among the first k
 * candidates. Its mean over cases is the mean reciprocal rank. What is read, counted and excluded:
 * `defineRetrievalMetric`.
 *
 * Source: Voorhees 1999 (the TREC-8 question answering track report); NIST trec_eval 10, measure `recip_rank`
 * under `-M k`.
 */
export const mrr: EvaluatorType = defineRetrievalMetric({
  type: "mrr",
  version: 1,
  observes: "number",
  ranks: true,
  measure: ({ found: [first] }) => first === undefined ? 0 : 1 / first.position,
});
