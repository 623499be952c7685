/** Runs that would only repeat a recent one: what is taken over is what the cache would have answered, case by case. */
import assert from "node:assert/strict";
import { exportCases } from "../../lib/commands/export.ts";
import { forget } from "../../lib/commands/forget.ts";
import { inspect } from "../../lib/commands/inspect.ts";
import { openProject } from "../../lib/commands/open_project.ts";
import { run } from "../../lib/commands/run.ts";
import type { Project } from "../../lib/domain/project.ts";
import { tempFolder } from "../temp_folder.ts";
import { countingProject, interruptedAfter, linesOf } from "./counting_system.ts";
import { testSurroundings } from "./run_surroundings.ts";

const INPUTS = ["a", "b", "a", "wrong", "c"];

/** A project with a run of it in which one case failed; the case answers from then on. */
async function onceRun(repeats = 1) {
  const counting = await countingProject(INPUTS, { repeats });
  counting.broken.add("b");
  await run(counting.project, {}, testSurroundings());
  counting.broken.clear();
  return counting;
}

async function storedOf(project: Project) {
  const cases = await Array.fromAsync(exportCases(project.store, "latest", testSurroundings()));
  // What calls took is not the same twice.
  return cases.map(({ stored: { costs: _, ...stored } }) => stored);
}

async function figuresOf(project: Project) {
  const looked = await inspect(project.store, "latest", {}, testSurroundings());
  assert.ok(looked.kind === "run");
  const { run_id: _, started_at: _started, usage: _usage, ...figures } = looked.report;
  return figures;
}

for (const repeats of [1, 2]) {
  Deno.test(`what is taken over is what the cache answers case by case (repeats ${repeats})`, async () => {
    const [taken, asked] = [await onceRun(repeats), await onceRun(repeats)];
    // A newer run of the same system, which made nothing: where there is one, the cache is asked.
    await run(asked.project, { select: { ids: ["c0"] } }, testSurroundings());
    for (const { project } of [taken, asked]) await run(project, {}, testSurroundings());
    assert.deepEqual(taken.calls, asked.calls);
    assert.deepEqual(await linesOf(taken.project), await linesOf(asked.project));
    assert.deepEqual(await figuresOf(taken.project), await figuresOf(asked.project));
    const rows = async (project: Project) =>
      (await storedOf(project)).map(({ retrieval_id: _, ...stored }) => stored);
    assert.deepEqual(await rows(taken.project), await rows(asked.project));
  });
}

Deno.test("what a refreshed run made anew is what is taken over, also when it was interrupted", async () => {
  const { project, calls } = await onceRun();
  await run(project, {}, testSurroundings());
  const before = await storedOf(project);
  await run(project, { refresh: ["all"] }, interruptedAfter(2));
  const refreshed = await storedOf(project);
  assert.ok(refreshed.length < INPUTS.length);
  const made = { ...calls };
  const report = await run(project, {}, testSurroundings());
  assert.deepEqual(calls, made);
  assert.deepEqual(report.cache.execution, { hit: 5, miss: 0 });
  const now = await storedOf(project);
  for (const { ordinal, retrieval_id } of now) {
    // An equal input shares what was made for the first of them.
    const source = refreshed.find((stored) => INPUTS[stored.ordinal] === INPUTS[ordinal]) ?? before[ordinal];
    assert.equal(retrieval_id, source?.retrieval_id, `case ${ordinal}`);
  }
});

Deno.test("what was forgotten is not taken over: it is executed again", async () => {
  const { project, calls } = await onceRun();
  await run(project, {}, testSurroundings());
  await forget(project.store, { cases: ["c4"] }, testSurroundings());
  const before = { ...calls };
  const report = await run(project, {}, testSurroundings());
  assert.deepEqual(calls, { retrieve: before.retrieve + 1, generate: before.generate + 1 });
  assert.deepEqual([report.cases, report.cache.execution], [5, { hit: 4, miss: 1 }]);
});

/** A project of files, whose function judges by what a file says when it is asked. */
async function judgedByFile() {
  const folder = await tempFolder();
  const cases = ["a", "b"].map((id) => JSON.stringify({ id, input: id, expected: { answer: id } }));
  const records = ["a", "b"].map((id) => JSON.stringify({ case_id: id, output: { answer: id } }));
  await Deno.writeTextFile(`${folder}/cases.jsonl`, cases.join("\n"));
  await Deno.writeTextFile(`${folder}/records.jsonl`, records.join("\n"));
  await Deno.writeTextFile(
    `${folder}/score.ts`,
    `export const mood = () => JSON.parse(Deno.readTextFileSync(new URL("mood.json", import.meta.url)));\n`,
  );
  await Deno.writeTextFile(
    `${folder}/oloproof.yaml`,
    `system: {name: log, version: "1", rag: {records: records.jsonl}}
evaluators: [{type: function, object: "score:mood"}]
`,
  );
  const runIn = async (mood: number, options = {}) => {
    await Deno.writeTextFile(`${folder}/mood.json`, String(mood));
    const project = await openProject(folder, { cwd: folder });
    return (await run(project, options, testSurroundings())).metrics[0]?.estimate;
  };
  const record = (line: object) =>
    Deno.writeTextFile(`${folder}/records.jsonl`, [...records, JSON.stringify(line)].join("\n"));
  const recordAsBefore = () => Deno.writeTextFile(`${folder}/records.jsonl`, records.join("\n"));
  return { runIn, record, recordAsBefore };
}

Deno.test("of equal records the newest judgments are taken, whichever file of records they were judged in", async () => {
  const { runIn, record, recordAsBefore } = await judgedByFile();
  assert.equal(await runIn(0.25), 0.25);
  await record({ case_id: "of another case", output: {} });
  assert.equal(await runIn(0.75, { refresh: ["judge"] }), 0.75);
  await recordAsBefore();
  assert.equal(await runIn(0), 0.75);
});
