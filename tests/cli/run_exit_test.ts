/** Exit codes and streams of `run`, in process. */
import assert from "node:assert/strict";
import { Session, splitWords } from "./session.ts";
import { tempFolder } from "../temp_folder.ts";

async function projectOf(evaluators: string): Promise<Session> {
  const cwd = await tempFolder();
  await Deno.writeTextFile(`${cwd}/oloproof.yaml`, `system: {rag: {object: "app:s"}}\n${evaluators}`);
  await Deno.writeTextFile(
    `${cwd}/app.js`,
    `import { ragSystem } from "oloproof";
     export const s = ragSystem({ name: "x", version: "1", depth: 1, top_k: 1 }, {
       retrieve: () => ({ candidates: [{ doc_id: "d", text: "t" }] }),
       generate: (input) => { globalThis.onAnswer?.(); if (input === "q0") throw new Error("sk-secret-token-1 failed"); return { answer: input }; },
     });`,
  );
  const lines = [0, 1, 2, 3].map((n) =>
    JSON.stringify({ id: `c${n}`, input: `q${n}`, expected: { answer: `q${n}` } })
  );
  await Deno.writeTextFile(`${cwd}/cases.jsonl`, `${lines.join("\n")}\n`);
  return new Session(cwd, { OLOPROOF_STORE_TOKEN: "sk-secret-token-1" });
}

const right = "evaluators: [{type: equals, criterion: right, field: answer, expected_field: answer}]\n";

Deno.test("missing outcomes exit 4, unless they are allowed", async () => {
  const session = await projectOf(right);
  const run = async (...args: string[]) => await session.run(["run", ...args]);
  const strict = await run();
  assert.equal(strict.code, 4);
  assert.match(strict.stderr, /Outcomes are missing: 1 of 4 for right \(allowed: 0%/);
  assert.equal((await run("--allow-missing", "24.9")).code, 4);
  assert.equal((await run("--allow-missing", "25%")).code, 0);
});

Deno.test("completed counts failures on purpose, and low figures alone exit 0", async () => {
  const session = await projectOf("evaluators: [{type: completed}]\n");
  const { code, stdout } = await session.run(["run"]);
  assert.equal(code, 0);
  assert.match(stdout, /completed │ 75\.0%/);
});

Deno.test("without evaluators the executions are the outcomes", async () => {
  const session = await projectOf("");
  const { code, stderr } = await session.run(["run"]);
  assert.equal(code, 4);
  assert.match(stderr, /1 of 4 for the executions/);
});

Deno.test("an output field that no answer has is a configuration error after the figures", async () => {
  const session = await projectOf(right.replace("field: answer,", "field: anwser,"));
  const { code, stdout, stderr } = await session.run(["run"]);
  assert.equal(code, 2);
  assert.match(stdout, /right/);
  assert.match(stderr, /error\[output_field_absent\].*"anwser"/);
});

Deno.test("the value of a secret is neither printed nor stored", async () => {
  const session = await projectOf(right);
  const ran = await session.run(["run"]);
  const shown = await session.run(["inspect", "latest", "--case", "c0"]);
  const exported = await session.run(["export", "latest"]);
  const stored = await Deno.readFile(`${session.cwd}/.oloproof/oloproof.db`);
  const log = await Deno.readFile(`${session.cwd}/.oloproof/oloproof.db-wal`).catch(() => new Uint8Array());
  const bytes = new TextDecoder("latin1").decode(stored) + new TextDecoder("latin1").decode(log);
  for (const text of [ran.both, shown.both, exported.both, bytes]) {
    assert.ok(!text.includes("sk-secret-token-1"));
  }
  assert.match(shown.stdout, /\[redacted OLOPROOF_STORE_TOKEN\] failed/);
});

Deno.test("an interrupted run exits 130 and keeps what is finished", async () => {
  const session = await projectOf(right);
  const stop = new AbortController();
  stop.abort(new Error("interrupted"));
  const { code, stdout, stderr } = await session.run(["run"], { stop: stop.signal });
  assert.equal(code, 130);
  assert.match(stdout, /Cases: 0 of 4 finished \(interrupted\)/);
  assert.match(stdout, /\nNext: oloproof run --resume run_\w+\n$/);
  assert.match(
    stderr,
    /^Interrupted: 0 of 4 cases are finished and kept; `oloproof run --resume run_\w+` goes on\n$/,
  );
  const listed = await session.run(["list"]);
  assert.match(listed.stdout, /│ interrupted │ .* │ 0 of 4 │/);
});

Deno.test("the way on is told as the program was called, and leads to the end", async () => {
  const session = await projectOf(right);
  const stop = new AbortController();
  let answered = 0;
  Reflect.set(globalThis, "onAnswer", () => {
    if (++answered === 2) stop.abort(new Error("interrupted"));
  });
  const global = ["-C", ".", "--store", "my store.db"];
  const { stderr } = await session.run([...global, "run", "--concurrency", "1"], { stop: stop.signal });
  const [, command = ""] = /`oloproof (.*)` goes on/.exec(stderr) ?? [];
  assert.match(command, /^--store 'my store\.db' run --resume run_\w+$/);
  Reflect.deleteProperty(globalThis, "onAnswer");
  const resumed = await session.run(splitWords(command));
  assert.equal(resumed.code, 4);
  assert.match(resumed.stdout, /Cache: execution 0 hit\/4 miss; judgment 0 hit\/3 miss/);
  assert.equal((await session.run(splitWords(command))).code, 4);
});

Deno.test("a retry ends with how much was carried and how much executed again", async () => {
  const session = await projectOf(right);
  const first = await session.run(["run"]);
  const [, run_id = ""] = /^Run (run_\w+)/m.exec(first.stdout) ?? [];
  const { code, stdout } = await session.run(["run", "--retry-failed", "latest"]);
  assert.equal(code, 4);
  assert.match(stdout, /\nCache: execution 3 hit\/1 miss; judgment 3 hit\/0 miss\n/);
  assert.ok(stdout.endsWith(`\nRetry of ${run_id}: 3 carried, 1 executed again\n`), stdout);
  const looked = await session.run(["inspect", "latest"]);
  assert.match(looked.stdout, new RegExp(`\\nRetry of ${run_id}: 3 carried, 1 executed again\\n`));
});

Deno.test("a dry run exits 0 and leaves nothing behind, also when it is interrupted", async () => {
  const session = await projectOf(right);
  const { code, stdout } = await session.run(["run", "--dry-run"]);
  assert.equal(code, 0);
  assert.match(stdout, /^Dry run: no stage was called and nothing was written\nCases: 4, 4 executions\n/);
  await assert.rejects(Deno.stat(`${session.cwd}/.oloproof`));
  const stop = new AbortController();
  stop.abort(new Error("interrupted"));
  const stopped = await session.run(["run", "--dry-run"], { stop: stop.signal });
  assert.deepEqual([stopped.code, stopped.stdout], [130, ""]);
  assert.match(stopped.stderr, /^Interrupted: nothing was called/);
});
