/** A module of TypeScript or JavaScript as a process of its own runtime, with packages of its own. */
import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";
import { OloproofError } from "../domain/error.ts";
import { hostImportMap } from "./host_import_map.ts";
import type { HostProgram, ServedModule } from "./host_program.ts";
import { makeProgramFolder, type ProgramFolder } from "./program_folder.ts";

async function servingPrograms(): Promise<ProgramFolder> {
  const [serve, oloproof, json] = await Promise.all([
    import("./programs/serve.mjs", { with: { type: "text" } }),
    import("./programs/oloproof.mjs", { with: { type: "text" } }),
    import("./programs/plain_json.mjs", { with: { type: "text" } }),
  ]);
  return await makeProgramFolder({
    "serve.mjs": serve.default,
    "oloproof.mjs": oloproof.default,
    "plain_json.mjs": json.default,
  });
}

/**
 * How a module is served by Node.
 *
 * @throws {OloproofError} `runtime_too_old`.
 */
export async function nodeHost({ path, name, root }: ServedModule): Promise<HostProgram> {
  const flags = nodeFlags(await nodeVersion(), path);
  const folder = await servingPrograms();
  return {
    command: ["node", ...flags, join(folder.path, "serve.mjs"), path, name, root],
    cwd: root,
    env: {},
    absentHint: "install Node.js 22.18 or newer, or say runtime: deno",
    cleanUp: () => folder.remove(),
  };
}

/**
 * How a module is served by Deno.
 *
 * @param configFolder Where Deno looks for the module's configuration and packages.
 */
export async function denoHost(
  { path, name, root }: ServedModule,
  configFolder: string,
): Promise<HostProgram> {
  const folder = await servingPrograms();
  const importMap = join(folder.path, "import_map.json");
  const own = pathToFileURL(join(folder.path, "oloproof.mjs")).href;
  await Deno.writeTextFile(importMap, JSON.stringify(await hostImportMap(configFolder, own)));
  const main = `await import(${JSON.stringify(pathToFileURL(join(folder.path, "serve.mjs")).href)})`;
  return {
    // The main module of eval lies in the folder where it is called: so the configuration there is the one that holds.
    command: [denoProgram(), "eval", `--import-map=${importMap}`, main, path, name, root],
    cwd: configFolder,
    env: { DENO_NO_UPDATE_CHECK: "1" },
    absentHint:
      "install Deno (npm install --global deno), say runtime: node, or bundle the module into one file",
    cleanUp: () => folder.remove(),
  };
}

/** The Deno that runs this program, or, when it is a compiled one, the one in PATH. */
function denoProgram(): string {
  return Deno.build.standalone ? "deno" : Deno.execPath();
}

/** The version of the Node in PATH; undefined when there is none. */
export async function nodeVersion(): Promise<readonly [major: number, minor: number] | undefined> {
  try {
    const { stdout } = await new Deno.Command("node", { args: ["--version"], stdin: "null", stderr: "null" })
      .output();
    const [, major, minor] = /^v(\d+)\.(\d+)/.exec(new TextDecoder().decode(stdout)) ?? [];
    return major === undefined ? undefined : [Number(major), Number(minor)];
  } catch (cause) {
    if (cause instanceof Deno.errors.NotFound) return undefined;
    throw cause;
  }
}

/** Whether a Node can read a module: TypeScript is for newer ones. */
export function readsModule(version: readonly [number, number], path: string): boolean {
  return isAtLeast(version, path.endsWith(".ts") ? [22, 6] : [18, 19]);
}

function nodeFlags(version: readonly [number, number] | undefined, path: string): readonly string[] {
  if (version === undefined) return [];
  if (!readsModule(version, path)) {
    throw new OloproofError(
      `Cannot run the system with Node.js ${version.join(".")}: it is too old for ${basename(path)}`,
      {
        code: "runtime_too_old",
        kind: "configuration",
        where: path,
        hint: "install Node.js 22.18 or newer, say runtime: deno, or give the module as JavaScript (.mjs)",
      },
    );
  }
  const strips = isAtLeast(version, [22, 18]) && !(version[0] === 23 && version[1] < 6);
  return strips || !path.endsWith(".ts") ? [] : ["--experimental-strip-types"];
}

function isAtLeast(
  [major, minor]: readonly [number, number],
  [wantedMajor, wantedMinor]: readonly [number, number],
) {
  return major > wantedMajor || (major === wantedMajor && minor >= wantedMinor);
}
