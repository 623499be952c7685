/** From `module:export` to a file. */
import { access } from "node:fs/promises";
import { extname, resolve } from "node:path";
import { OloproofError } from "../domain/error.ts";

/** A module of the user's and the name that it exports. */
export interface ModuleExport {
  readonly path: string;
  readonly name: string;
}

/** Files that this program can load into its own process. */
export const LOADABLE: readonly string[] = [".ts", ".js", ".mjs"];

/** Files that may hold a system, which may run in a process of its own. */
export const SYSTEM_FILES: readonly string[] = [...LOADABLE, ".py"];

/**
 * Finds the file that `module:export` names: the module as it stands, or with the one of the endings that is there.
 *
 * @throws {OloproofError} `module_not_found`, `module_ambiguous`, `not_supported`.
 */
export async function resolveModule(
  object: string,
  root: string,
  endings: readonly string[] = LOADABLE,
): Promise<ModuleExport> {
  const colon = object.lastIndexOf(":");
  const module = object.slice(0, colon);
  const name = object.slice(colon + 1);
  const stem = resolve(root, module);
  if (endings.includes(extname(stem)) && await exists(stem)) return { path: stem, name };
  const found: string[] = [];
  for (const ending of endings) if (await exists(stem + ending)) found.push(stem + ending);
  const [only, second] = found;
  if (only === undefined) {
    if (!endings.includes(".py") && (extname(stem) === ".py" || await exists(`${stem}.py`))) {
      throw onlyPython(object, root);
    }
    throw new OloproofError(`Cannot load ${JSON.stringify(object)}: there is no such module`, {
      code: "module_not_found",
      kind: "configuration",
      where: stem,
      hint: `looked for ${stem} with ${endings.join(", ")}`,
    });
  }
  if (second !== undefined) {
    throw new OloproofError(`Cannot load ${JSON.stringify(object)}: ${found.join(" and ")} both exist`, {
      code: "module_ambiguous",
      kind: "configuration",
      where: root,
      hint: "write the file's extension, for example app.ts:supportRag",
    });
  }
  return { path: only, name };
}

function onlyPython(object: string, root: string): OloproofError {
  return new OloproofError(`Cannot load ${JSON.stringify(object)}: only a system may be a Python module`, {
    code: "not_supported",
    kind: "configuration",
    where: root,
    hint: "the functions of evaluators and rerankers are TypeScript or JavaScript (.ts, .js, .mjs)",
  });
}

async function exists(path: string): Promise<boolean> {
  return await access(path).then(() => true, () => false);
}
