/** The scripted experiments run, and say what their readers are promised. */
import assert from "node:assert/strict";
import { tempFolder } from "../temp_folder.ts";

const ROOT = new URL("../../", import.meta.url).pathname;

async function outputOf(script: string): Promise<string> {
  const store = `${await tempFolder()}/store.db`;
  const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", "--quiet", `examples/experiments/${script}`, store],
    cwd: ROOT,
    env: { NO_COLOR: "1" },
  }).output();
  assert.ok(success, new TextDecoder().decode(stderr));
  return new TextDecoder().decode(stdout);
}

Deno.test("experiment:budget sweeps one recorded retrieval, and shows bounds rounded outward", async () => {
  const text = await outputOf("budget.ts");
  assert.match(text, /Retrievals: 0 made, 130 saved\.\nGenerations: \d+ made, \d+ saved\./);
  assert.match(text, /"-33\.6" │ "33\.6"/);
});

Deno.test("experiment:ranking goes from a diagnosis to a gate", async () => {
  const text = await outputOf("ranking.ts");
  assert.match(text, /Implicated: ranking cutoff\n/);
  assert.match(text, /"cable_length, send_in, winter_battery"/);
  assert.match(text, /Gate: NOT_BLOCKED \(exit 0\)\n$/);
});

Deno.test("every experiment of examples/experiments is a task", async () => {
  const { tasks } = JSON.parse(await Deno.readTextFile(`${ROOT}deno.json`));
  for (const { name } of Deno.readDirSync(`${ROOT}examples/experiments`)) {
    if (!name.endsWith(".ts")) continue;
    const task = tasks[`experiment:${name.replace(/\.ts$/, "")}`];
    assert.equal(task, `deno run -A examples/experiments/${name}`);
  }
});
