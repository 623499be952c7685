/** A Python module as a process: which Python runs it, and the module `oloproof` that it imports. */
import { access } from "node:fs/promises";
import { delimiter, join } from "node:path";
import type { HostProgram, ServedModule } from "./host_program.ts";
import { makeProgramFolder } from "./program_folder.ts";

/** Brings the folder of `oloproof` into the path of modules before anything else of that name. */
const START =
  "import sys; sys.version_info >= (3, 9) or sys.exit('oloproof needs Python 3.9 or newer, this is ' + " +
  "sys.version.split()[0]); sys.path.insert(0, sys.argv[1]); import oloproof; oloproof.main(*sys.argv[2:])";

/**
 * How a Python module is served.
 *
 * @param python The words that start Python; absent = that of a `.venv` beside the project, or the one that is found in PATH.
 */
export async function pythonHost(
  { path, name, root }: ServedModule,
  python: readonly string[] | undefined,
): Promise<HostProgram> {
  const program = await import("./programs/oloproof.py", { with: { type: "text" } });
  const folder = await makeProgramFolder({ "oloproof.py": program.default });
  const more = Deno.env.get("PYTHONPATH");
  return {
    command: [...python ?? [await findPython(root)], "-c", START, folder.path, path, name, root],
    cwd: root,
    // Processes that the module starts by itself import it as well.
    env: { PYTHONPATH: more ? `${folder.path}${delimiter}${more}` : folder.path },
    absentHint: "install Python, or say how it is started: python: {command: [uv, run, python]}",
    cleanUp: () => folder.remove(),
  };
}

async function findPython(root: string): Promise<string> {
  const isWindows = Deno.build.os === "windows";
  const own = isWindows ? join(root, ".venv", "Scripts", "python.exe") : join(root, ".venv", "bin", "python");
  if (await access(own).then(() => true, () => false)) return own;
  return isWindows ? "python" : "python3";
}
