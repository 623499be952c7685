/** Reads a run back from the store into its report. */
import type { Store, StoredRun } from "../domain/ports.ts";
import type { RunReport } from "../domain/run_report.ts";
import { RunFold } from "../metrics/run_fold.ts";

/** The report of a stored run, as its `run` printed it (the notices about caches aside, which were of that moment). */
export async function summarizeRun(store: Store, run: StoredRun): Promise<RunReport> {
  const fold = new RunFold(run.header);
  for await (const finished of store.readCases(run.header.run_id)) fold.add(finished);
  return fold.report();
}
