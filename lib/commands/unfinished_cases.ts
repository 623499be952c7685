/** What of a run is left to execute. */
import type { Case } from "../domain/case.ts";
import type { CasePlace } from "../domain/run.ts";
import type { PlaceSet } from "./place_set.ts";
import type { Preparation } from "./prepare_run.ts";

/** The cases of a run in their order, each as often as it is to be executed, but for what is finished. */
export async function* unfinishedCases(
  { streamCases, repeats, gold }: Preparation,
  finished: PlaceSet,
): AsyncGenerator<readonly [CasePlace, Case]> {
  let ordinal = 0;
  for await (const read of streamCases()) {
    const testCase = gold?.fill(read) ?? read;
    for (let repeat = 1; repeat <= repeats; repeat++) {
      const place = { ordinal, repeat };
      if (!finished.has(place)) yield [place, testCase];
    }
    ordinal++;
  }
}
