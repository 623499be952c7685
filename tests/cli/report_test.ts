/** `report`: where the page goes, and what is refused. */
import assert from "node:assert/strict";
import { startSession } from "./session.ts";

const at = ["-C", "examples/support_rag"];

Deno.test("report: to stdout, to a file, or said in JSON; never onto a terminal", async () => {
  const session = await startSession(["support_rag"]);
  await session.run([...at, "run", "--quiet"]);
  const printed = await session.run([...at, "report"]);
  assert.match(printed.stdout, /^<!doctype html>\n/);
  assert.match(printed.stdout, /<\/html>\n$/);
  assert.deepEqual([printed.stderr, printed.code], ["", 0]);

  const said = await session.run([...at, "--json", "report", "latest", "-o", "out.html"]);
  const written = await Deno.readTextFile(`${session.cwd}/out.html`);
  assert.equal(written, printed.stdout);
  const bytes = new TextEncoder().encode(written).length;
  assert.deepEqual(JSON.parse(said.stdout), { kind: "run", file: "out.html", bytes });

  const terminal = await session.run([...at, "report"], { stdoutIsTerminal: true });
  assert.equal(terminal.code, 2);
  assert.match(
    terminal.stderr,
    /^error\[no_file\]: .*\nhint: name a file: oloproof .*report latest -o report\.html\n$/,
  );
});

Deno.test("report: no code of the project is loaded", async () => {
  const session = await startSession(["support_rag"]);
  await session.run([...at, "run", "--quiet"]);
  await Deno.writeTextFile(`${session.cwd}/examples/support_rag/app.ts`, "throw new Error('loaded');");
  assert.equal((await session.run([...at, "report", "-o", "out.html"])).code, 0);
});

Deno.test("report: an unknown id, a folder and a store without runs are told as everywhere", async () => {
  const session = await startSession(["support_rag"]);
  const code = async (...args: readonly string[]) => {
    const { stderr, stdout } = await session.run([...at, ...args]);
    assert.equal(stdout, "");
    return /^error\[(\w+)\]/.exec(stderr)?.[1];
  };
  assert.equal(await code("report", "-o", "out.html"), "no_store");
  await session.run([...at, "run", "--quiet"]);
  assert.equal(await code("report", "run_NOWHERE", "-o", "out.html"), "unknown_run");
  assert.equal(await code("report", "sha256:00", "-o", "out.html"), "unknown_document");
  assert.ok(await code("report", "-o", "examples") !== undefined);
});
