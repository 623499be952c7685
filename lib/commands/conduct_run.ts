/** Conducts a run from its first case to its report, whether it begins or goes on. */
import { isRemoteStore } from "../domain/store_location.ts";
import type { Batch, RunHeader, RunStatus } from "../domain/run.ts";
import type { Notice, RunReport } from "../domain/run_report.ts";
import { judgeNotices } from "./judge_notices.ts";
import { policyNotices } from "./policy_notice.ts";
import { RunRecorder } from "./run_recorder.ts";
import { type RunTask, RunWork } from "./run_work.ts";
import type { Surroundings } from "./surroundings.ts";

/**
 * Executes what there is to execute and answers with the report of the whole run. An interruption (`stop`) keeps what is finished
 * and answers with status `interrupted`.
 *
 * @param mode Whether the run of the header is a new one, or one of the store that goes on.
 * @throws {OloproofError} A store that fails, `run_taken_over`, `cases_changed`; the run is marked as interrupted then.
 */
export async function conductRun(
  task: RunTask,
  header: RunHeader,
  mode: "begin" | "resume",
  surroundings: Surroundings,
): Promise<RunReport> {
  task.prepared.functions.judges?.requireKeys();
  const open = mode === "begin" ? RunRecorder.begin : RunRecorder.resume;
  const onLanded = (batch: Batch) => work.landed(batch);
  const recorder = await open(task.store, header, surroundings.clock, onLanded);
  const work = new RunWork(task, recorder, surroundings, mode === "resume");
  let status: RunStatus;
  try {
    if (mode === "resume") await work.recallAll();
    if (header.retry_of !== undefined) await work.carryAll(header.retry_of, true);
    if (task.equal_run !== undefined) await work.carryAll(task.equal_run, false);
    await work.executeAll();
    status = "complete";
  } catch (cause) {
    // What was paid for is kept; the error that ended the run is the one that is told.
    await work.keepVerdicts().catch(() => undefined);
    if (!surroundings.stop.aborted || cause !== surroundings.stop.reason) {
      await recorder.abandon();
      throw cause;
    }
    status = "interrupted";
  }
  await recorder.finish(status);
  const report = recorder.fold.report(status);
  const notices = [
    ...remoteNotices(task.project.store),
    ...(surroundings.systems?.notices() ?? []),
    ...judgeNotices(task.project.evaluators),
    ...await work.reuseNotices(),
    ...report.notices,
    ...(status === "complete" ? await policyNoticesOf(task, report, surroundings) : []),
  ];
  return { ...report, notices };
}

async function policyNoticesOf(
  { project, prepared: { repeats } }: RunTask,
  { metrics }: RunReport,
  surroundings: Surroundings,
): Promise<readonly Notice[]> {
  const present = new Map(metrics.map(({ criterion, observed }) => [criterion, observed]));
  return await policyNotices(project, present, surroundings, repeats);
}

/** Names the host that receives what a run records. */
function remoteNotices(store: string): readonly Notice[] {
  if (!isRemoteStore(store)) return [];
  return [{
    severity: "notice",
    code: "remote_store",
    message: `Inputs, passages and answers are kept at ${new URL(store).host}`,
  }];
}
