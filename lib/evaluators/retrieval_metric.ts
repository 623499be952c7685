/** What the measures of a ranking share: labels, unit, cutoff, and when there is nothing to measure. */
import { z } from "zod";
import { type JudgmentValue, missing, observed } from "../domain/judgment.ts";
import { findRelevant, type FoundUnit, relevantIn } from "../domain/relevance.ts";
import { defineEvaluator, type EvaluatorType, notReported } from "./evaluator.ts";

const parameters = z.strictObject({
  k: z.int().min(1),
  relevance_unit: z.enum(["document", "chunk"]).default("document"),
});

/** What a measure reads. */
export interface Ranking {
  /** The relevant units among the first k candidates, each at its first position, in rank order. */
  readonly found: readonly FoundUnit[];
  /** Every relevant unit of the case, retrieved or not, with its grade; never empty. */
  readonly relevant: ReadonlyMap<string, number>;
  /** The cutoff, whether or not so many candidates were returned. */
  readonly k: number;
}

/** A measure of a ranking at k. */
export interface RetrievalMetric {
  readonly type: string;
  readonly version: number;
  readonly observes: "pass" | "number";
  /** Whether its value depends on positions within the first k. */
  readonly ranks?: boolean;
  measure(ranking: Ranking): JudgmentValue;
}

/**
 * Makes an evaluator of a measure at k. Parameters: `k` and `relevance_unit` (document by default); the
 * criterion is `<type>_at_<k>`.
 *
 * Positions are those of the recorded order; scores are not read. A repeated unit holds its place and earns
 * nothing more. Only the first k candidates are read; places that the retriever left empty count as not
 * relevant, and an empty list is measured. Excluded with `no_relevance_labels` when no label of the case has
 * a grade above 0. Missing with `candidate_without_chunk_id` when chunks are counted and one of the first k
 * candidates names none, with `not_reported` when a system of one stage told no candidates though it declares to. Excluded for
 * every case of a system that does not report them, and, of measures that read positions, of one whose candidates are no single
 * ranking.
 */
export function defineRetrievalMetric(metric: RetrievalMetric): EvaluatorType {
  const { type, version, observes, ranks = false } = metric;
  return defineEvaluator<z.infer<typeof parameters>>({
    type,
    version,
    reads: "retrieval",
    observes,
    ranks,
    parameters,
    criterion: ({ k }) => `${type}_at_${k}`,
    excludes: ({ relevance_unit }, { expected }) =>
      relevantIn(expected, relevance_unit).size === 0 ? "no_relevance_labels" : undefined,
    judge({ k, relevance_unit }, record) {
      if (record.candidates === undefined) return notReported("candidates");
      const relevant = relevantIn(record.case.expected, relevance_unit);
      const first = record.candidates.slice(0, k);
      const found = findRelevant(first, relevant, relevance_unit);
      if (found !== undefined) return observed(metric.measure({ found, relevant, k }));
      const position = first.findIndex(({ chunk_id }) => chunk_id === undefined) + 1;
      const message = `The candidate at position ${position} has no chunk_id; relevance_unit chunk needs one`;
      return missing("candidate_without_chunk_id", message);
    },
  });
}
