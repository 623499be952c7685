/** The projects that `init` makes in every kind: what can run here runs at once. */
import assert from "node:assert/strict";
import { init } from "../../lib/commands/init.ts";
import { INIT_KINDS, type InitKind } from "../../lib/commands/init_kinds.ts";
import { openProject } from "../../lib/commands/open_project.ts";
import { run } from "../../lib/commands/run.ts";
import { validate } from "../../lib/commands/validate.ts";
import { tempFolder } from "../temp_folder.ts";
import { testSurroundings } from "./run_surroundings.ts";

async function made(kind: InitKind) {
  const cwd = await tempFolder();
  const { first } = await init("rag", { kind, within: ".", cwd });
  return { folder: `${cwd}/rag`, first };
}

/** Lines that are neither empty nor comments. */
function linesOfCode(text: string): number {
  return text.split("\n").filter((line) => !/^\s*(?:#|\/\/|$)/.test(line)).length;
}

for (const kind of INIT_KINDS) {
  Deno.test(`init --kind ${kind}: a valid project, its system in at most 30 lines of code`, async () => {
    const { folder } = await made(kind);
    const validation = await validate(await openProject(folder, { cwd: folder }), testSurroundings());
    assert.deepEqual(validation.notices, []);
    assert.equal(validation.cases, 3);
    for await (const { name } of Deno.readDir(folder)) {
      if (!/\.(?:ts|js|mjs|py)$/.test(name)) continue;
      const lines = linesOfCode(await Deno.readTextFile(`${folder}/${name}`));
      assert.ok(lines <= 30, `${name} has ${lines} lines of code`);
      const check = name.endsWith(".py") ? ["python3", "-m", "py_compile", name] : ["node", "--check", name];
      if (name.endsWith(".ts")) continue;
      const [program = "", ...args] = check;
      assert.ok((await new Deno.Command(program, { args, cwd: folder }).output()).success, name);
    }
  });
}

for (const kind of ["ts", "js", "python"] as const) {
  Deno.test(`init --kind ${kind}: runs at once, and finds one of three answers wrong`, async () => {
    const { folder, first } = await made(kind);
    assert.equal(first, undefined);
    const report = await run(await openProject(folder, { cwd: folder }), {}, testSurroundings());
    assert.deepEqual(report.metrics.map(({ estimate }) => estimate), [2 / 3, 2 / 3, 2 / 3, 1]);
  });
}

Deno.test("init --kind service: runs against its stand-in", async () => {
  const { folder, first } = await made("service");
  assert.equal(first, "node service.mjs &");
  const port = await freePort();
  for (const name of ["service.mjs", "oloproof.yaml"]) {
    const text = await Deno.readTextFile(`${folder}/${name}`);
    await Deno.writeTextFile(`${folder}/${name}`, text.replace("8787", String(port)));
  }
  const service = new Deno.Command("node", { args: ["service.mjs"], cwd: folder }).spawn();
  try {
    await untilListening(port);
    const report = await run(await openProject(folder, { cwd: folder }), {}, testSurroundings());
    assert.deepEqual(report.metrics.map(({ estimate }) => estimate), [2 / 3, 1]);
  } finally {
    service.kill();
    await service.status;
  }
});

Deno.test("what must be installed is said, and kept out of version control", async () => {
  for (const kind of ["langchain", "llamaindex", "haystack", "ai-sdk"] as const) {
    const { folder, first } = await made(kind);
    assert.match(
      first ?? "",
      kind === "ai-sdk" ? /^npm install$/ : /\.venv\/bin\/pip install -r requirements\.txt$/,
    );
    const ignored = await Deno.readTextFile(`${folder}/.gitignore`);
    assert.equal(ignored, `.oloproof/\n${kind === "ai-sdk" ? "node_modules/" : ".venv/"}\n`);
  }
});

async function freePort(): Promise<number> {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = listener.addr as Deno.NetAddr;
  listener.close();
  return await Promise.resolve(port);
}

async function untilListening(port: number): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    const connection = await Deno.connect({ hostname: "127.0.0.1", port }).catch(() => undefined);
    if (connection !== undefined) return connection.close();
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new Error("the service does not listen");
}
