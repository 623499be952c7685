/** Keeps the store of a project out of version control. */
import { appendFile, readFile } from "node:fs/promises";

/** It holds the texts of passages and answers. */
const IGNORED = ".oloproof/";

/** Adds the store's folder to a `.gitignore`, which is made when there is none. */
export async function ignoreStore(path: string): Promise<void> {
  const before = await readFile(path, "utf8").catch((cause) => {
    if (cause instanceof Error && "code" in cause && cause.code === "ENOENT") return "";
    throw cause;
  });
  if (before.split(/\r?\n/).includes(IGNORED)) return;
  await appendFile(path, `${before === "" || before.endsWith("\n") ? "" : "\n"}${IGNORED}\n`);
}
