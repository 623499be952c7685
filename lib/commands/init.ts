/** `init`: a project that runs at once. */
import { mkdir, stat, writeFile } from "node:fs/promises";
import { join, relative, resolve } from "node:path";
import { messageOf, OloproofError } from "../domain/error.ts";
import type { InitializedProject } from "../domain/run_report.ts";
import { ignoreStore } from "./ignore_store.ts";
import type { InitKind } from "./init_kinds.ts";
import { templateOf } from "./init_template.ts";

/** Where the project goes and what its system is written with. */
export interface InitOptions {
  readonly kind: InitKind;
  /** The folder that `dir` is relative to, itself relative to `cwd`. */
  readonly within: string;
  readonly cwd: string;
}

/**
 * Makes a project in a folder, which may hold other files. Files that are there are never overwritten.
 *
 * @throws {OloproofError} `file_exists`, `unwritable_folder`.
 */
export async function init(dir: string, options: InitOptions): Promise<InitializedProject> {
  const folder = resolve(options.cwd, options.within, dir);
  const { files, ignored, first } = await templateOf(options.kind);
  try {
    await mkdir(folder, { recursive: true });
    // All or nothing: half a project would only be in the way of the next try.
    for (const { name } of files) await refuseExisting(join(folder, name));
    for (const { name, text } of files) await writeNew(join(folder, name), text);
    await ignoreStore(join(folder, ".gitignore"), ignored);
  } catch (cause) {
    if (cause instanceof OloproofError) throw cause;
    throw new OloproofError(`Cannot make a project: ${messageOf(cause)}`, {
      code: "unwritable_folder",
      kind: "surroundings",
      where: folder,
      cause,
    });
  }
  return {
    folder: relative(options.cwd, folder) || ".",
    files: files.map(({ name, holds }) => ({ name, holds })),
    ...(first === undefined ? {} : { first }),
  };
}

async function refuseExisting(path: string): Promise<void> {
  if (await stat(path).then(() => true, () => false)) throw fileExists(path);
}

async function writeNew(path: string, text: string): Promise<void> {
  try {
    await writeFile(path, text, { flag: "wx" });
  } catch (cause) {
    if (!isCode(cause, "EEXIST")) throw cause;
    throw fileExists(path);
  }
}

function fileExists(path: string): OloproofError {
  return new OloproofError("Cannot make a project: a file is there already and is left as it is", {
    code: "file_exists",
    kind: "configuration",
    where: path,
    hint: "choose an empty folder: oloproof init my-rag",
  });
}

function isCode(cause: unknown, code: string): boolean {
  return cause instanceof Error && "code" in cause && cause.code === code;
}
