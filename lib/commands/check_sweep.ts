/** What a sweep refuses: runs that have no retrieval to start from, and code that is not theirs. */
import { OloproofError } from "../domain/error.ts";
import type { RunHeader } from "../domain/run.ts";
import type { RunnableSystem } from "../stages/case_execution.ts";
import type { UserFunctions } from "./load_functions.ts";

/** @throws {OloproofError} `wrong_kind`, `not_sweepable`, `unfinished_run`. */
export function checkSweepable({ run_id, kind, parent, status, system }: RunHeader): void {
  const refuse = (code: string, problem: string, hint: string) => {
    throw new OloproofError(`Cannot sweep ${run_id}: ${problem}`, { code, kind: "configuration", hint });
  };
  if (kind !== "run") {
    refuse(
      "wrong_kind",
      "it re-executes cases of another run",
      parent === undefined ? "sweep a run" : `sweep the run ${parent}`,
    );
  }
  if (system.recorded) {
    refuse(
      "not_sweepable",
      "its outputs were recorded; nothing can be executed again",
      "sweep a run of the system itself",
    );
  }
  if (system.reports !== undefined) {
    refuse(
      "not_sweepable",
      "the system answers in one stage, so its retrieval cannot be kept while its answer is made again",
      "run it once for each value: oloproof run --set",
    );
  }
  if (status !== "complete") {
    refuse("unfinished_run", `it is ${status}`, `finish it first: oloproof run --resume ${run_id}`);
  }
}

/**
 * The code must be that of the run: a difference could not be told from that of the settings.
 *
 * @throws {OloproofError} `source_changed`.
 */
export function checkSweptSource(
  header: RunHeader,
  { identity }: RunnableSystem,
  { sources }: UserFunctions,
): void {
  const otherVersion = header.source_digest === null && identity.settings.version !== header.system.version;
  const changed = otherVersion || identity.source_digest !== header.source_digest ||
    [...sources].some(([object, digest]) => header.function_digests[object] !== digest);
  if (!changed) return;
  throw new OloproofError(`Cannot sweep ${header.run_id}: the project's code is not the one that it ran`, {
    code: "source_changed",
    kind: "configuration",
    hint: "run again and sweep that run: a difference would belong to the code and to the settings at once",
  });
}
