/** What is said when a run that is exported is not whole. */
import type { RunSource } from "../commands/run_source.ts";
import type { Io } from "./io.ts";

/** A part must not pass for a whole. */
export function tellUnfinished({ header: { run_id, status, forgotten_cases } }: RunSource, io: Io): void {
  if (status !== "complete") {
    io.stderr(`notice[unfinished_run]: ${run_id} is ${status}: not all of its cases are in it\n`);
  }
  if (forgotten_cases !== undefined) {
    io.stderr(`notice[forgotten_cases]: ${forgotten_cases} of the cases of ${run_id} were forgotten\n`);
  }
}
