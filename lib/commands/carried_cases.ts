/** Which finished cases a run takes over from another as they are. */
import { isLasting } from "../domain/judgment.ts";
import type { CountedStage } from "../domain/record.ts";
import type { CaseCache, StoredCase } from "../domain/run.ts";

/** Whether nothing of a case failed: its execution finished and all its judgments would be reused. */
export function isCarried({ record, judgments }: StoredCase): boolean {
  return record.error === undefined && judgments.every(isLasting);
}

/**
 * The cache outcomes of a case that is carried: everything was found.
 *
 * @param evaluators How many the run has.
 * @param stages The hits of an execution of its system.
 */
export function outcomesOfCarried(evaluators: number, stages: Pick<CaseCache, CountedStage>): CaseCache {
  return { execution: "hit", ...stages, judgment: { hit: evaluators, miss: 0 } };
}
