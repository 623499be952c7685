/** k against depth: an evaluator cannot read more candidates than the retriever is asked for. */
import type { EvaluatorSpec } from "../domain/project.ts";
import { evaluatorTypes } from "../evaluators/table.ts";

/** An evaluator whose k is beyond the depth. */
export interface EvaluatorBeyondDepth {
  /** Its 0-based place among the evaluators. */
  readonly index: number;
  readonly criterion: string;
  readonly k: number;
  readonly message: string;
}

/**
 * The retrieval evaluators that read more candidates than `depth`, in the order of the evaluators. The
 * project file may leave the depth to the system; then this is asked once the system is loaded, and again
 * after `--set`.
 */
export function evaluatorsBeyondDepth(
  evaluators: readonly EvaluatorSpec[],
  depth: number,
): readonly EvaluatorBeyondDepth[] {
  return evaluators.flatMap(({ type, criterion, parameters: { k } }, index) => {
    if (evaluatorTypes.get(type)?.reads !== "retrieval" || typeof k !== "number" || k <= depth) return [];
    const message =
      `${criterion} reads the first ${k} candidates, but depth is ${depth}; allowed: k up to ${depth}`;
    return [{ index, criterion, k, message }];
  });
}
