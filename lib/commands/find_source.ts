/** From what a user types to a run: one in the store, or a bundle on the disk. */
import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import type { Store } from "../domain/ports.ts";
import { readBundle } from "./bundle.ts";
import type { RunSource } from "./run_source.ts";
import { findRun } from "./find_run.ts";
import { showPath } from "./show_path.ts";

/**
 * Finds a run by its id (or what stands for it), or reads the bundle at a path.
 *
 * @throws {OloproofError} As {@link findRun} and {@link readBundle}.
 */
export async function findSource(store: Store, typed: string, cwd: string): Promise<RunSource> {
  const path = resolve(cwd, typed);
  const isFile = await stat(path).then((found) => found.isFile(), () => false);
  if (isFile) return await readBundle(path, showPath(path, cwd));
  return { header: (await findRun(store, typed)).header, store };
}
