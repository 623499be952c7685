/** The evaluator `ndcg`. */
import type { EvaluatorType } from "./evaluator.ts";
import { defineRetrievalMetric } from "./retrieval_metric.ts";

/**
 * The normalised discounted cumulative gain of the first k candidates, in [0, 1]: each relevant unit adds its
 * grade divided by log2(position + 1), and the sum is divided by that of the best possible ranking of all the
 * case's relevant units, cut at k. The best ranking is not shortened when fewer than k candidates were
 * returned. What is read, counted and excluded: `defineRetrievalMetric`.
 *
 * Source: Järvelin and Kekäläinen 2002, section 2; linear gain, the discount from the first position on and
 * the cut of the ideal ranking as in NIST trec_eval 10, measure `ndcg_cut`.
 */
export const ndcg: EvaluatorType = defineRetrievalMetric({
  type: "ndcg",
  version: 1,
  observes: "number",
  ranks: true,
  measure({ found, relevant, k }) {
    const best = [...relevant.values()].sort((a, b) => b - a).slice(0, k);
    const ideal = sumOf(best.map((grade, index) => discounted(grade, index + 1)));
    const gain = sumOf(found.map(({ grade, position }) => discounted(grade, position)));
    // Rounding could lift the ratio of two nearly equal sums over 1.
    return Math.min(1, gain / ideal);
  },
});

function discounted(grade: number, position: number): number {
  return grade / Math.log2(position + 1);
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}
