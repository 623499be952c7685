/** What runs a module: this process, or a process of the module's own runtime. */
import { OloproofError } from "../domain/error.ts";
import type { ModuleRuntime, SystemSource } from "../domain/project.ts";
import type { HostProgram, ServedModule } from "../host/host_program.ts";
import { pythonHost } from "../host/python_host.ts";
import type { ModuleExport } from "./resolve_module.ts";

/** The runtime of a module; undefined = this process. */
export async function chooseRuntime(
  { object, runtime }: Extract<SystemSource, { kind: "module" }>,
  { path }: ModuleExport,
  _root: string,
): Promise<ModuleRuntime | undefined> {
  const isPython = path.endsWith(".py");
  if (runtime !== "auto" && isPython !== (runtime === "python")) {
    throw new OloproofError(`Cannot load ${JSON.stringify(object)} with the runtime ${runtime}`, {
      code: "wrong_runtime",
      kind: "configuration",
      where: path,
      hint: "python runs .py, deno and node run .ts, .js and .mjs; auto chooses by the file",
    });
  }
  return await Promise.resolve(isPython ? "python" : undefined);
}

/** How a module is served by a runtime. */
export function hostProgram(
  _runtime: ModuleRuntime,
  module: ServedModule,
  python: readonly string[] | undefined,
): Promise<HostProgram> {
  return pythonHost(module, python);
}
