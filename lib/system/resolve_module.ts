/** From `module:export` to a file. */
import { access } from "node:fs/promises";
import { extname, resolve } from "node:path";
import { OloproofError } from "../domain/error.ts";

/** A module of the user's and the name that it exports. */
export interface ModuleExport {
  readonly path: string;
  readonly name: string;
}

const loadable = [".ts", ".js", ".mjs"];

/**
 * Finds the file that `module:export` names: the module as it stands, or with the one of .ts, .js, .mjs that is there.
 *
 * @throws {OloproofError} `module_not_found`, `module_ambiguous`, `not_supported`.
 */
export async function resolveModule(object: string, root: string): Promise<ModuleExport> {
  const colon = object.lastIndexOf(":");
  const module = object.slice(0, colon);
  const name = object.slice(colon + 1);
  const stem = resolve(root, module);
  if (extname(stem) === ".py" || await exists(`${stem}.py`) && !await anyExists(stem)) {
    throw new OloproofError(`Cannot load ${JSON.stringify(object)}: this version runs no Python modules`, {
      code: "not_supported",
      kind: "configuration",
      where: root,
      hint: "the module must be TypeScript or JavaScript (.ts, .js, .mjs)",
    });
  }
  if (loadable.includes(extname(stem)) && await exists(stem)) return { path: stem, name };
  const found: string[] = [];
  for (const extension of loadable) if (await exists(stem + extension)) found.push(stem + extension);
  const [only, second] = found;
  if (only === undefined) {
    throw new OloproofError(`Cannot load ${JSON.stringify(object)}: there is no such module`, {
      code: "module_not_found",
      kind: "configuration",
      where: stem,
      hint: `looked for ${stem} with ${loadable.join(", ")}`,
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

async function anyExists(stem: string): Promise<boolean> {
  for (const extension of loadable) if (await exists(stem + extension)) return true;
  return false;
}

async function exists(path: string): Promise<boolean> {
  return await access(path).then(() => true, () => false);
}
