/** Keeps the store of a project out of version control. */
import { appendFile, readFile } from "node:fs/promises";

/** It holds the texts of passages and answers. */
const IGNORED = ".oloproof/";

/** Adds the store's folder, and others, to a `.gitignore`, which is made when there is none. */
export async function ignoreStore(path: string, others: readonly string[] = []): Promise<void> {
  const before = await readFile(path, "utf8").catch((cause) => {
    if (cause instanceof Error && "code" in cause && cause.code === "ENOENT") return "";
    throw cause;
  });
  const more = [IGNORED, ...others].filter((line) => !before.split(/\r?\n/).includes(line));
  if (more.length === 0) return;
  const gap = before === "" || before.endsWith("\n") ? "" : "\n";
  await appendFile(path, `${gap}${more.join("\n")}\n`);
}
