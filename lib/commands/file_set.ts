/** Files that are written aside and put in their places together: a command that fails leaves nothing behind. */
import { mkdir, open, readdir, rename, rm, rmdir, stat } from "node:fs/promises";
import type { FileHandle } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { messageOf, OloproofError } from "../domain/error.ts";

/** Text that is held before it is written, in UTF-16 code units: a call of the system for every line would be slow. */
const HELD = 1 << 16;

/** One file of a set, written from its beginning to its end. */
export class NewFile {
  #held: string[] = [];
  #size = 0;
  #isOpen = true;

  constructor(readonly path: string, readonly aside: string, private readonly handle: FileHandle) {}

  /** Adds text to the file. */
  async write(text: string): Promise<void> {
    this.#held.push(text);
    this.#size += text.length;
    if (this.#size >= HELD) await this.#flush();
  }

  /** Writes what is held and closes the file. */
  async close(): Promise<void> {
    await this.#flush();
    await this.abandon();
  }

  /** Closes the file as it is. */
  async abandon(): Promise<void> {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    await this.handle.close();
  }

  async #flush(): Promise<void> {
    const text = this.#held.join("");
    this.#held = [];
    this.#size = 0;
    if (text !== "") await this.handle.writeFile(text);
  }
}

/** What becomes of files that are there already. */
export interface FileSetOptions {
  readonly overwrite: boolean;
  /** What to do when one is there and must not be overwritten. */
  readonly hint: string;
}

/**
 * Writes files, all of them or none.
 *
 * @param write Makes the files by {@link FileSet.create}; when it throws, none is left.
 * @throws {OloproofError} `file_exists`, `unwritable_folder`.
 */
export async function writeFiles<T>(
  options: FileSetOptions,
  write: (files: FileSet) => Promise<T>,
): Promise<T> {
  const files = new FileSet(options);
  try {
    const result = await write(files);
    await files.commit();
    return result;
  } finally {
    await files.discard();
  }
}

/** The files of one command. */
export class FileSet {
  readonly #files: NewFile[] = [];
  /** Folders that were made for them. */
  readonly #folders = new Set<string>();

  constructor(private readonly options: FileSetOptions) {}

  /** Whether something is at a path. */
  async isThere(path: string): Promise<boolean> {
    return await stat(path).then(() => true, () => false);
  }

  /** Begins a file, beside its place; the folder is made when there is none. */
  async create(path: string): Promise<NewFile> {
    try {
      if (await mkdir(dirname(path), { recursive: true }) !== undefined) this.#folders.add(dirname(path));
      await this.#refuseExisting(path);
      const aside = join(dirname(path), `.${basename(path)}.${Deno.pid}.new`);
      const file = new NewFile(path, aside, await open(aside, "w"));
      this.#files.push(file);
      return file;
    } catch (cause) {
      throw unwritable(path, cause);
    }
  }

  /** Puts all files in their places. */
  async commit(): Promise<void> {
    for (const file of this.#files) await this.#try(file, () => file.close());
    for (const file of this.#files) await this.#try(file, () => this.#place(file));
  }

  /** Removes what was not put in its place, and folders that stayed empty. */
  async discard(): Promise<void> {
    for (const file of this.#files) {
      await file.abandon();
      await rm(file.aside, { force: true });
    }
    for (const folder of this.#folders) if ((await readdir(folder)).length === 0) await rmdir(folder);
  }

  async #place({ aside, path }: NewFile): Promise<void> {
    await this.#refuseExisting(path);
    await rename(aside, path);
  }

  async #try(file: NewFile, action: () => Promise<void>): Promise<void> {
    try {
      await action();
    } catch (cause) {
      throw unwritable(file.path, cause);
    }
  }

  async #refuseExisting(path: string): Promise<void> {
    const found = await stat(path).catch(() => undefined);
    if (found === undefined || (this.options.overwrite && !found.isDirectory())) return;
    const what = found.isDirectory()
      ? "a folder of this name is there"
      : "it is there already and is left as it is";
    throw new OloproofError(`Cannot write ${JSON.stringify(basename(path))}: ${what}`, {
      code: "file_exists",
      kind: "configuration",
      where: path,
      hint: this.options.hint,
    });
  }
}

function unwritable(path: string, cause: unknown): OloproofError {
  if (cause instanceof OloproofError) return cause;
  const isFile = cause instanceof Error && "code" in cause &&
    (cause.code === "EEXIST" || cause.code === "ENOTDIR");
  if (isFile) {
    return new OloproofError(`Cannot write ${JSON.stringify(basename(path))}: its folder would be a file`, {
      code: "not_a_folder",
      kind: "configuration",
      where: dirname(path),
      hint: "name a folder, or one that is yet to be made",
    });
  }
  return new OloproofError(`Cannot write ${JSON.stringify(basename(path))}: ${messageOf(cause)}`, {
    code: "unwritable_folder",
    kind: "surroundings",
    where: dirname(path),
    cause,
  });
}
