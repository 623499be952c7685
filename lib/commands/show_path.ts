/** How messages name a file: as the user would type it. */
import { relative } from "node:path";

/** The path relative to the current folder where it lies below it, else whole. */
export function showPath(path: string, cwd: string): string {
  const shown = relative(cwd, path);
  return shown === "" || shown.startsWith("..") ? path : shown;
}
