/** Dry runs: what is said is what then happens, and nothing has happened. */
import assert from "node:assert/strict";
import { dryRun } from "../../lib/commands/dry_run.ts";
import { list } from "../../lib/commands/list.ts";
import { run } from "../../lib/commands/run.ts";
import type { RunOptions } from "../../lib/commands/run_options.ts";
import type { DryRun } from "../../lib/domain/dry_run.ts";
import type { Project } from "../../lib/domain/project.ts";
import { ragSystem } from "../../lib/stages/rag_system.ts";
import { casesOf, countingProject, countingStages, interruptedAfter, SETTINGS } from "./counting_system.ts";
import { testProject, testSurroundings } from "./run_surroundings.ts";

const INPUTS = ["a", "b", "a", "wrong", "c", "b", "d", "a"];

async function planned(project: Project, options: RunOptions = {}): Promise<DryRun> {
  const found = await dryRun(project, options, testSurroundings());
  assert.ok(found !== undefined);
  return found;
}

/** Says what a run would do, does it, and compares. Answers with what was said. */
async function foretold(
  { project, calls }: Awaited<ReturnType<typeof countingProject>>,
  options: RunOptions = {},
): Promise<DryRun> {
  const before = { ...calls };
  const bytes = await Deno.readFile(project.store).catch(() => undefined);
  const said = await planned(project, options);
  assert.deepEqual(calls, before);
  assert.deepEqual(await Deno.readFile(project.store).catch(() => undefined), bytes);

  const { executions, judgments } = said;
  const { retrieve, generate } = said.calls;
  const { total, finished, cached, shared, to_execute } = executions;
  assert.equal(total, said.cases * said.repeats);
  assert.equal(total, finished + cached + shared + to_execute);
  const found = options.resume === undefined && options.retry_failed === undefined
    ? undefined
    : await run(project, options, testSurroundings());
  const report = found ?? await run(project, options, testSurroundings());
  const made = { retrieve: calls.retrieve - before.retrieve, generate: calls.generate - before.generate };
  assert.ok(retrieve !== undefined && generate !== undefined);
  assert.equal(retrieve.at_most, false);
  assert.equal(made.retrieve, retrieve.calls);
  assert.ok(generate.at_most ? made.generate <= generate.calls : made.generate === generate.calls);
  if (finished === 0) {
    assert.equal(report.cache.execution.hit, cached + shared);
    assert.equal(report.cache.judgment.hit + report.cache.judgment.miss, judgments.total);
    assert.ok(report.cache.judgment.hit >= judgments.known);
  }
  return said;
}

Deno.test("what a run would do is what it then does, whatever the caches hold", async () => {
  const counting = await countingProject(INPUTS);
  const brief = ({ executions: { cached, shared, to_execute }, calls, judgments }: DryRun) => [
    [cached, shared, to_execute],
    calls.retrieve?.calls,
    `${calls.generate?.at_most ? "<=" : ""}${calls.generate?.calls}`,
    `${judgments.at_least ? ">=" : ""}${judgments.known}/${judgments.total}`,
  ];
  const told = async (options: RunOptions = {}) => brief(await foretold(counting, options));
  assert.deepEqual(await told({ select: { limit: 2 } }), [[0, 0, 2], 2, "<=2", "0/4"]);
  assert.deepEqual(await told(), [[5, 0, 3], 3, "<=3", "10/16"]);
  assert.deepEqual(await told(), [[8, 0, 0], 0, "0", "16/16"]);
  assert.deepEqual(await told({ set: { version: "2" } }), [[0, 3, 5], 0, "5", "0/16"]);
  // The budget leaves the same contexts: everything is known but the judgments.
  assert.deepEqual(await told({ set: { token_budget: 1 } }), [[0, 3, 5], 0, "0", "0/16"]);
  assert.deepEqual(await told({ set: { index_version: "i2" } }), [[0, 3, 5], 5, "<=5", "0/16"]);
  assert.deepEqual(await told({ refresh: ["judge"] }), [[0, 3, 5], 0, "0", "0/16"]);
  assert.deepEqual(await told({ refresh: ["generate"] }), [[0, 3, 5], 0, "5", ">=0/16"]);
  assert.deepEqual(await told({ refresh: ["retrieve"] }), [[0, 3, 5], 5, "<=5", ">=0/16"]);
  assert.deepEqual(await told({ refresh: ["all"] }), [[0, 3, 5], 5, "<=5", "0/16"]);
  assert.deepEqual(await told({ repeats: 2 }), [[8, 3, 5], 5, "<=5", "16/32"]);
  assert.deepEqual(await told({ repeats: 3 }), [[16, 3, 5], 5, "<=5", "32/48"]);
  // Other evaluators, same records.
  const [right, mrr] = counting.project.evaluators;
  assert.ok(right !== undefined && mrr !== undefined);
  const hit = { type: "hit_rate", criterion: "hit", parameters: { k: 1, relevance_unit: "document" } };
  const wider = { ...counting, project: { ...counting.project, evaluators: [mrr, hit, right] } };
  assert.deepEqual(brief(await foretold(wider)), [[8, 0, 0], 0, "0", "16/24"]);
});

Deno.test("a context that the system would have to be asked for makes generate calls uncertain", async () => {
  const { stages, calls } = countingStages();
  const project = await testProject({
    system: ragSystem(SETTINGS, { ...stages, assemble: (_input, candidates) => candidates.slice(0, 1) }),
    cases: casesOf(["a", "b"]),
  });
  await run(project, {}, testSurroundings());
  const before = { ...calls };
  const said = await planned(project, { set: { top_k: 2 } });
  assert.deepEqual(said.calls, {
    retrieve: { calls: 0, at_most: false },
    generate: { calls: 2, at_most: true },
  });
  await run(project, { set: { top_k: 2 } }, testSurroundings());
  assert.deepEqual(calls, before);
});

Deno.test("what a run has finished is no work any more: of a resumed one, a retried one and a complete one", async () => {
  const counting = await countingProject(INPUTS, { repeats: 2 });
  const { project, broken } = counting;
  broken.add("wrong");
  const { run_id } = await run(project, {}, interruptedAfter(9));
  const resumed = await foretold(counting, { resume: run_id });
  assert.deepEqual(resumed.run_id, run_id);
  assert.deepEqual(resumed.executions, { total: 16, finished: 9, cached: 4, shared: 0, to_execute: 3 });

  const before = { ...counting.calls };
  const again = await planned(project, { resume: run_id });
  assert.deepEqual(again.executions, { total: 16, finished: 16, cached: 0, shared: 0, to_execute: 0 });
  const retried = await foretold(counting, { retry_failed: run_id });
  assert.deepEqual(retried.executions, { total: 16, finished: 14, cached: 0, shared: 0, to_execute: 2 });
  assert.deepEqual([retried.calls.retrieve?.calls, retried.calls.generate], [0, {
    calls: 2,
    at_most: false,
  }]);
  assert.equal(counting.calls.generate, before.generate + 2);
});

Deno.test("a refreshed run that goes on has its own work", async () => {
  const counting = await countingProject(INPUTS);
  await run(counting.project, {}, testSurroundings());
  await run(counting.project, { refresh: ["all"] }, interruptedAfter(2));
  const said = await foretold(counting, { resume: "latest" });
  assert.deepEqual(said.executions, { total: 8, finished: 2, cached: 3, shared: 0, to_execute: 3 });
  assert.deepEqual(said.calls.retrieve, { calls: 3, at_most: false });
});

Deno.test("a dry run refuses what a run refuses, and makes no store", async () => {
  const { project } = await countingProject(["a", "b"]);
  const refused = (options: RunOptions) => dryRun(project, options, testSurroundings());
  await assert.rejects(refused({ set: { depth: 1 } }), { code: "k_beyond_depth" });
  await assert.rejects(refused({ select: { ids: ["zz"] } }), { code: "unknown_case" });
  await assert.rejects(refused({ concurrency: 0 }), { code: "invalid_option" });
  await assert.rejects(refused({ resume: "latest" }), { code: "no_store" });
  await planned(project);
  await assert.rejects(Deno.stat(project.store));
  await run(project, {}, interruptedAfter(1));
  await assert.rejects(refused({ resume: "latest", repeats: 2 }), { code: "resume_differs" });
  const changed = { ...project, cases: { kind: "inline", cases: casesOf(["a"]) } } as const;
  await assert.rejects(dryRun(changed, { resume: "latest" }, testSurroundings()), { code: "cases_changed" });
  assert.equal((await list(project.store, {}, testSurroundings()))[0]?.status, "interrupted");
});

Deno.test("an interruption ends a dry run without an answer", async () => {
  const { project } = await countingProject(["a"]);
  const stop = new AbortController();
  stop.abort(new Error("interrupted"));
  assert.equal(await dryRun(project, {}, testSurroundings({ stop: stop.signal })), undefined);
});
