/** The run that a new one would only repeat. */
import { canonicalJson } from "../domain/identity.ts";
import type { Store } from "../domain/ports.ts";
import type { Project } from "../domain/project.ts";
import type { RunHeader } from "../domain/run.ts";
import { isUnchanged } from "./check_unchanged.ts";
import type { Preparation } from "./prepare_run.ts";

/** Runs that are looked at. An equal one further back costs a look-up a case, and nothing else. */
const RECENT = 50;

/**
 * A recent run of the same cases, system, evaluators and program, if no newer one has executed the same system: what finished in it is
 * what the cache would answer, case by case. None where judges are asked, whose verdicts are counted one by one.
 */
export async function findEqualRun(
  store: Store,
  project: Project,
  prepared: Preparation,
): Promise<RunHeader | undefined> {
  const { system: { identity }, functions, repeats } = prepared;
  if (functions.judges !== undefined) return undefined;
  const settings = canonicalJson(identity.settings);
  const newest = (await store.newestRuns(RECENT)).find(({ kind, system, source_digest }) =>
    // What child runs execute is theirs alone.
    kind === "run" &&
    // Of recorded outputs each record is told apart by itself: another file may hold some of the same.
    (system.recorded === true || source_digest === identity.source_digest) &&
    canonicalJson(system) === settings
  );
  if (newest?.request === undefined || newest.repeats !== repeats) return undefined;
  return isUnchanged({ ...newest, request: newest.request }, project, prepared) ? newest : undefined;
}
