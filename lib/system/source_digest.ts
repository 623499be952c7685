/** The digest of a system's code: an edited prompt must never be answered with yesterday's output. */
import { glob, readFile } from "node:fs/promises";
import { dirname, relative, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { compareText, OloproofError } from "../domain/error.ts";
import { identityOf, sha256 } from "../domain/identity.ts";

/**
 * Digests a module, its relative imports (and theirs), and further files. Imports are found by reading the text: one that stands
 * in a comment counts too, which can only make the digest change more often; one that is put together at run time is not
 * seen and belongs into `files`.
 *
 * @param files Globs relative to the root, for prompts and data that the code reads.
 * @throws {OloproofError} `no_such_file` when a glob of `files` matches nothing.
 */
export async function digestSource(
  module: string,
  root: string,
  files: readonly string[] = [],
): Promise<string> {
  const digests = new Map(await digestModules(module));
  for (const pattern of files) {
    let matched = false;
    for await (const entry of glob(pattern, { cwd: root, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      matched = true;
      const path = resolve(entry.parentPath, entry.name);
      digests.set(path, sha256(await readFile(path)));
    }
    if (!matched) {
      throw new OloproofError(
        `Cannot digest the system's files: nothing matches ${JSON.stringify(pattern)}`,
        {
          code: "no_such_file",
          kind: "configuration",
          where: root,
          hint: "rag.files holds globs relative to the project's folder",
        },
      );
    }
  }
  // Relative paths, so that the same project has the same digest in every folder.
  const named = [...digests].map(([path, digest]) => [relative(root, path).replaceAll("\\", "/"), digest]);
  return identityOf(named.sort(([a], [b]) => compareText(String(a), String(b))));
}

/** The sha256 of a module and of every file that it imports by a relative path, by whole path. */
export async function digestModules(module: string): Promise<ReadonlyMap<string, string>> {
  const digests = new Map<string, string>();
  await addModule(module, digests);
  return digests;
}

async function addModule(path: string, digests: Map<string, string>): Promise<void> {
  if (digests.has(path)) return;
  let content: Uint8Array;
  try {
    content = await readFile(path);
  } catch (cause) {
    // A text in a comment may look like an import. A real import that is absent fails when the module is loaded.
    if (cause instanceof Error && "code" in cause && ["ENOENT", "EISDIR"].includes(String(cause.code))) {
      return;
    }
    throw cause;
  }
  digests.set(path, sha256(content));
  for (const specifier of relativeImports(new TextDecoder().decode(content))) {
    await addModule(fileURLToPath(new URL(specifier, pathToFileURL(`${dirname(path)}/`))), digests);
  }
}

const importPattern = /(?:\bfrom|\bimport)\s*\(?\s*(["'])(\.{1,2}\/[^"'\n]*)\1/g;

function relativeImports(source: string): readonly string[] {
  return [...source.matchAll(importPattern)].flatMap(([, , specifier]) =>
    specifier === undefined ? [] : [specifier.replace(/[?#].*$/, "")]
  );
}

/** The digest of an inline system: the text of its functions. Values that they close over are not seen. */
export function digestFunctions(stages: object): string {
  const texts: [string, string][] = [];
  for (let holder: object | null = stages; holder !== null && holder !== Object.prototype;) {
    for (const name of Object.getOwnPropertyNames(holder)) {
      const value = Object.getOwnPropertyDescriptor(holder, name)?.value;
      if (typeof value === "function") texts.push([name, value.toString()]);
    }
    holder = Object.getPrototypeOf(holder);
  }
  return identityOf(texts.sort(([a], [b]) => compareText(a, b)));
}
