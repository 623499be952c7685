/** The digest of a system's code: an edited prompt must never be answered with yesterday's output. */
import { glob, readFile, stat } from "node:fs/promises";
import { dirname, relative, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { toJson } from "../domain/json.ts";
import { compareText, OloproofError } from "../domain/error.ts";
import { canonicalJson, identityOf, sha256 } from "../domain/identity.ts";
import { digestPython } from "./python_source.ts";

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
  const code = module.endsWith(".py") ? await digestPython(module, root) : await digestModules(module);
  const digests = new Map(code);
  for (const pattern of files) {
    let matched = false;
    for await (const entry of glob(pattern, { cwd: root, withFileTypes: true })) {
      const path = resolve(entry.parentPath, entry.name);
      // A link counts as what it points to.
      if (!(await stat(path)).isFile()) continue;
      matched = true;
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
  const content = await readFile(path).catch((cause) => {
    // Of the files that texts merely seem to import, those that are none are passed over; a real import that is absent
    // fails when the module is loaded.
    if (digests.size > 0 || cause.code === "ENOENT") return undefined;
    throw cause;
  });
  if (content === undefined) return;
  digests.set(path, sha256(content));
  for (const specifier of namedModules(new TextDecoder().decode(content))) {
    const named = locate(specifier, path);
    if (named !== undefined) await addModule(named, digests);
  }
}

/**
 * Every quoted text that could name a module on the disk: `./x.ts`, `../x.json`, `/abs/x.js`, `file:///x.ts`. That covers static and
 * dynamic imports, require, workers and URLs, with comments in between or not.
 */
const modulePattern =
  /(["'`])((?:\.{1,2}\/|\/|file:\/\/)[^"'`\n]{1,1000}?\.(?:[cm]?[jt]sx?|json|wasm)(?:[?#][^"'`\n]*)?)\1/g;
/** What follows `from` or `import`, whatever its ending. */
const importPattern = /(?:\bfrom|\bimport)\s*\(?\s*(["'])(\.{1,2}\/[^"'\n]*)\1/g;

function namedModules(source: string): ReadonlySet<string> {
  const found = [...source.matchAll(modulePattern), ...source.matchAll(importPattern)];
  return new Set(found.map(([, , specifier = ""]) => specifier.replace(/[?#].*$/, "")));
}

function locate(specifier: string, from: string): string | undefined {
  const base = pathToFileURL(`${dirname(from)}/`);
  const url = URL.canParse(specifier, base) ? new URL(specifier, base) : undefined;
  // A slash that is written %2F is in no path.
  return url?.protocol !== "file:" || /%2f/i.test(url.pathname) ? undefined : fileURLToPath(url);
}

/**
 * The digest of an inline system: the text of its functions, and the data that an instance holds. Values that functions close over
 * are not seen.
 */
export function digestFunctions(stages: object): string {
  const texts: [string, string][] = [];
  for (let holder: object | null = stages; holder !== null && holder !== Object.prototype;) {
    for (const name of Object.getOwnPropertyNames(holder)) {
      const value = Object.getOwnPropertyDescriptor(holder, name)?.value;
      if (typeof value === "function") texts.push([name, value.toString()]);
      else if (holder === stages) {
        const data = toJson(value);
        if (data.ok) texts.push([name, canonicalJson(data.value)]);
      }
    }
    holder = Object.getPrototypeOf(holder);
  }
  return identityOf(texts.sort(([a], [b]) => compareText(a, b)));
}
