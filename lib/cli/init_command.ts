/** `oloproof init` */
import { init } from "../commands/init.ts";
import type { InitKind } from "../commands/init_kinds.ts";
import { initText } from "../report/init_text.ts";
import type { Io } from "./io.ts";
import { EXIT } from "./exit_code.ts";
import type { GlobalOptions } from "./global_options.ts";
import { jsonText } from "./surroundings.ts";

/** Makes a project in a folder and says what to do with it. */
export async function initCommand(
  dir: string,
  options: GlobalOptions & { readonly kind: InitKind },
  io: Io,
): Promise<number> {
  // `-C x init` and `init x` both name a folder; together the one lies in the other.
  const made = await init(dir, { kind: options.kind, within: options.C, cwd: io.cwd });
  io.stdout(options.json ? jsonText(made) : initText(made));
  return EXIT.done;
}
