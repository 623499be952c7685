/** Retries: what failed is executed again in a new run, the rest is carried, and the first run stays as it is. */
import assert from "node:assert/strict";
import { exportCases } from "../../lib/commands/export.ts";
import { inspect } from "../../lib/commands/inspect.ts";
import { list } from "../../lib/commands/list.ts";
import { openProject } from "../../lib/commands/open_project.ts";
import { run } from "../../lib/commands/run.ts";
import type { Project } from "../../lib/domain/project.ts";
import { countingProject, interruptedAfter, linesOf } from "./counting_system.ts";
import { testSurroundings } from "./run_surroundings.ts";
import { tempFolder } from "../temp_folder.ts";

async function reportOf(project: Project, id: string) {
  const looked = await inspect(project.store, id, {}, testSurroundings());
  assert.ok(looked.kind === "run");
  return looked.report;
}

async function storedOf(project: Project, id: string) {
  const cases = await Array.fromAsync(exportCases(project.store, id, testSurroundings()));
  return cases.map(({ stored }) => stored);
}

Deno.test("what failed is executed again, what did not is carried with its evidence", async () => {
  const { project, calls, broken } = await countingProject(["a", "b", "a", "wrong", "c"]);
  broken.add("b").add("c");
  const first = await run(project, { name: "first" }, testSurroundings());
  assert.equal(first.failures.length, 2);
  const before = { ...calls };
  const lines = await linesOf(project, first.run_id);
  broken.delete("b");
  const report = await run(project, { retry_failed: "first" }, testSurroundings());
  assert.deepEqual(report.retry, { of: first.run_id, carried: 3, executed: 2 });
  assert.notEqual(report.run_id, first.run_id);
  assert.equal(report.name, null);
  assert.deepEqual(report.failures.map(({ case_id }) => case_id), ["c4"]);
  assert.deepEqual(calls, { retrieve: before.retrieve, generate: before.generate + 2 });
  assert.deepEqual(report.cache, { execution: { hit: 3, miss: 2 }, judgment: { hit: 6, miss: 2 } });
  assert.deepEqual(report.stages, { retrieve: { hit: 5, miss: 0 }, generate: { hit: 3, miss: 2 } });
  assert.equal(report.usage.generate?.calls, 2);
  assert.deepEqual(report.metrics.map(({ observed, missing }) => [observed, missing]), [[4, 1], [4, 1]]);
  // The first run is as it was, and what is read back of the new one is what was told.
  assert.deepEqual(await linesOf(project, first.run_id), lines);
  assert.deepEqual({ ...await reportOf(project, first.run_id) }, first);
  assert.deepEqual({ ...await reportOf(project, report.run_id), notices: report.notices }, report);
  const [now, then] = [await storedOf(project, report.run_id), await storedOf(project, first.run_id)];
  assert.deepEqual(now.map(({ cache }) => cache.carried ?? false), [true, false, true, true, false]);
  assert.deepEqual(now[3], { ...then[3], cache: now[3]?.cache });
});

Deno.test("where nothing failed no run is made, and that one is told again", async () => {
  const { project, calls } = await countingProject(["a", "wrong"]);
  const first = await run(project, {}, testSurroundings());
  const before = { ...calls };
  const told = await run(project, { retry_failed: "latest" }, testSurroundings());
  assert.deepEqual({ ...told, notices: [] }, first);
  assert.deepEqual(told.notices.map(({ code }) => code), ["nothing_failed"]);
  assert.deepEqual(calls, before);
  assert.equal((await list(project.store, {}, testSurroundings())).length, 1);
});

Deno.test("cases that an interrupted run did not reach are executed", async () => {
  const { project, broken, calls } = await countingProject(["a", "b", "c", "d"]);
  broken.add("a");
  const first = await run(project, {}, interruptedAfter(2));
  broken.clear();
  const report = await run(project, { retry_failed: "latest" }, testSurroundings());
  assert.deepEqual(report.retry, { of: first.run_id, carried: 1, executed: 3 });
  assert.deepEqual([report.status, report.cases], ["complete", 4]);
  assert.deepEqual(calls, { retrieve: 4, generate: 5 });
  const statuses = (await list(project.store, {}, testSurroundings())).map(({ status }) => status);
  assert.deepEqual(statuses, ["complete", "interrupted"]);
});

Deno.test("a retry that was interrupted goes on, and carries the rest", async () => {
  const { project, broken } = await countingProject(["a", "b", "c", "d", "e"]);
  broken.add("b").add("d");
  const first = await run(project, {}, testSurroundings());
  broken.clear();
  // Interrupted after the carried ones, and before any was carried.
  for (const after of [4, 0]) {
    const stop = new AbortController();
    if (after === 0) stop.abort(new Error("interrupted"));
    const outside = after === 0 ? testSurroundings({ stop: stop.signal }) : interruptedAfter(after);
    const half = await run(project, { retry_failed: first.run_id }, outside);
    assert.deepEqual([half.status, half.cases], ["interrupted", after]);
    const whole = await run(project, { resume: half.run_id }, testSurroundings());
    assert.deepEqual(whole.retry, { of: first.run_id, carried: 3, executed: 2 });
    assert.deepEqual([whole.run_id, whole.status, whole.failures], [half.run_id, "complete", []]);
  }
});

Deno.test("settings and selection are those of the run; name and refresh are the retry's own", async () => {
  const { project, broken, calls } = await countingProject(["a", "b", "c", "d"], { repeats: 2 });
  broken.add("c");
  const options = { set: { top_k: 2 }, select: { limit: 3 }, refresh: ["all"] } as const;
  await run(project, options, testSurroundings());
  const before = { ...calls };
  broken.clear();
  const retry = { retry_failed: "latest", name: "second" } as const;
  const report = await run({ ...project, run: { ...project.run, repeats: 5 } }, retry, testSurroundings());
  assert.deepEqual([report.system.top_k, report.selection, report.name], [2, ["--limit 3"], "second"]);
  assert.deepEqual([report.cases, report.repeats], [3, 2]);
  assert.equal(report.retry?.carried, 4);
  // Retrievals of what failed are found: the refresh was the first run's.
  assert.deepEqual(calls, { retrieve: before.retrieve, generate: before.generate + 2 });
  const other = run(project, { retry_failed: "latest", select: { limit: 2 } }, testSurroundings());
  await assert.rejects(other, { code: "resume_differs" });
});

Deno.test("a judgment that was lost is judged again, and no stage is called", async () => {
  const folder = await tempFolder();
  const files = {
    "oloproof.yaml": `system: {rag: {object: "app:s"}}
evaluators: [{type: function, object: "judge:fair", criterion: fair}, {type: completed}]
`,
    "app.js": `globalThis.retrievals = 0;
export const s = {
  name: "x", version: "1", depth: 1, top_k: 1,
  retrieve: (input) => { globalThis.retrievals++; return { candidates: [{ doc_id: input, text: input }] }; },
  generate: (input) => input,
};`,
    "judge.js": `export const fair = ({ input }) => {
  if (globalThis.judgeIsDown && input === "b") throw new Error("judge is down");
  return true;
};`,
    "cases.jsonl": `{"id": "1", "input": "a"}\n{"id": "2", "input": "b"}\n`,
  };
  for (const [name, text] of Object.entries(files)) await Deno.writeTextFile(`${folder}/${name}`, text);
  const project = await openProject(folder, { cwd: folder });
  Reflect.set(globalThis, "judgeIsDown", true);
  const first = await run(project, {}, testSurroundings());
  assert.deepEqual(first.metrics.map(({ observed, missing }) => [observed, missing]), [[1, 1], [2, 0]]);
  Reflect.set(globalThis, "judgeIsDown", false);
  const report = await run(project, { retry_failed: "latest" }, testSurroundings());
  assert.deepEqual(report.metrics.map(({ observed, missing }) => [observed, missing]), [[2, 0], [2, 0]]);
  assert.deepEqual(report.retry, { of: first.run_id, carried: 1, executed: 1 });
  assert.deepEqual(report.cache.judgment, { hit: 3, miss: 1 });
  assert.equal(Reflect.get(globalThis, "retrievals"), 2);
});
