/** Programs that do not start as they should: said before the first case, with what they printed. */
import assert from "node:assert/strict";
import { openProject } from "../../lib/commands/open_project.ts";
import { run } from "../../lib/commands/run.ts";
import { validate } from "../../lib/commands/validate.ts";
import type { Json } from "../../lib/domain/json.ts";
import { testSurroundings } from "../commands/run_surroundings.ts";
import { livingOf } from "./contract.ts";
import { faultOf, folderOf } from "../system/project_folder.ts";

const peer = new URL("systems/peer.py", import.meta.url).pathname;

async function projectOf(rag: Readonly<Record<string, Json>>, files: Readonly<Record<string, string>> = {}) {
  const folder = await folderOf({
    "oloproof.yaml": JSON.stringify({ system: { rag } }),
    "cases.jsonl": '{"id": "a", "input": {"text": "t"}}\n{"id": "b", "input": {"text": "u"}}\n',
    ...files,
  });
  return await openProject(folder, { cwd: folder });
}

async function faultFor(rag: Readonly<Record<string, Json>>, files: Readonly<Record<string, string>> = {}) {
  const fault = await faultOf(run(await projectOf(rag, files), {}, testSurroundings()));
  return { ...fault, text: `${fault.code}: ${fault.summary}`, hint: fault.hint ?? "" };
}

/** A program that answers its first message with this text, and goes on living. */
function saying(answer: string): Readonly<Record<string, Json>> {
  return {
    command: [
      "python3",
      "-c",
      `import sys; sys.stdin.readline(); print('''${answer}''', flush=True); sys.stdin.read()`,
    ],
  };
}

function helloOf(result: unknown): string {
  return JSON.stringify({ jsonrpc: "2.0", id: 1, result });
}

Deno.test("there is no such program", async () => {
  const fault = await faultFor({ command: ["no-such-program-here", "x"] });
  assert.equal(
    fault.text,
    'program_not_found: Cannot start the system: there is no program "no-such-program-here"',
  );
  assert.equal(fault.kind, "configuration");
});

Deno.test("a program that ends before it says hello: its code, and the end of its stderr", async () => {
  const fault = await faultFor({ command: ["python3", peer, "--die"] });
  assert.equal(
    fault.text,
    "system_not_started: Cannot start the system: the process ended with code 1 before it answered\n" +
      "  its stderr ends with:\n    the index is not there",
  );
  assert.equal(fault.kind, "configuration");
  assert.equal(fault.where, `python3 ${peer} --die`);
});

Deno.test("a program that never says hello is ended after start_timeout_seconds", async () => {
  const fault = await faultFor({ command: ["python3", peer, "--mute"], start_timeout_seconds: 0.3 });
  assert.match(
    fault.text,
    /^system_not_started: Cannot start the system: it did not say hello within 0\.3 s/,
  );
});

Deno.test("what stands on stdout in the place of the hello is shown", async () => {
  const hello = '{"id": 1, "result": {"protocol": 1}}';
  const fault = await faultFor({ ...saying(`loading\n${hello}`), start_timeout_seconds: 1 });
  assert.equal(
    fault.text,
    "system_not_started: Cannot start the system: it did not say hello within 1 s\n" +
      `  its last line on stdout is no message: ${JSON.stringify(hello)}`,
  );
  assert.match(fault.hint, /"jsonrpc": "2\.0"/);
});

Deno.test("a program that prints lines without end holds up no time limit", async () => {
  const start = performance.now();
  const fault = await faultFor({ command: ["yes"], start_timeout_seconds: 0.5 });
  assert.match(
    fault.text,
    /did not say hello within 0\.5 s\n {2}its last line on stdout is no message: "y"$/,
  );
  // A hundred pieces of the pipe are read before a timer is looked at, unless reading pauses: that takes half a minute.
  assert.ok(performance.now() - start < 8000);
});

Deno.test("a program that closes its stdout can answer no more", async () => {
  const hello = helloOf({ protocol: 1, settings: { name: "a", version: "1" }, stages: ["answer"] });
  const closing = "import os, sys, time\nsys.stdin.readline()\n" +
    `print('${hello}', flush=True)\nsys.stdin.readline()\nos.close(1)\ntime.sleep(60)`;
  const project = await projectOf({ command: ["python3", "-c", closing] });
  const report = await run({ ...project, run: { ...project.run, concurrency: 1 } }, {}, testSurroundings());
  assert.equal(report.failures[0]?.message, "the process closed its stdout before it answered");
});

Deno.test("a slow start is waited for, and is no call of a stage", async () => {
  const project = await projectOf({ command: ["python3", peer, "--slow"] });
  const report = await run(
    { ...project, run: { ...project.run, timeout_seconds: 0.25 } },
    {},
    testSurroundings(),
  );
  assert.deepEqual(report.failures, []);
});

Deno.test("an interruption ends a start that takes long", async () => {
  const project = await projectOf({ command: ["python3", peer, "--mute"] });
  const stop = new AbortController();
  const running = run(project, {}, testSurroundings({ stop: stop.signal }));
  setTimeout(() => stop.abort(new Error("interrupted")), 200);
  await assert.rejects(running, /interrupted/);
});

const hellos: readonly (readonly [hello: unknown, text: RegExp])[] = [
  [7, /^protocol_error: .*its hello is no object/],
  [{ protocol: 2, stages: [] }, /^protocol_error: .*its hello has the protocol 2; this is version 1/],
  [{ protocol: 1 }, /^protocol_error: .*its stages are undefined; allowed: retrieve, assemble/],
  [{ protocol: 1, stages: ["retreive"] }, /^protocol_error: .*its stages are \["retreive"\]/],
  [{ protocol: 1, stages: ["retrieve"] }, /^invalid_system: .*it has no function "generate"/],
  [{ protocol: 1, stages: ["answer", "retrieve"] }, /^invalid_system: .*it has "answer" and "retrieve"/],
  [{ protocol: 1, stages: ["answer"], settings: { topk: 1 } }, /^invalid_system: .*Unrecognized key: "topk"/],
  [
    { protocol: 1, stages: ["answer"], settings: { name: "x" } },
    /^setting_absent: Cannot run the system: 1 mistake/,
  ],
];
for (const [hello, text] of hellos) {
  Deno.test(`a hello that does not fit: ${JSON.stringify(hello)}`, async () => {
    assert.match((await faultFor(saying(helloOf(hello)))).text, text);
  });
}

Deno.test("a hello that is refused has the reason and the hint of the other side", async () => {
  const data = { kind: "no_index", hint: "build it first" };
  const refusal = JSON.stringify({
    jsonrpc: "2.0",
    id: 1,
    error: { code: 1, message: "there is no index", data },
  });
  const fault = await faultFor(saying(refusal));
  assert.equal(fault.text, "no_index: Cannot start the system: there is no index");
  assert.equal(fault.hint, "build it first");
});

Deno.test("a Python that is too old, or a module that cannot be loaded, is told with the way out", async () => {
  const python = (text: string, name = "A") => faultFor({ object: `app:${name}` }, { "app.py": text });
  const absent = await python("import no_such_package_here");
  assert.match(
    absent.text,
    /^module_failed: Cannot start the system: ModuleNotFoundError: .*'no_such_package_here'/,
  );
  assert.match(absent.hint, /install the package there.*python: \{command: \[uv, run, python\]\}/);
  assert.match(
    (await python("x = = 1")).text,
    /^module_failed: .*SyntaxError: invalid syntax \(app\.py, line 1\)/,
  );
  assert.match(
    (await python("1 / 0")).text,
    /ZeroDivisionError: division by zero\n {2}its stderr ends with:/,
  );
  const named = await python("from oloproof import rag_system\n@rag_system(name='a')\nclass B: pass\n");
  assert.match(named.text, /^export_not_found: .*the module has no 'A'/);
  assert.equal(named.hint, "it has B");
  assert.match((await python("class A: pass")).text, /^invalid_system: .*A is no system/);
  const arguments_ =
    "from oloproof import rag_system\n@rag_system(name='a')\nclass A:\n  def __init__(self, x): pass\n";
  assert.match((await python(arguments_)).text, /^module_failed: .*A\(\) failed: TypeError: .*'x'/);
  const empty = await python(
    "from oloproof import rag_system\n@rag_system(name='a', version='1')\nclass A: pass\n",
  );
  assert.match(empty.text, /^invalid_system: .*no function "retrieve" and no function "generate"/);
});

Deno.test("a JavaScript module that cannot be loaded, likewise", async () => {
  for (const runtime of ["deno", "node"]) {
    const script = (text: string) => faultFor({ object: "app:a", runtime }, { "app.mjs": text });
    assert.match((await script('throw new Error("no key")')).text, /^module_failed: .*no key/);
    assert.match((await script('import "no-such-package-here";')).text, /^module_needs_packages: /);
    const named = await script("export const b = 1;");
    assert.match(named.text, /^export_not_found: .*exports no "a"/);
    assert.equal(named.hint, "it exports b");
    assert.match((await script("export class a {}")).text, /^invalid_system: .*a function or a class/);
    assert.match((await script("export const a = 1;")).text, /^invalid_system: .*the export is number/);
    assert.match((await script("export const a = {};")).text, /no function "retrieve"/);
  }
});

Deno.test("the runtime must be able to run the module", async () => {
  const fault = await faultFor({ object: "app:a", runtime: "python" }, { "app.mjs": "" });
  assert.equal(fault.text, 'wrong_runtime: Cannot load "app:a" with the runtime python');
});

Deno.test("a system that says something else of itself after a crash is not used any more", async () => {
  const program = `
import json, os, sys
n = len(open("starts").read()) if os.path.exists("starts") else 0
open("starts", "a").write("x")
for line in sys.stdin:
    message = json.loads(line)
    if message["method"] != "hello": os._exit(3)
    settings = {"name": "a", "version": str(n)}
    print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": {"protocol": 1, "settings": settings, "stages": ["answer"]}}), flush=True)
`;
  const project = await projectOf({ command: ["python3", "peer.py"] }, { "peer.py": program });
  const report = await run({ ...project, run: { ...project.run, concurrency: 1 } }, {}, testSurroundings());
  assert.match(report.failures[0]?.message ?? "", /^the process ended with code 3/);
  assert.match(report.failures[1]?.message ?? "", /says something else of itself than at its first start/);
});

Deno.test("a program that ends right after its hello is started again, and given up in the end", async () => {
  const hello = helloOf({ protocol: 1, settings: { name: "a", version: "1" }, stages: ["answer"] });
  const command = ["python3", "-c", `import sys; sys.stdin.readline(); print('${hello}', flush=True)`];
  const project = await projectOf({ command });
  const cases = Array.from({ length: 12 }, (_, n) => `{"id": "c${n}", "input": 1}\n`).join("");
  await Deno.writeTextFile(`${project.root}/cases.jsonl`, cases);
  const report = await run({ ...project, run: { ...project.run, concurrency: 1 } }, {}, testSurroundings());
  assert.equal(report.failures.length, 12);
  assert.match(
    report.failures[0]?.message ?? "",
    /the process (?:ended with code 0 before it answered|has ended)/,
  );
  assert.match(report.failures[11]?.message ?? "", /not started again: the process ended 5 times in a row/);
});

Deno.test("a program that writes without end is ended", async () => {
  const hello = helloOf({ protocol: 1, settings: { name: "a", version: "1" }, stages: ["answer"] });
  const flood = "import sys\nsys.stdin.readline()\n" +
    `print('${hello}', flush=True)\nsys.stdin.readline()\nwhile True: sys.stdout.write('x' * 1000000)`;
  const project = await projectOf({ command: ["python3", "-c", flood] });
  const report = await run({ ...project, run: { ...project.run, concurrency: 1 } }, {}, testSurroundings());
  assert.deepEqual(report.failures.map(({ message }) => message), [
    "the process was ended: it sent a line of over 100 MB before it answered",
    "the process was ended: it sent a line of over 100 MB before it answered",
  ]);
});

Deno.test("validate starts nothing", async () => {
  const project = await projectOf({ command: ["touch", "started"] });
  await validate(project, testSurroundings());
  await assert.rejects(Deno.stat(`${project.root}/started`));
});

Deno.test("what a program has started in the background ends with it", async () => {
  const command = ["sh", "-c", `sleep 600 & echo $! > pids; exec python3 ${peer}`];
  const project = await projectOf({ command });
  const report = await run(project, {}, testSurroundings());
  assert.deepEqual(report.failures, []);
  assert.deepEqual(await livingOf(`${project.root}/pids`), []);
});
