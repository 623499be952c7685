/** From the program's outside to a command's. */
import { ulid } from "ulid";
import { locateStore, openProject } from "../commands/open_project.ts";
import type { Surroundings } from "../commands/surroundings.ts";
import type { Notice } from "../domain/run_report.ts";
import { noticeText } from "../report/error_text.ts";
import { printable, shellWord } from "../report/printable.ts";
import type { Io } from "./io.ts";
import type { GlobalOptions } from "./global_options.ts";

export { jsonLine, jsonText } from "./json_text.ts";

/** What commands need of the program's outside. */
export function surroundingsOf(
  io: Io,
  onProgress?: Surroundings["onProgress"],
  { debug = false }: Pick<GlobalOptions, "debug"> = {},
): Surroundings {
  const { clock, newId = () => ulid(), stop, cwd } = io;
  return {
    clock,
    newId,
    stop,
    cwd,
    env: (name) => io.env(name),
    ...(onProgress === undefined ? {} : { onProgress }),
    ...(debug ? { onSystemLog: (text: string) => io.stderr(printable(text)) } : {}),
  };
}

/** The store that is meant: the one of `--store`, which needs no project, or the project's. */
export async function storeOf(options: GlobalOptions, io: Io): Promise<string> {
  if (options.store !== undefined) return locateStore(options.store, io.cwd);
  return (await openProject(options.C, { cwd: io.cwd })).store;
}

/** How the program was called, as far as a next command must repeat it. */
export function programOf({ C, store }: Pick<GlobalOptions, "C" | "store">): string {
  return [
    "oloproof",
    ...(C === "." ? [] : ["-C", shellWord(C)]),
    ...(store === undefined ? [] : ["--store", shellWord(store)]),
  ].join(" ");
}

/** Prints notices beside a result; problems are printed however quiet it shall be. */
export function printNotices(notices: readonly Notice[], options: GlobalOptions, io: Io): void {
  for (const notice of notices) {
    if (!options.quiet || notice.severity === "problem") io.stderr(noticeText(notice));
  }
}
