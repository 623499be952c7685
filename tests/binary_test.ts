/**
 * The compiled program, from an empty folder: it loads a system as JavaScript, runs it and opens its store.
 * OLOPROOF_BINARY names the binary; without it there is nothing to test.
 */
import assert from "node:assert/strict";
import { stripTypeScriptTypes } from "node:module";
import { join } from "node:path";
import { tempFolder } from "./temp_folder.ts";

const binary = Deno.env.get("OLOPROOF_BINARY");
const example = new URL("../examples/support_rag/", import.meta.url);

async function call(
  cwd: string,
  args: readonly string[],
  env: Record<string, string> = { PATH: "/nowhere" },
) {
  const command = new Deno.Command(binary ?? "", {
    args: [...args],
    cwd,
    clearEnv: true,
    env,
  });
  const { code, stdout, stderr } = await command.output();
  const decoder = new TextDecoder();
  return { code, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr) };
}

Deno.test({
  name: "the binary runs the support_rag system as JavaScript from another folder",
  ignore: binary === undefined,
  async fn() {
    const cwd = await tempFolder();
    for (const name of ["oloproof.yaml", "cases.jsonl", "corpus.jsonl"]) {
      await Deno.copyFile(new URL(name, example), join(cwd, name));
    }
    const source = await Deno.readTextFile(new URL("app.ts", example));
    await Deno.writeTextFile(join(cwd, "app.js"), stripTypeScriptTypes(source));

    const version = await call(cwd, ["--version"]);
    assert.match(version.stdout, /^oloproof \d+\.\d+\.\d+\n$/);

    const first = await call(cwd, ["run", "--json"]);
    assert.equal(first.stderr, "");
    assert.equal(first.code, 0);
    const report = JSON.parse(first.stdout);
    assert.deepEqual(report.metrics[0].observed, 13);
    assert.equal(report.metrics[0].estimate, 9 / 13);

    const second = await call(cwd, ["run"]);
    assert.match(second.stdout, /Cache: execution 13 hit\/0 miss; judgment 65 hit\/0 miss/);
    const failed = await call(cwd, ["inspect", "latest", "--failed", "answer_correct"]);
    assert.match(failed.stdout, /^4 cases of run_/);
  },
});

Deno.test({
  name: "the binary makes a project, checks it and runs it",
  ignore: binary === undefined,
  async fn() {
    const cwd = await tempFolder();
    assert.equal((await call(cwd, ["init", ".", "--kind", "js"])).code, 0);
    const validated = await call(cwd, ["validate"]);
    assert.match(validated.stdout, /no mistakes · 3 cases/);
    const ran = await call(cwd, ["run"]);
    assert.match(ran.stdout, /answer_correct \s*│ 66\.7%/);
    assert.equal(ran.code, 0);
    const mistaken = await call(cwd, ["run", "--set", "topk=3"]);
    assert.equal(mistaken.code, 2);
    assert.match(mistaken.stderr, /did you mean "top_k"/);
  },
});

Deno.test({
  name: "the binary brings along what Python and Node need to run a system",
  ignore: binary === undefined,
  async fn() {
    const cwd = await tempFolder();
    assert.equal((await call(cwd, ["init", ".", "--kind", "python"])).code, 0);
    const without = await call(cwd, ["run"]);
    assert.match(without.stderr, /error\[program_not_found\].*"python3"/);
    const PATH = Deno.env.get("PATH") ?? "";
    const ran = await call(cwd, ["run"], { PATH });
    assert.match(ran.stdout, /answer_correct \s*│ 66\.7%/);
    await Deno.writeTextFile(
      join(cwd, "oloproof.yaml"),
      'system: {rag: {object: "desk.mjs:desk", runtime: node}}\nevaluators: [{type: completed}]\n',
    );
    await Deno.writeTextFile(
      join(cwd, "desk.mjs"),
      `import { ragSystem } from "oloproof";
       export const desk = ragSystem({ name: "d", version: "1" }, { answer: () => ({ output: 1 }) });`,
    );
    assert.match((await call(cwd, ["run"], { PATH })).stdout, /completed │ 100\.0%/);
  },
});
