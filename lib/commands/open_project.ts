/** Opens a project: its file, read and checked. */
import { readFile, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { parseProject } from "../config/parse_project.ts";
import { issuesError, messageOf, OloproofError } from "../domain/error.ts";
import { isRemoteStore } from "../domain/store_location.ts";
import type { Project } from "../domain/project.ts";
import { showPath } from "./show_path.ts";

/** The name of a project file. */
export const PROJECT_FILE = "oloproof.yaml";

/**
 * Opens the project in a folder (its `oloproof.yaml`), or the one that a path to a YAML file names. No code of it is loaded.
 *
 * @param store A location that takes the place of the project's own.
 * @throws {OloproofError} `no_project`, `unreadable_file`, or every mistake in the file at once.
 */
export async function openProject(
  path: string,
  options: { readonly cwd: string; readonly store?: string | undefined },
): Promise<Project> {
  const given = resolve(options.cwd, path);
  const file = /\.ya?ml$/.test(basename(given)) ? given : join(given, PROJECT_FILE);
  const shown = showPath(file, options.cwd);
  const parsed = parseProject(await readProjectFile(file, shown), { file: shown, root: dirname(file) });
  if (!parsed.ok) throw issuesError("Cannot open the project", parsed.issues);
  const { project } = parsed;
  return {
    ...project,
    file,
    ...(options.store === undefined ? {} : { store: locateStore(options.store, options.cwd) }),
  };
}

/** A store location as it is opened: a URL as it is, a path made absolute. */
export function locateStore(store: string, cwd: string): string {
  if (/^[a-z][a-z\d+.-]*:/i.test(store) && !isRemoteStore(store) && !/^[a-z]:[\\/]/i.test(store)) {
    throw new OloproofError(`Cannot use the store ${JSON.stringify(store)}`, {
      code: "invalid_store_url",
      kind: "configuration",
      hint: "a store is a file path, or a libsql://, https:// or http:// URL",
    });
  }
  return isRemoteStore(store) ? store : resolve(cwd, store);
}

async function readProjectFile(file: string, shown: string): Promise<string> {
  try {
    const bytes = await readFile(file);
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (cause) {
    if (cause instanceof Error && "code" in cause && cause.code === "ENOENT") {
      const folder = await stat(dirname(file)).then((found) => found.isDirectory(), () => false);
      throw new OloproofError(
        folder
          ? `Cannot open the project: there is no ${basename(file)} here`
          : "Cannot open the project: there is no such folder",
        {
          code: "no_project",
          kind: "configuration",
          where: folder ? shown : dirname(shown),
          hint: "`oloproof init` makes a project; -C DIR names the folder of one",
        },
      );
    }
    if (cause instanceof Error && "code" in cause && cause.code === "ENOTDIR") {
      throw new OloproofError("Cannot open the project: -C names a file that is no YAML file", {
        code: "no_project",
        kind: "configuration",
        where: dirname(shown),
        hint: "name the project's folder, or its .yaml file",
      });
    }
    throw new OloproofError(`Cannot read the project file: ${messageOf(cause)}`, {
      code: "unreadable_file",
      kind: "configuration",
      where: shown,
      cause,
    });
  }
}
