/** A folder of one's own with the programs that a host process needs. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { atExit } from "./at_exit.ts";

/** A folder that only this user can read, with files in it. */
export interface ProgramFolder {
  readonly path: string;
  /** Removes it. */
  remove(): Promise<void>;
}

/** Writes programs into a new temporary folder; it is removed with the program at the latest. */
export async function makeProgramFolder(files: Readonly<Record<string, string>>): Promise<ProgramFolder> {
  const path = await mkdtemp(join(tmpdir(), "oloproof_"));
  const duty = atExit(() => rmSync(path, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) await writeFile(join(path, name), text);
  return {
    path,
    async remove() {
      duty.callOff();
      await rm(path, { recursive: true, force: true });
    },
  };
}
