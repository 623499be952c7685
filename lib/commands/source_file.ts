/** Files of a source that is imported. */
import { dirname, resolve } from "node:path";
import type { SourceFile, SourceLine } from "../importers/imported.ts";
import { readLines } from "./read_lines.ts";
import { showPath } from "./show_path.ts";

/** A file on the disk, as importers read it. @param hint What to do when it cannot be read. */
export function sourceFile(
  path: string,
  cwd: string,
  hint = "a source is named relative to the current folder",
): SourceFile {
  const absolute = resolve(cwd, path);
  const shown = showPath(absolute, cwd);
  async function* lines(): AsyncGenerator<SourceLine> {
    for await (const { number, text } of readLines(absolute, shown, hint)) {
      yield { number, text: number === 1 && text.startsWith("\ufeff") ? text.slice(1) : text };
    }
  }
  return {
    shown,
    lines,
    async text() {
      const all: string[] = [];
      for await (const { text } of lines()) all.push(text);
      return all.join("\n");
    },
    beside: (other) =>
      sourceFile(resolve(dirname(absolute), other), cwd, `${shown} names it, relative to its own folder`),
  };
}
