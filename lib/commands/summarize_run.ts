/** Reads a run back into its report. */
import type { RunReport } from "../domain/run_report.ts";
import { RunFold } from "../metrics/run_fold.ts";
import type { RunSource } from "./run_source.ts";

/** The report of a stored run, as its `run` printed it (the notices about caches aside, which were of that moment). */
export async function summarizeRun({ header, store }: RunSource): Promise<RunReport> {
  const fold = new RunFold(header);
  for await (const finished of store.readCases(header.run_id)) fold.add(finished);
  return fold.report();
}
