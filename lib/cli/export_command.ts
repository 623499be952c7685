/** `oloproof export` */
import { exportCases } from "../commands/export.ts";
import { caseLine } from "../report/case_line.ts";
import type { Io } from "./io.ts";
import { EXIT } from "./exit_code.ts";
import type { GlobalOptions } from "./global_options.ts";
import { storeOf, surroundingsOf } from "./surroundings.ts";

/** Writes a run to stdout, a line of JSON a case. */
export async function exportCommand(id: string, options: GlobalOptions, io: Io): Promise<number> {
  const store = await storeOf(options, io);
  for await (const { run, stored } of exportCases(store, id, surroundingsOf(io))) {
    io.stdout(`${JSON.stringify(caseLine(run.evaluators, stored))}\n`);
  }
  return EXIT.done;
}
