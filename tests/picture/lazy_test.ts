/** Plotting code is loaded when something is drawn, and not before. */
import assert from "node:assert/strict";
import { cp } from "node:fs/promises";
import { tempFolder } from "../temp_folder.ts";

const ROOT = new URL("../../", import.meta.url).pathname;

/** Runs a script in a copy of the library whose plotting packages cannot be loaded. */
async function withoutPlotting(
  script: string,
): Promise<{ readonly success: boolean; readonly stderr: string }> {
  const folder = await tempFolder();
  for (const name of ["lib", "mod.ts", "examples/support_rag"]) {
    const filter = (path: string) => !path.includes(".oloproof");
    await cp(`${ROOT}${name}`, `${folder}/${name}`, { recursive: true, filter });
  }
  const config = JSON.parse(await Deno.readTextFile(`${ROOT}deno.json`));
  await Deno.writeTextFile(`${folder}/absent.ts`, 'throw new Error("plotting code was loaded");');
  const absent = { "@observablehq/plot": "./absent.ts", linkedom: "./absent.ts" };
  const text = JSON.stringify({ ...config, imports: { ...config.imports, ...absent } });
  await Deno.writeTextFile(`${folder}/deno.json`, text);
  await Deno.writeTextFile(`${folder}/script.ts`, script);
  const { success, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", "--no-lock", "--quiet", "script.ts"],
    cwd: folder,
  }).output();
  return { success, stderr: new TextDecoder().decode(stderr) };
}

const before = `
  import { openProject, run, inspect } from "oloproof";
  const project = await openProject("examples/support_rag", { store: "store.db" });
  const report = await run(project);
  await inspect(project);
`;

Deno.test("plotting code is loaded when something is drawn, and not before", async () => {
  assert.deepEqual(await withoutPlotting(before), { success: true, stderr: "" });
  const shown = await withoutPlotting(`${before} await report[Symbol.for("Jupyter.display")]();`);
  assert.equal(shown.success, false);
  assert.match(shown.stderr, /plotting code was loaded/);
});
