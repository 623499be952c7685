/** What runs a module: this process, or a process of the module's own runtime. */
import { access } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { OloproofError } from "../domain/error.ts";
import type { ModuleRuntime, SystemSource } from "../domain/project.ts";
import type { HostProgram, ServedModule } from "../host/host_program.ts";
import { denoHost, nodeHost, nodeVersion, readsModule } from "../host/javascript_host.ts";
import { pythonHost } from "../host/python_host.ts";
import { isCompiled } from "./base.ts";
import { foreignImports } from "./foreign_imports.ts";
import type { ModuleExport } from "./resolve_module.ts";

type ModuleSource = Extract<SystemSource, { kind: "module" }>;

/**
 * The runtime of a module; undefined = this process, which runs what needs nothing but files, built-ins and `oloproof`. A
 * module with packages is run by the runtime that they were installed for. Nothing is run to find that out but `node --version`.
 *
 * @throws {OloproofError} `wrong_runtime`.
 */
export async function chooseRuntime(
  { object, runtime }: ModuleSource,
  { path }: Pick<ModuleExport, "path">,
): Promise<ModuleRuntime | undefined> {
  const isPython = path.endsWith(".py");
  if (runtime !== "auto" && isPython !== (runtime === "python")) {
    throw new OloproofError(`Cannot load ${JSON.stringify(object)} with the runtime ${runtime}`, {
      code: "wrong_runtime",
      kind: "configuration",
      where: path,
      hint: "python runs .py; deno and node run .ts, .js and .mjs; auto chooses by the file",
    });
  }
  if (isPython) return "python";
  if (runtime !== "auto") return runtime;
  const foreign = [...await foreignImports(path)];
  // This Deno reads them by itself; a compiled program knows no package but its own.
  const isOurs = (specifier: string) => /^(?:npm|jsr|https?):/.test(specifier);
  const needed = isCompiled ? foreign : foreign.filter((specifier) => !isOurs(specifier));
  if (needed.length === 0) return undefined;
  if (needed.every(isOurs)) return "deno";
  return await runtimeOfPackages(path);
}

/** How a module is served by a runtime. */
export async function hostProgram(
  runtime: ModuleRuntime,
  module: ServedModule,
  python: readonly string[] | undefined,
): Promise<HostProgram> {
  switch (runtime) {
    case "python":
      return await pythonHost(module, python);
    case "node":
      return await nodeHost(module);
    case "deno":
      return await denoHost(module, (await configOf(module.path))?.folder ?? module.root);
  }
}

/** The runtime whose packages the module has; undefined when it has none, which loading it will tell. */
async function runtimeOfPackages(path: string): Promise<ModuleRuntime | undefined> {
  const config = await configOf(path);
  if (config === undefined || config.folder === OWN_FOLDER) return undefined;
  if (config.isDeno) return "deno";
  const node = await nodeVersion();
  return node !== undefined && readsModule(node, path) ? "node" : "deno";
}

/** This program's own configuration holds for the examples that lie beside it; beside a compiled one lies nothing of its own. */
const OWN_FOLDER = !isCompiled && import.meta.url.startsWith("file:")
  ? dirname(dirname(dirname(fileURLToPath(import.meta.url))))
  : undefined;

/** The nearest folder above a module that says which packages it has. */
async function configOf(
  path: string,
): Promise<{ readonly folder: string; readonly isDeno: boolean } | undefined> {
  for (let folder = dirname(path);; folder = dirname(folder)) {
    const holds = (name: string) => access(join(folder, name)).then(() => true, () => false);
    if (await holds("deno.json") || await holds("deno.jsonc")) return { folder, isDeno: true };
    if (await holds("package.json") || await holds("node_modules")) return { folder, isDeno: false };
    if (dirname(folder) === folder) return undefined;
  }
}
