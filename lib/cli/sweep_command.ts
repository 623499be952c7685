/** `oloproof sweep` */
import { openProject } from "../commands/open_project.ts";
import { sweep } from "../commands/sweep.ts";
import { parseSweep } from "../config/parse_sweep.ts";
import { issuesError } from "../domain/error.ts";
import { sweepJson } from "../report/sweep_json.ts";
import { sweepText } from "../report/sweep_text.ts";
import { EXIT } from "./exit_code.ts";
import type { GlobalOptions } from "./global_options.ts";
import type { Io } from "./io.ts";
import { createProgress } from "./progress.ts";
import { jsonText, programOf, surroundingsOf } from "./surroundings.ts";

/** The options of `sweep`. */
export interface SweepCommandOptions extends GlobalOptions {
  readonly set: readonly string[];
}

/** Sweeps a run and prints every combination beside it. */
export async function sweepCommand(id: string, options: SweepCommandOptions, io: Io): Promise<number> {
  const parsed = parseSweep(options.set);
  if (!parsed.ok) throw issuesError("Cannot read the options", parsed.issues);
  const set = Object.fromEntries(parsed.varied.map(({ setting, values }) => [setting, values]));
  const project = await openProject(options.C, { cwd: io.cwd, store: options.store });
  const progress = createProgress(io, options.quiet ?? false);
  const swept = await sweep(project, id, { set }, surroundingsOf(io, progress.update)).finally(progress.done);
  if (swept === undefined) {
    io.stderr(
      "Interrupted: nothing was concluded; what was generated is kept, and the same sweep finds it\n",
    );
    return EXIT.interrupted;
  }
  io.stdout(options.json ? jsonText(sweepJson(swept)) : sweepText(swept, { program: programOf(options) }));
  return EXIT.done;
}
