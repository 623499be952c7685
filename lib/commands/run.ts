/** `run`: executes a project's cases, judges them, and keeps everything. */
import type { Project } from "../domain/project.ts";
import type { RunReport } from "../domain/run_report.ts";
import { openStore, TOKEN_VARIABLE } from "../store/open_store.ts";
import { conductRun } from "./conduct_run.ts";
import { findEqualRun } from "./find_equal_run.ts";
import { OpenSystems } from "./open_systems.ts";
import { prepareRun } from "./prepare_run.ts";
import { resumeRun } from "./resume_run.ts";
import { retryFailed } from "./retry_failed.ts";
import { describeRun } from "./run_header.ts";
import { askedOf, checkRunOptions, type RunOptions } from "./run_options.ts";
import { judgeSecrets } from "./judge_notices.ts";
import type { Surroundings } from "./surroundings.ts";

/** A thread takes a tenth of a second to start: of fewer executions the writing takes less than that. */
const LONG = 3000;

/**
 * Runs a project, goes on with a run (`resume`), or executes again what failed in one (`retry_failed`). Whatever happens to a case
 * is recorded and stops no other; an interruption (`stop`) keeps what is finished and answers with status `interrupted`.
 *
 * @throws {OloproofError} What makes a run impossible: mistakes of the project, its cases or its system; a store that fails.
 */
export async function run(
  project: Project,
  options: RunOptions,
  outside: Surroundings,
): Promise<RunReport> {
  checkRunOptions(options);
  await using systems = new OpenSystems();
  const surroundings = { ...outside, systems };
  const { resume, retry_failed, name, refresh = [], concurrency } = options;
  if (resume !== undefined) return await resumeRun(project, resume, options, surroundings);
  if (retry_failed !== undefined) return await retryFailed(project, retry_failed, options, surroundings);
  const prepared = await prepareRun(project, askedOf(project, options), surroundings);
  const token = surroundings.env(TOKEN_VARIABLE);
  const secrets = judgeSecrets(project.evaluators, surroundings);
  const store = await openStore(project.store, {
    mode: "write",
    token,
    secrets,
    writes_in_background: prepared.cases * prepared.repeats > LONG,
  });
  try {
    const header = describeRun(project, prepared, { name, refresh }, surroundings);
    const equal = refresh.length > 0 ? undefined : await findEqualRun(store, project, prepared);
    return await conductRun(
      { project, prepared, store, refresh, concurrency, equal_run: equal?.run_id },
      header,
      "begin",
      surroundings,
    );
  } finally {
    store.close();
  }
}
