/** The Deno kernel for tests of notebooks, where the machine has what drives it. */
import { tempFolder } from "../temp_folder.ts";

const FOLDER = new URL(".", import.meta.url).pathname;

/** A Python that can execute notebooks; undefined where there is none. */
export const python: string | undefined = ["/usr/bin/python3", "python3"].find((command) => {
  try {
    const args = ["-c", "import nbclient, nbformat, jupyter_client"];
    return new Deno.Command(command, { args, stdout: "null", stderr: "null" }).outputSync().success;
  } catch {
    return false;
  }
});

/** A test's name, with the reason why it is skipped where it is. */
export function named(name: string): string {
  return python === undefined
    ? `${name} (skipped: no Python with nbclient here; apt-get install python3-nbclient python3-nbformat)`
    : name;
}

/** Runs one of the scripts of this folder beside a kernel of this very Deno, and answers with what it prints. */
export async function runScript(script: string, args: readonly string[]): Promise<string> {
  const data = await tempFolder();
  await Deno.mkdir(`${data}/kernels/deno`, { recursive: true });
  const argv = [Deno.execPath(), "jupyter", "--kernel", "--conn", "{connection_file}"];
  const spec = { argv, display_name: "Deno", language: "typescript" };
  await Deno.writeTextFile(`${data}/kernels/deno/kernel.json`, JSON.stringify(spec));
  const { success, stdout, stderr } = await new Deno.Command(python ?? "", {
    args: [`${FOLDER}${script}`, ...args],
    env: { JUPYTER_PATH: data, NO_COLOR: "1", DENO_NO_UPDATE_CHECK: "1" },
  }).output();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
  return new TextDecoder().decode(stdout);
}
