/** `oloproof validate` */
import { openProject } from "../commands/open_project.ts";
import { validate } from "../commands/validate.ts";
import { validationText } from "../report/validate_text.ts";
import type { Io } from "./io.ts";
import { EXIT } from "./exit_code.ts";
import type { GlobalOptions } from "./global_options.ts";
import { jsonText, printNotices, programOf, surroundingsOf } from "./surroundings.ts";

/** Checks the project and prints what each evaluator can judge. */
export async function validateCommand(options: GlobalOptions, io: Io): Promise<number> {
  const project = await openProject(options.C, { cwd: io.cwd, store: options.store });
  const validation = await validate(project, surroundingsOf(io));
  io.stdout(options.json ? jsonText(validation) : validationText(validation, programOf(options)));
  printNotices(validation.notices, options, io);
  return EXIT.done;
}
