/** `oloproof forget` */
import { forget } from "../commands/forget.ts";
import { forgetText } from "../report/erasure_text.ts";
import type { Io } from "./io.ts";
import { EXIT } from "./exit_code.ts";
import type { GlobalOptions } from "./global_options.ts";
import { jsonText, storeOf, surroundingsOf } from "./surroundings.ts";

/** The options of `forget`. */
export interface ForgetCommandOptions extends GlobalOptions {
  readonly run?: readonly string[];
  readonly case?: readonly string[];
  readonly before?: string;
  readonly dryRun?: boolean;
  readonly force?: boolean;
}

/** Erases runs or cases from the store, and tells what went. */
export async function forgetCommand(options: ForgetCommandOptions, io: Io): Promise<number> {
  const { run: runs = [], case: cases = [], before, dryRun: dry_run = false, force = false } = options;
  const asked = { runs, cases, dry_run, force, ...(before === undefined ? {} : { before }) };
  const forgotten = await forget(await storeOf(options, io), asked, surroundingsOf(io));
  io.stdout(options.json ? jsonText(forgotten) : forgetText(forgotten));
  return EXIT.done;
}
