/** Loads an export of the user's code into this process, and names the ways out when that cannot be done. */
import { basename } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { pathToFileURL } from "node:url";
import { distance } from "fastest-levenshtein";
import { messageOf, OloproofError } from "../domain/error.ts";
import { isTestBuild } from "./base.ts";
import { digestModules, digestSource } from "./source_digest.ts";
import { resolveModule } from "./resolve_module.ts";

/** A loaded export and the digest of the code that it comes from. */
export interface LoadedExport {
  readonly value: unknown;
  /** `module:export` with the module's whole path. */
  readonly where: string;
  readonly source_digest: string;
}

/**
 * The digest under which each file was loaded, or failed to: a process loads a file only once, however often it is edited and
 * whichever modules import it.
 */
const loadedDigests = new Map<string, string>();

/**
 * Loads what `module:export` names, relative to the project's root.
 *
 * @throws {OloproofError} `module_not_found`, `module_failed` (it throws or cannot be parsed), `module_needs_packages`,
 *   `export_not_found`, `source_changed` (this process holds an older version of the file).
 */
export async function loadExport(
  object: string,
  root: string,
  files: readonly string[] = [],
): Promise<LoadedExport> {
  const { path, name } = await resolveModule(object, root);
  const source_digest = await digestSource(path, root, files);
  refuseChanged(object, await digestModules(path));
  const module = await importModule(object, path);
  if (!(name in module)) throw exportNotFound(object, name, path, Object.keys(module));
  return { value: module[name], where: `${path}:${name}`, source_digest };
}

function refuseChanged(object: string, digests: ReadonlyMap<string, string>): void {
  for (const [file, digest] of digests) {
    if ((loadedDigests.get(file) ?? digest) === digest) continue;
    throw new OloproofError(`Cannot load ${JSON.stringify(object)}: its code changed after it was loaded`, {
      code: "source_changed",
      kind: "configuration",
      where: file,
      hint: "restart the program (in a notebook: the kernel), so that what runs is what is on the disk",
    });
  }
  for (const [file, digest] of digests) loadedDigests.set(file, digest);
}

async function importModule(object: string, path: string): Promise<Record<string, unknown>> {
  try {
    return await import(pathToFileURL(path).href);
  } catch (cause) {
    // The runtime colours its messages; they are data here.
    const said = stripVTControlCharacters(messageOf(cause));
    const unresolved = /^(?:Import|Relative import path) "([^"]+)"/.exec(said)?.[1];
    if (unresolved !== undefined) throw needsPackages(object, path, unresolved, cause);
    if (isTestBuild && path.endsWith(".ts") && isSyntax(said)) throw typescriptUnread(object, path, cause);
    throw new OloproofError(`Cannot load ${JSON.stringify(object)}: ${said}`, {
      code: "module_failed",
      kind: "configuration",
      where: path,
      hint: hintForFailure(said),
      cause,
    });
  }
}

function hintForFailure(said: string): string {
  return isSyntax(said) ? "mend the syntax at the place named" : "run again with --debug to see where";
}

function isSyntax(said: string): boolean {
  return /pars|SyntaxError|Unexpected/.test(said);
}

function typescriptUnread(object: string, path: string, cause: unknown): OloproofError {
  const file = basename(path);
  return new OloproofError(
    `Cannot load ${JSON.stringify(object)}: this test build does not read TypeScript from the disk`,
    {
      code: "typescript_not_read",
      kind: "configuration",
      where: path,
      hint:
        `make it JavaScript (\`npx esbuild ${file} --outfile=${
          file.replace(/ts$/, "js")
        }\`), say rag.runtime: node or deno ` +
        "(it runs in a process of theirs), or use a release or deno run",
      cause,
    },
  );
}

function needsPackages(object: string, path: string, specifier: string, cause: unknown): OloproofError {
  return new OloproofError(
    `Cannot load ${JSON.stringify(object)}: it imports ${
      JSON.stringify(specifier)
    }, which this process cannot resolve`,
    {
      code: "module_needs_packages",
      kind: "configuration",
      where: path,
      hint:
        "a system with packages of its own runs in a process of their runtime: put a package.json (npm install) or a deno.json " +
        `that names them beside it; or, under deno run, write npm:${specifier}; or bundle the module into one file ` +
        "(for example `npx esbuild app.ts --bundle --format=esm --platform=node --external:oloproof --outfile=app.js`)",
      cause,
    },
  );
}

function exportNotFound(object: string, name: string, path: string, names: readonly string[]): OloproofError {
  const nearest = [...names].sort((a, b) => distance(a, name) - distance(b, name))[0];
  return new OloproofError(
    `Cannot load ${JSON.stringify(object)}: the module exports no ${JSON.stringify(name)}`,
    {
      code: "export_not_found",
      kind: "configuration",
      where: path,
      hint: nearest === undefined
        ? "it exports nothing"
        : `did you mean ${JSON.stringify(nearest)}? it exports ${names.join(", ")}`,
    },
  );
}
