/** What of a run is left to execute. */
import type { Case } from "../domain/case.ts";
import type { Project } from "../domain/project.ts";
import type { CasePlace } from "../domain/run.ts";
import type { PlaceSet } from "./place_set.ts";
import type { Preparation } from "./prepare_run.ts";
import { streamCases } from "./read_cases.ts";

/** The cases of a run in their order, each as often as it is to be executed, but for what is finished. */
export async function* unfinishedCases(
  project: Project,
  { select, fingerprints, repeats, gold }: Preparation,
  finished: PlaceSet,
  cwd: string,
): AsyncGenerator<readonly [CasePlace, Case]> {
  let ordinal = 0;
  for await (const read of streamCases(project, select, fingerprints, cwd)) {
    const testCase = gold?.fill(read) ?? read;
    for (let repeat = 1; repeat <= repeats; repeat++) {
      const place = { ordinal, repeat };
      if (!finished.has(place)) yield [place, testCase];
    }
    ordinal++;
  }
}
