/** `oloproof judge calibrate` */
import { calibrate } from "../commands/calibrate.ts";
import { openProject } from "../commands/open_project.ts";
import { calibrationJson } from "../report/calibration_json.ts";
import { calibrationText } from "../report/calibration_text.ts";
import { EXIT } from "./exit_code.ts";
import type { GlobalOptions } from "./global_options.ts";
import type { Io } from "./io.ts";
import { createProgress } from "./progress.ts";
import { jsonText, programOf, surroundingsOf } from "./surroundings.ts";

/** The options of `judge calibrate`. */
export interface CalibrateCommandOptions extends GlobalOptions {
  readonly criterion: string;
  readonly labels: string;
  readonly run?: string;
  readonly repeats?: number;
}

/** Measures a judge and prints what that came to. */
export async function calibrateCommand(options: CalibrateCommandOptions, io: Io): Promise<number> {
  const project = await openProject(options.C, { cwd: io.cwd, store: options.store });
  const progress = createProgress(io, options.quiet ?? false);
  const { criterion, labels, run, repeats } = options;
  const calibration = await calibrate(project, {
    criterion,
    labels,
    ...(run === undefined ? {} : { run }),
    ...(repeats === undefined ? {} : { repeats }),
  }, surroundingsOf(io, progress.update)).finally(progress.done);
  if (calibration === undefined) {
    io.stderr("Interrupted: nothing was measured; verdicts that were given are remembered\n");
    return EXIT.interrupted;
  }
  io.stdout(
    options.json ? jsonText(calibrationJson(calibration)) : calibrationText(calibration, programOf(options)),
  );
  return EXIT.done;
}
