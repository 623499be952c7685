/** Which finished cases a retry takes over as they are. */
import { isLasting } from "../domain/judgment.ts";
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
 */
export async function* carriedCases(
  source: AsyncIterable<StoredCase>,
  finished: PlaceSet,
  evaluators: number,
): AsyncGenerator<{ readonly cases: readonly StoredCase[]; readonly cache: CaseCache }> {
  const cache: CaseCache = {
    execution: "hit",
    retrieve: "hit",
    generate: "hit",
    judgment: { hit: evaluators, miss: 0 },
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
