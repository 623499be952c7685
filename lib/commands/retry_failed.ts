/** `run --retry-failed`: executes again what failed in a run, in a new one. */
import type { Store } from "../domain/ports.ts";
import type { Project } from "../domain/project.ts";
import type { RunHeader } from "../domain/run.ts";
import type { RunReport } from "../domain/run_report.ts";
import { openStore, TOKEN_VARIABLE } from "../store/open_store.ts";
import { isCarried } from "./carried_cases.ts";
import { conductRun } from "./conduct_run.ts";
import { findRecorded, prepareRecorded } from "./recorded_run.ts";
import { describeRun } from "./run_header.ts";
import type { RunOptions } from "./run_options.ts";
import { summarizeRun } from "./summarize_run.ts";
import { judgeSecrets } from "./judge_notices.ts";
import type { Surroundings } from "./surroundings.ts";

/**
 * Makes a new run of the same cases: what did not fail is carried, what failed or was never executed is executed. The run that it
 * retries stays as it is. Where nothing failed, no run is made and that one is told again.
 *
 * @throws {OloproofError} As {@link findRecorded} and {@link prepareRecorded}.
 */
export async function retryFailed(
  project: Project,
  id: string,
  options: RunOptions,
  surroundings: Surroundings,
): Promise<RunReport> {
  const token = surroundings.env(TOKEN_VARIABLE);
  const secrets = judgeSecrets(project.evaluators, surroundings);
  const store = await openStore(project.store, { mode: "read", token, secrets });
  try {
    const { header: source } = await findRecorded(store, id, "retry", options);
    const prepared = await prepareRecorded(project, source, "retry", surroundings);
    if (!await hasFailures(store, source)) {
      const report = await summarizeRun({ header: source, store });
      return {
        ...report,
        notices: [...report.notices, {
          severity: "notice",
          code: "nothing_failed",
          message: `Nothing failed in ${source.run_id}: no new run was made`,
        }],
      };
    }
    const { name, refresh = [], concurrency } = options;
    const header = describeRun(project, prepared, { name, refresh, retry_of: source.run_id }, surroundings);
    return await conductRun(
      { project, prepared, store, refresh, concurrency },
      header,
      "begin",
      surroundings,
    );
  } finally {
    store.close();
  }
}

/** Whether any case failed, lost a judgment, or was not finished. */
async function hasFailures(store: Store, { run_id, cases, repeats }: RunHeader): Promise<boolean> {
  let finished = 0;
  for await (const stored of store.readCases(run_id)) {
    if (!isCarried(stored)) return true;
    finished++;
  }
  return finished < cases * repeats;
}
