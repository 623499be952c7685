/** What runs a module, found out from its text and the folders above it. */
import assert from "node:assert/strict";
import { openProject } from "../../lib/commands/open_project.ts";
import { run } from "../../lib/commands/run.ts";
import { chooseRuntime } from "../../lib/system/choose_runtime.ts";
import { foreignImports } from "../../lib/system/foreign_imports.ts";
import { testSurroundings } from "../commands/run_surroundings.ts";
import { faultOf, folderOf } from "./project_folder.ts";

async function runtimeOf(files: Readonly<Record<string, string>>, module = "app.mjs") {
  const root = await folderOf(files);
  const source = {
    kind: "module",
    object: `${module}:a`,
    files: [],
    identity: "source",
    runtime: "auto",
    start_timeout_seconds: 9,
  } as const;
  return await chooseRuntime(source, { path: `${root}/${module}` });
}

Deno.test("imports from elsewhere are found in a module and in all that it imports", async () => {
  const root = await folderOf({
    "app.ts": `
      import { ragSystem } from "oloproof";
      import { readFile } from "node:fs/promises";
      import type { Types } from "types-alone";
      import one, { two } from "package-a"; import "package-b/sub";
      export * from '@scope/c';
      export { d } from "./lib/d.ts";
      // import "in-a-comment";
      /* import x from "in-another"; */
      const e = await import("package-e");
      const text = "from nothing";
    `,
    "lib/d.ts": 'import{f}from"package-f";import g from "../g.js";export const d = f;',
    "g.js": 'const h = require("package-h"); export default h;',
  });
  assert.deepEqual([...await foreignImports(`${root}/app.ts`)].sort(), [
    "@scope/c",
    "package-a",
    "package-b/sub",
    "package-e",
    "package-f",
    "package-h",
  ]);
});

Deno.test("what is self-contained runs in this process, whatever lies beside it", async () => {
  const text = 'import { ragSystem } from "oloproof"; import "node:path"; import "./other.mjs";';
  const files = { "app.mjs": text, "other.mjs": "" };
  assert.equal(await runtimeOf(files), undefined);
  assert.equal(await runtimeOf({ ...files, "package.json": "{}" }), undefined);
  assert.equal(await runtimeOf({ ...files, "deno.json": "{}" }), undefined);
  assert.equal(await runtimeOf({ "app.mjs": 'import "npm:left-pad@1.3.0";' }), undefined);
});

Deno.test("packages are for the runtime that they were installed for: that of the nearest folder", async () => {
  const files = { "sub/app.mjs": 'import "left-pad";' };
  const of = (more: Readonly<Record<string, string>>) => runtimeOf({ ...files, ...more }, "sub/app.mjs");
  assert.equal(await of({ "package.json": "{}" }), "node");
  assert.equal(await of({ "deno.jsonc": "{}" }), "deno");
  assert.equal(await of({ "package.json": "{}", "deno.json": "{}" }), "deno");
  assert.equal(await of({ "package.json": "{}", "sub/deno.json": "{}" }), "deno");
  assert.equal(await of({ "deno.json": "{}", "sub/node_modules/left-pad/package.json": "{}" }), "node");
  assert.equal(await runtimeOf({ "app.py": "" }, "app.py"), "python");
});

/** A package that nobody has to install. */
const greeter = {
  "node_modules/greeter/package.json":
    '{"name": "greeter", "version": "1.0.0", "type": "module", "exports": "./index.js"}',
  "node_modules/greeter/index.js": 'export const greet = (name) => "Hello, " + name;',
};
const app = `
  import { ragSystem } from "oloproof";
  import { greet } from "greeter";
  export const desk = ragSystem({ name: "desk", version: "1", depth: 1, top_k: 1 }, {
    retrieve: (input) => ({ candidates: [{ doc_id: "d", text: input }] }),
    generate: (input) => ({ answer: greet(input) }),
  });`;
const project = {
  "oloproof.yaml": 'system: {rag: {object: "app:desk"}}\n' +
    "evaluators: [{type: equals, field: answer, expected_field: answer}]\n",
  "cases.jsonl": '{"id": "a", "input": "Ada", "expected": {"answer": "Hello, Ada"}}\n',
};

async function figuresOf(files: Readonly<Record<string, string>>) {
  const folder = await folderOf({ ...project, ...files });
  const report = await run(await openProject(folder, { cwd: folder }), {}, testSurroundings());
  assert.deepEqual(report.failures, []);
  return { estimate: report.metrics[0]?.estimate, digest: report.system.source_digest };
}

Deno.test("a module with a package.json runs with its packages", async () => {
  const { estimate } = await figuresOf({
    ...greeter,
    "package.json": '{"type": "module", "dependencies": {"greeter": "1.0.0"}}',
    "app.mjs": app,
  });
  assert.equal(estimate, 1);
});

Deno.test("a module with a deno.json runs with its import map, and keeps its own oloproof out of the way", async () => {
  const { estimate } = await figuresOf({
    "deno.jsonc":
      '{ // a comment, and a last comma\n "imports": {"greeter": "./vendor/greeter.ts", "~/": "./vendor/",} }',
    "vendor/greeter.ts":
      'import { hello } from "~/hello.ts"; export const greet = (name: string) => hello + name;',
    "vendor/hello.ts": 'export const hello: string = "Hello, ";',
    "app.ts": app.replace("(input)", "(input: string)").replace("(input)", "(input: string)"),
  });
  assert.equal(estimate, 1);
});

Deno.test("the members of a Deno workspace have the imports of the workspace", async () => {
  const root = await folderOf({
    "deno.json": '{"workspace": ["./rag"], "imports": {"greeter": "./greeter.ts"}}',
    "greeter.ts": 'export const greet = (name: string) => "Hello, " + name;',
    "rag/deno.json": '{"imports": {}}',
    "rag/app.mjs": app,
    "rag/oloproof.yaml": project["oloproof.yaml"],
    "rag/cases.jsonl": project["cases.jsonl"],
  });
  const report = await run(await openProject(`${root}/rag`, { cwd: root }), {}, testSurroundings());
  assert.equal(report.metrics[0]?.estimate, 1);
});

Deno.test("the same files have the same digest and share the caches, whatever runs them", async () => {
  const text = app.replace('import { greet } from "greeter";', 'import { greet } from "./greeter.mjs";');
  const folder = await folderOf({
    ...project,
    "app.mjs": text,
    "greeter.mjs": greeter["node_modules/greeter/index.js"],
  });
  const hits: unknown[] = [];
  for (const runtime of ["auto", "deno", "node"]) {
    await Deno.writeTextFile(
      `${folder}/oloproof.yaml`,
      project["oloproof.yaml"].replace('"app:desk"', `"app:desk", runtime: ${runtime}`),
    );
    const opened = await openProject(folder, { cwd: folder });
    hits.push((await run(opened, {}, testSurroundings())).cache.execution.hit);
  }
  assert.deepEqual(hits, [0, 1, 1]);
});

Deno.test("a package that is nowhere is told with the ways out", async () => {
  const folder = await folderOf({ ...project, "app.mjs": app });
  const fault = await faultOf(run(await openProject(folder, { cwd: folder }), {}, testSurroundings()));
  assert.equal(fault.code, "module_needs_packages");
  assert.match(fault.hint ?? "", /put a package\.json \(npm install\) or a deno\.json/);
});
