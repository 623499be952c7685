/** `oloproof import` */
import { resolve } from "node:path";
import { importProject, type ImportSource } from "../commands/import.ts";
import { initText } from "../report/init_text.ts";
import { EXIT } from "./exit_code.ts";
import type { GlobalOptions } from "./global_options.ts";
import type { Io } from "./io.ts";
import { jsonText, printNotices, surroundingsOf } from "./surroundings.ts";

/** The options of every form. */
export interface ImportCommandOptions extends GlobalOptions {
  readonly output: string;
  readonly force?: boolean;
}

/** Writes a project and says what is in it, what was left out, and what comes next. */
export async function importCommand(
  source: ImportSource,
  { C, output, force = false, ...options }: ImportCommandOptions,
  io: Io,
): Promise<number> {
  const folder = resolve(io.cwd, C, output);
  const made = await importProject(source, { folder, force }, surroundingsOf(io)).catch((cause) => {
    if (io.stop.aborted) return undefined;
    throw cause;
  });
  if (made === undefined) {
    io.stderr("Interrupted: nothing was written\n");
    return EXIT.interrupted;
  }
  io.stdout(options.json ? jsonText(made) : initText(made));
  printNotices(made.notices, { C, ...options }, io);
  return EXIT.done;
}
