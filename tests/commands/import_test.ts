/** Imported projects on the disk: whole or not at all, valid, and what they never overwrite. */
import assert from "node:assert/strict";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { importProject, type ImportSource } from "../../lib/commands/import.ts";
import { openProject } from "../../lib/commands/open_project.ts";
import { readRecords } from "../../lib/commands/read_records.ts";
import { run } from "../../lib/commands/run.ts";
import { validate } from "../../lib/commands/validate.ts";
import { OloproofError } from "../../lib/domain/error.ts";
import { tempFolder } from "../temp_folder.ts";
import { testSurroundings } from "./run_surroundings.ts";

/** Writes a source and imports it into the folder `out` beside it. */
async function importText(
  name: string,
  text: string | Uint8Array,
  source: (file: string) => ImportSource,
  { folder, force = false }: { readonly folder?: string; readonly force?: boolean } = {},
) {
  const cwd = folder ?? await tempFolder();
  await writeFile(join(cwd, name), text);
  const out = join(cwd, "out");
  const made = importProject(source(name), { folder: out, force }, testSurroundings({ cwd }));
  return { cwd, out, made: await made.catch((cause) => cause) };
}

const csv = (file: string): ImportSource => ({
  format: "csv",
  file,
  columns: { input: ["question"], expected: ["answer"] },
});
const ragas = (file: string): ImportSource => ({ format: "ragas", file });

Deno.test("import: with a mistake nothing is written, not even a part", async () => {
  const { made, out } = await importText("t.csv", "question,answer\na,1\nb\n", csv);
  assert.ok(made instanceof OloproofError);
  assert.equal(made.code, "ragged_row");
  await assert.rejects(readdir(out), { code: "ENOENT" });
});

Deno.test("import: what a project refuses of a case is told at its place in the source", async () => {
  const { made } = await importText("t.csv", "id,question,answer\nok,a,1\n\n\u001b[1m,b,2\n", (file) => ({
    format: "csv",
    file,
    columns: { input: ["question"], expected: ["answer"], id: "id" },
  }));
  assert.ok(made instanceof OloproofError);
  assert.deepEqual(made.issues.map(({ file, line, column, code }) => [file, line, column, code]), [
    ["t.csv", 4, undefined, "invalid_value"],
  ]);
});

Deno.test("import: of very many mistakes the first are told", async () => {
  const { made } = await importText("t.csv", `question,answer\n${"a\n".repeat(200)}`, csv);
  assert.ok(made instanceof OloproofError);
  assert.match(made.message, /the first 50 mistakes/);
});

Deno.test("import: bytes that are no UTF-8 are told with their line", async () => {
  const { made } = await importText("t.csv", new Uint8Array([113, 10, 0xff, 10]), csv);
  assert.ok(made instanceof OloproofError);
  assert.equal(made.code, "not_utf8");
  assert.equal(made.where, "t.csv:2");
});

Deno.test("import: a source without cases makes no project", async () => {
  const { made } = await importText("t.jsonl", '{"user_input": [{"type": "human"}]}\n', ragas);
  assert.ok(made instanceof OloproofError);
  assert.equal(made.code, "no_cases");
  assert.match(made.hint ?? "", /list of messages/);
});

Deno.test("import: nothing is overwritten without force, and a system never", async () => {
  const { cwd, out } = await importText("t.csv", "question,answer\na,1\n", csv);
  const before = await readFile(join(out, "cases.jsonl"), "utf8");
  await writeFile(join(out, "app.ts"), "mine");
  const again = await importText("t.csv", "question,answer\nb,2\n", csv, { folder: cwd });
  assert.ok(again.made instanceof OloproofError);
  assert.equal(again.made.code, "file_exists");
  assert.equal(await readFile(join(out, "cases.jsonl"), "utf8"), before);
  const forced = await importText("t.csv", "question,answer\nb,2\n", csv, { folder: cwd, force: true });
  assert.match(await readFile(join(out, "cases.jsonl"), "utf8"), /"b"/);
  assert.equal(await readFile(join(out, "app.ts"), "utf8"), "mine");
  assert.ok(forced.made.notices.some(({ code }: { code: string }) => code === "system_kept"));
  assert.deepEqual((await readdir(out)).toSorted(), [
    ".gitignore",
    "app.ts",
    "cases.jsonl",
    "corpus.jsonl",
    "oloproof.yaml",
  ]);
});

Deno.test("import: a source is never overwritten, force or not", async () => {
  const cwd = await tempFolder();
  await writeFile(join(cwd, "records.jsonl"), '{"user_input": "a", "response": "b"}\n');
  const made = importProject(ragas("records.jsonl"), { folder: cwd, force: true }, testSurroundings({ cwd }));
  await assert.rejects(made, { code: "source_in_the_way" });
  const plants: ImportSource = { format: "beir", folder: "plants", split: "test" };
  const beside = importProject(
    plants,
    { folder: join(cwd, "plants"), force: true },
    testSurroundings({ cwd }),
  );
  await assert.rejects(beside, { code: "source_in_the_way" });
});

Deno.test("import: an interruption leaves nothing", async () => {
  const cwd = await tempFolder();
  await writeFile(join(cwd, "t.csv"), "question,answer\na,1\n");
  const stop = AbortSignal.abort(new Error("interrupted"));
  const made = importProject(
    csv("t.csv"),
    { folder: join(cwd, "out"), force: false },
    testSurroundings({ cwd, stop }),
  );
  await assert.rejects(made, { code: "interrupted" });
  assert.deepEqual(await readdir(cwd), ["t.csv"]);
});

Deno.test("import: names and columns that YAML would read otherwise stay texts", async () => {
  const { out, cwd } = await importText("no.csv", 'question,"answer: {x}"\na,1\n', (file) => ({
    format: "csv",
    file,
    columns: { input: ["question"], expected: ["answer: {x}"] },
  }));
  const project = await openProject(out, { cwd });
  assert.equal(project.evaluators[0]?.parameters.expected_field, "answer: {x}");
  assert.equal((await validate(project, testSurroundings({ cwd }))).evaluators[0]?.applies_to, 1);
});

Deno.test("import: recorded answers are what a project of records reads, and run at once", async () => {
  const rows = [
    {
      user_input: "a",
      response: "x y",
      retrieved_contexts: ["p", "q"],
      reference: "x",
      reference_contexts: ["q"],
    },
    { user_input: "b", reference: "y" },
  ];
  const { out, cwd, made } = await importText("t.json", JSON.stringify(rows), ragas);
  assert.deepEqual([made.cases, made.records, made.passages], [2, 1, 2]);
  const records = await readRecords(join(out, "records.jsonl"), "records.jsonl");
  assert.deepEqual([records.count, records.reports], [1, ["candidates", "context"]]);
  const project = await openProject(out, { cwd });
  const report = await run(project, {}, testSurroundings({ cwd }));
  assert.deepEqual(
    report.metrics.map((
      { criterion, observed, missing, excluded },
    ) => [criterion, observed, missing, excluded]),
    [
      ["token_f1", 1, 1, 0],
      ["hit_rate_at_2", 1, 0, 1],
      ["recall_at_2", 1, 0, 1],
    ],
  );
  assert.deepEqual(report.failures.map(({ kind }) => kind), ["not_recorded"]);
});

Deno.test("import: the starter runs at once on an empty corpus, and finds what is put into it", async () => {
  for (const corpus of ["", `${JSON.stringify({ doc_id: "d", text: "It is here. 1" })}\n`]) {
    const { out, cwd } = await importText("t.csv", "question,answer\nWhere is it?,1\n", csv);
    await writeFile(join(out, "corpus.jsonl"), corpus);
    const report = await run(await openProject(out, { cwd }), {}, testSurroundings({ cwd }));
    assert.deepEqual([report.failures.length, report.metrics[0]?.estimate], [0, corpus === "" ? 0 : 1]);
  }
});
