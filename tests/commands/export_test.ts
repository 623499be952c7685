/** Exports into files, and which criteria of a run pass or fail. */
import assert from "node:assert/strict";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { exportTrec, passFailEvaluators, withSource, writeToFile } from "../../lib/commands/export.ts";
import { run } from "../../lib/commands/run.ts";
import { trecLines } from "../../lib/report/trec_lines.ts";
import { ragSystem } from "../../lib/stages/rag_system.ts";
import { Session } from "../cli/session.ts";
import { tempFolder } from "../temp_folder.ts";
import { testProject, testSurroundings } from "./run_surroundings.ts";

const system = ragSystem({ name: "told", version: "1", depth: 2, top_k: 1 }, {
  retrieve: (input: string) => ({ candidates: input === "none" ? [] : [{ doc_id: "x" }, { doc_id: input }] }),
  generate(input) {
    if (input === "broken") throw new Error("gone");
    return { answer: input };
  },
});

const labelled = (id: string) => ({ id, input: id, expected: { relevant: [{ doc_id: id }] } });

Deno.test("export trec: topics are the cases that our measures observe", async () => {
  const cases = [labelled("a"), labelled("none"), labelled("broken"), { id: "open", input: "open" }];
  const project = await testProject({ system, cases, evaluators: [{ type: "mrr", k: 2 }] });
  const surroundings = testSurroundings();
  const report = await run(project, {}, surroundings);
  const folder = await tempFolder();
  const written = await withSource(
    project.store,
    report.run_id,
    surroundings,
    (source) => exportTrec(source, join(folder, "new"), surroundings, trecLines),
  );
  assert.deepEqual([written.qrels.topics, written.run.topics, written.run.lines], [2, 1, 2]);
  assert.equal(written.qrels.topics, report.metrics[0]?.observed);
  assert.deepEqual(Object.fromEntries(written.left_out), { execution_failed: 1, no_relevance_labels: 1 });
  assert.equal(await readFile(join(folder, "new", "qrels.txt"), "utf8"), "a 0 a 1\nnone 0 none 1\n");
});

Deno.test("export trec: without a topic no file is left", async () => {
  const project = await testProject({ system, cases: [{ id: "open", input: "open" }], evaluators: [] });
  const surroundings = testSurroundings();
  const { run_id } = await run(project, {}, surroundings);
  const folder = await tempFolder();
  const made = withSource(
    project.store,
    run_id,
    surroundings,
    (source) => exportTrec(source, folder, surroundings, trecLines),
  );
  await assert.rejects(made, { code: "nothing_to_export" });
  assert.deepEqual(await readdir(folder), []);
});

Deno.test("export: a file appears when it is whole, and replaces what was there", async () => {
  const cwd = await tempFolder();
  await writeFile(join(cwd, "a.csv"), "before");
  const broken = writeToFile("a.csv", testSurroundings({ cwd }), async (write) => {
    await write("half");
    throw new Error("the store went away");
  });
  await assert.rejects(broken, /went away/);
  assert.equal(await readFile(join(cwd, "a.csv"), "utf8"), "before");
  await writeToFile("a.csv", testSurroundings({ cwd }), (write) => write("after"));
  assert.equal(await readFile(join(cwd, "a.csv"), "utf8"), "after");
  assert.deepEqual(await readdir(cwd), ["a.csv"]);
});

Deno.test("export: pass/fail criteria are told by type, a function's by what it gave", async () => {
  const cwd = await tempFolder();
  await writeFile(
    join(cwd, "score.js"),
    `export const half = () => 0.5; export const yes = () => true; export const bad = () => "no";`,
  );
  await writeFile(
    join(cwd, "oloproof.yaml"),
    `system: {rag: {object: "app.js:s"}}
evaluators:
  - {type: mrr, k: 1}
  - {type: hit_rate, k: 1}
${["half", "yes", "bad"].map((name) => `  - {type: function, object: "score.js:${name}"}\n`).join("")}`,
  );
  await writeFile(
    join(cwd, "app.js"),
    `import { ragSystem } from "oloproof";
export const s = ragSystem({ name: "x", version: "1", depth: 1, top_k: 1 }, {
  retrieve: () => ({ candidates: [] }), generate: () => "sk-secret-token-1" });`,
  );
  await writeFile(join(cwd, "cases.jsonl"), `${JSON.stringify(labelled("a"))}\n`);
  const session = new Session(cwd, { OLOPROOF_STORE_TOKEN: "sk-secret-token-1" });
  await session.run(["run"]);
  const store = join(cwd, ".oloproof/oloproof.db");
  const found = await withSource(store, "latest", testSurroundings({ cwd }), passFailEvaluators);
  assert.deepEqual(found.map(({ evaluator }) => evaluator.criterion), ["hit_rate_at_1", "yes", "bad"]);
  await session.run(["export", "latest", "--format", "csv", "-o", "out.csv"]);
  const written = await readFile(join(cwd, "out.csv"), "utf8");
  assert.match(written, /^case_id,.*\na,.*redacted OLOPROOF_STORE_TOKEN/s);
  assert.doesNotMatch(written, /sk-secret/);
});
