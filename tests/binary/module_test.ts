/** Systems as modules on the disk, which the binary loads into its own process. */
import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { tempFolder } from "../temp_folder.ts";
import { call, ignore, isTestBuild } from "./program.ts";

const projectOf = (file: string) =>
  `system:
  rag: {object: "${file}:echo"}
cases: cases.jsonl
evaluators:
  - {type: equals, criterion: right, field: answer, expected_field: answer}
`;

const system = (imports: string) =>
  `import { ragSystem } from "oloproof";
${imports}
export const echo = ragSystem({ name: "echo", version: "1", depth: 1, top_k: 1, index_version: "1" }, {
  retrieve: (input) => ({ candidates: [{ doc_id: "a", text: input }] }),
  generate: (_input, [first]) => ({ answer: shout(first.text) }),
});
`;

/** A project whose system imports a file of its own. */
async function project(files: Readonly<Record<string, string>>): Promise<string> {
  const cwd = await tempFolder();
  await mkdir(join(cwd, "text"));
  for (const [name, text] of Object.entries(files)) await writeFile(join(cwd, name), text);
  await writeFile(join(cwd, "cases.jsonl"), '{"id": "a", "input": "blue", "expected": {"answer": "BLUE"}}\n');
  return cwd;
}

Deno.test({
  name: "binary: a JavaScript module imports oloproof, built-ins and files beside it",
  ignore,
  async fn() {
    const cwd = await project({
      "oloproof.yaml": projectOf("app.mjs"),
      "app.mjs": system('import { shout } from "./text/shout.js";'),
      "text/shout.js":
        'import { ok } from "node:assert";\nok(true);\nexport const shout = (text) => text.toUpperCase();\n',
    });
    const { stdout, stderr, code } = await call(cwd, ["run", "--json"]);
    assert.equal(code, 0, stderr);
    assert.equal(JSON.parse(stdout).metrics[0].estimate, 1);
  },
});

Deno.test({
  name: "binary: a TypeScript module is run, or an error names the ways out",
  ignore,
  async fn() {
    const cwd = await project({
      "oloproof.yaml": projectOf("app.ts"),
      "app.ts": system("const shout = (text: string | undefined): string => (text ?? '').toUpperCase();"),
    });
    const { stdout, stderr, code } = await call(cwd, ["run", "--json"]);
    if (!await isTestBuild()) {
      assert.equal(JSON.parse(stdout).metrics[0].estimate, 1);
      return;
    }
    assert.equal(code, 2);
    const { error } = JSON.parse(stdout);
    assert.equal(error.code, "typescript_not_read");
    for (const way of ["esbuild app.ts --outfile=app.js", "rag.runtime: node or deno", "deno run"]) {
      assert.ok(error.hint.includes(way), error.hint);
    }
    assert.equal(stderr, "");
  },
});

Deno.test({
  name: "binary: a module that needs a package is told the ways out",
  ignore,
  async fn() {
    const cwd = await project({
      "oloproof.yaml": projectOf("app.js"),
      "app.js": system('import { shout } from "left-shout";'),
    });
    const { stderr, code } = await call(cwd, ["run"]);
    assert.equal(code, 2);
    assert.match(stderr, /error\[module_needs_packages\].*"left-shout"/);
    assert.match(stderr, /package\.json.*deno\.json.*esbuild/s);
    // With packages of its own it wants a runtime, and there is none.
    await writeFile(join(cwd, "package.json"), "{}");
    const packaged = await call(cwd, ["run"]);
    assert.equal(packaged.code, 2);
    assert.match(
      packaged.stderr,
      /error\[program_not_found\].*\n.*\nhint: install Deno .*runtime: node.*bundle/,
    );
  },
});

Deno.test({
  name: "binary: it brings along what Python and Node need to run a system",
  ignore,
  async fn() {
    const cwd = await tempFolder();
    assert.equal((await call(cwd, ["init", ".", "--kind", "python"])).code, 0);
    const env = { PATH: Deno.env.get("PATH") ?? "" };
    const ran = await call(cwd, ["run"], { env });
    assert.match(ran.stdout, /answer_correct \s*│ 66\.7%/);
    await writeFile(
      join(cwd, "oloproof.yaml"),
      'system: {rag: {object: "desk.mjs:desk", runtime: node}}\nevaluators: [{type: completed}]\n',
    );
    await writeFile(
      join(cwd, "desk.mjs"),
      'import { ragSystem } from "oloproof";\n' +
        'export const desk = ragSystem({ name: "d", version: "1" }, { answer: () => ({ output: 1 }) });\n',
    );
    assert.match((await call(cwd, ["run"], { env })).stdout, /completed │ 100\.0%/);
  },
});
