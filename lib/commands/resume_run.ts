/** `run --resume`: goes on with a run that was killed or interrupted. */
import type { Project } from "../domain/project.ts";
import type { RunReport } from "../domain/run_report.ts";
import { openStore, TOKEN_VARIABLE } from "../store/open_store.ts";
import { conductRun } from "./conduct_run.ts";
import { findRecorded, prepareRecorded } from "./recorded_run.ts";
import type { RunOptions } from "./run_options.ts";
import { summarizeRun } from "./summarize_run.ts";
import { judgeSecrets } from "./judge_notices.ts";
import type { Surroundings } from "./surroundings.ts";

/**
 * Executes what a run has not finished, and answers with the report of the whole. A run that is complete is only told again.
 *
 * @throws {OloproofError} As {@link findRecorded} and {@link prepareRecorded}; `run_taken_over` when yet another process resumes it.
 */
export async function resumeRun(
  project: Project,
  id: string,
  options: RunOptions,
  surroundings: Surroundings,
): Promise<RunReport> {
  const token = surroundings.env(TOKEN_VARIABLE);
  const secrets = judgeSecrets(project.evaluators, surroundings);
  const store = await openStore(project.store, { mode: "read", token, secrets });
  try {
    const { header } = await findRecorded(store, id, "resume", options);
    if (header.status === "complete") {
      const report = await summarizeRun({ header, store });
      return {
        ...report,
        notices: [...report.notices, {
          severity: "notice",
          code: "nothing_left",
          message: `${header.run_id} was complete: nothing was left to do`,
        }],
      };
    }
    const prepared = await prepareRecorded(project, header, "resume", surroundings);
    const { concurrency } = options;
    const { refresh } = header.request;
    // The status and the time of the end are those of the attempt before.
    const { finished_at: _, ...begun } = header;
    return await conductRun(
      { project, prepared, store, refresh, concurrency },
      { ...begun, status: "running" },
      "resume",
      surroundings,
    );
  } finally {
    store.close();
  }
}
