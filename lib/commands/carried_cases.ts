/** Which finished cases a retry takes over as they are. */
import { isLasting } from "../domain/judgment.ts";
import type { CountedStage } from "../domain/record.ts";
import type { CaseCache, StoredCase } from "../domain/run.ts";
import type { PlaceSet } from "./place_set.ts";

/** Cases that are carried at once. */
const CHUNK = 500;

/** Whether nothing of a case failed: its execution finished and all its judgments would be reused. */
export function isCarried({ record, judgments }: StoredCase): boolean {
  return record.error === undefined && judgments.every(isLasting);
}

/**
 * The cases that are carried from a run, in chunks, with the cache outcomes that they have in the retry: everything was found.
 *
 * @param finished What the retry has already.
 * @param of How many evaluators the run has, and the hits of an execution of its system.
 */
export async function* carriedCases(
  source: AsyncIterable<StoredCase>,
  finished: PlaceSet,
  of: { readonly evaluators: number; readonly stages: Pick<CaseCache, CountedStage> },
): AsyncGenerator<{ readonly cases: readonly StoredCase[]; readonly cache: CaseCache }> {
  const cache: CaseCache = {
    execution: "hit",
    ...of.stages,
    judgment: { hit: of.evaluators, miss: 0 },
    carried: true,
  };
  let cases: StoredCase[] = [];
  for await (const stored of source) {
    if (!isCarried(stored) || finished.has(stored)) continue;
    cases.push(stored);
    if (cases.length < CHUNK) continue;
    yield { cases, cache };
    cases = [];
  }
  if (cases.length > 0) yield { cases, cache };
}
