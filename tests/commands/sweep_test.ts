/** Sweeps: one recorded retrieval, every combination, and no call that was not needed. */
import assert from "node:assert/strict";
import { forget } from "../../lib/commands/forget.ts";
import { inspect } from "../../lib/commands/inspect.ts";
import { list } from "../../lib/commands/list.ts";
import { run } from "../../lib/commands/run.ts";
import { sweep } from "../../lib/commands/sweep.ts";
import { OloproofError } from "../../lib/domain/error.ts";
import { defineProject } from "../../lib/api/define_project.ts";
import { ragSystem } from "../../lib/stages/rag_system.ts";
import {
  casesOf,
  countingProject,
  countingStages,
  EVALUATORS,
  interruptedAfter,
  linesOf,
  SETTINGS,
} from "./counting_system.ts";
import { testSurroundings } from "./run_surroundings.ts";

const INPUTS = ["a", "b", "wrong c"];

async function codeOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
  } catch (cause) {
    if (cause instanceof OloproofError) return cause.code;
    throw cause;
  }
  return "none";
}

Deno.test("sweep: every case from its recorded retrieval; answers are made where the context is another", async () => {
  const { project, calls } = await countingProject(INPUTS);
  const { run_id } = await run(project, {}, testSurroundings());
  assert.deepEqual(calls, { retrieve: 3, generate: 3 });
  const swept = await sweep(
    project,
    run_id,
    { set: { top_k: [1, 2], token_budget: [null, 1] } },
    testSurroundings(),
  );
  // Under top_k 1 nothing is new; under top_k 2 a budget of 1 leaves the same context again.
  assert.deepEqual(calls, { retrieve: 3, generate: 6 });
  assert.deepEqual(swept?.calls, { retrieve: { made: 0, saved: 12 }, generate: { made: 3, saved: 9 } });
  assert.deepEqual(swept?.content.combinations.map(({ set, as_run }) => [set, as_run]), [
    [{ top_k: 1, token_budget: null }, true],
    [{ top_k: 1, token_budget: 1 }, false],
    [{ top_k: 2, token_budget: null }, false],
    [{ top_k: 2, token_budget: 1 }, false],
  ]);
  assert.deepEqual(swept?.content.unaffected, ["mrr_at_2"]);
  const [first] = swept?.content.combinations ?? [];
  assert.deepEqual(
    first?.differences.map(({ criterion, difference, paired }) => [criterion, difference, paired]),
    [
      ["right", 0, 3],
      ["mrr_at_2", 0, 3],
    ],
  );
});

Deno.test("sweep: the same sweep again calls nothing and has the same id; adopting a combination generates nothing", async () => {
  const { project, calls } = await countingProject(INPUTS);
  const { run_id } = await run(project, {}, testSurroundings());
  const options = { set: { top_k: [1, 2] } };
  const first = await sweep(project, run_id, options, testSurroundings());
  const before = { ...calls };
  const second = await sweep(project, run_id, options, testSurroundings());
  assert.deepEqual(calls, before);
  assert.equal(second?.sweep_id, first?.sweep_id);
  const adopted = await run(project, { set: { top_k: 2 } }, testSurroundings());
  assert.deepEqual(calls, before);
  assert.deepEqual(adopted.stages.generate, { hit: 3, miss: 0 });
});

Deno.test("sweep: the retrieval is that of the run, whatever was retrieved since", async () => {
  const counting = countingStages();
  let newest = "old";
  const stages = {
    ...counting.stages,
    retrieve: (input: string) => {
      counting.calls.retrieve++;
      return {
        candidates: [{ doc_id: input, text: `${newest} ${input}` }, { doc_id: "other", text: "other" }],
      };
    },
  };
  const { project: base } = await countingProject([]);
  const project = defineProject({
    system: ragSystem(SETTINGS, stages),
    cases: casesOf(["a"]),
    evaluators: EVALUATORS,
    store: base.store,
  });
  const { run_id } = await run(project, {}, testSurroundings());
  newest = "new";
  await run(project, { refresh: ["retrieve"] }, testSurroundings());
  const swept = await sweep(project, run_id, { set: { top_k: [2] } }, testSurroundings());
  assert.equal(counting.calls.retrieve, 2);
  const [line] = await linesOf(project, swept?.runs[0]?.run_id) as readonly {
    candidates: readonly { text: string }[];
  }[];
  assert.equal(line?.candidates[0]?.text, "old a");
  // And nothing of it stands for a run that retrieves: that has the newest.
  const later = await run(project, { set: { top_k: 2 } }, testSurroundings());
  assert.deepEqual(later.cache.execution, { hit: 0, miss: 1 });
});

Deno.test("sweep: its runs are children: the list passes over them, they are inspected, and go with their parent", async () => {
  const { project } = await countingProject(INPUTS);
  const { run_id } = await run(project, {}, testSurroundings());
  const swept = await sweep(project, run_id, { set: { top_k: [2] } }, testSurroundings());
  const runs = await list(project.store, {}, testSurroundings());
  assert.deepEqual(runs.map((one) => one.run_id), [run_id]);
  const found = await inspect(project.store, swept?.sweep_id ?? "", {}, testSurroundings());
  assert.deepEqual(found.kind === "sweep" && found.sweep, swept);
  const erased = await forget(project.store, { runs: [run_id] }, testSurroundings());
  assert.deepEqual(erased.child_runs, [swept?.runs[0]?.run_id]);
  assert.ok(erased.documents.includes(swept?.sweep_id ?? ""));
});

Deno.test("sweep: what failed to retrieve is missing on both sides; what fails to generate is missing on one", async () => {
  const counting = countingStages();
  const stages = {
    ...counting.stages,
    retrieve: (input: string, ...rest: readonly unknown[]) => {
      if (input === "b") throw new Error("index is gone");
      return Reflect.apply(counting.stages.retrieve, counting.stages, [input, ...rest]);
    },
  };
  const { project: base } = await countingProject([]);
  const project = defineProject({
    system: ragSystem(SETTINGS, stages),
    cases: casesOf(["a", "b", "c"]),
    evaluators: EVALUATORS,
    store: base.store,
  });
  const { run_id } = await run(project, {}, testSurroundings());
  counting.broken.add("c");
  const swept = await sweep(project, run_id, { set: { top_k: [2] } }, testSurroundings());
  const [right] = swept?.content.combinations[0]?.differences ?? [];
  assert.deepEqual([right?.paired, right?.missing], [1, 2]);
  // The retrieval is the same, but an execution that fails has no judgment of it: it is not told as the same everywhere.
  assert.deepEqual(swept?.content.unaffected, []);
  assert.deepEqual(swept?.calls.retrieve, { made: 0, saved: 3 });
});

Deno.test("sweep: repeats keep their own answers", async () => {
  const { project, calls } = await countingProject(["a", "b"], { repeats: 3 });
  const { run_id } = await run(project, {}, testSurroundings());
  assert.deepEqual(calls, { retrieve: 6, generate: 6 });
  const swept = await sweep(project, run_id, { set: { top_k: [1, 2] } }, testSurroundings());
  assert.deepEqual(calls, { retrieve: 6, generate: 12 });
  assert.equal(swept?.content.combinations[0]?.metrics[0]?.observed, 2);
});

Deno.test("sweep: an interruption concludes nothing, and what was generated is found by the next one", async () => {
  const { project, calls } = await countingProject(INPUTS);
  const { run_id } = await run(project, {}, testSurroundings());
  const outside = interruptedAfter(2);
  assert.equal(await sweep(project, run_id, { set: { top_k: [2] } }, outside), undefined);
  assert.deepEqual(outside.seen.at(-1), { done: 2, total: 3, failed: 0, unit: "executions" });
  const made = calls.generate;
  assert.ok(made < 6);
  const swept = await sweep(project, run_id, { set: { top_k: [2] } }, testSurroundings());
  assert.equal(calls.generate, 6);
  assert.deepEqual(swept?.calls.generate, { made: 6 - made, saved: made - 3 });
});

Deno.test("sweep: refuses what has no retrieval to keep, what is not finished, and other code", async () => {
  const { project } = await countingProject(INPUTS);
  const { run_id } = await run(project, {}, testSurroundings());
  const set = { top_k: [2] };
  const swept = await sweep(project, run_id, { set }, testSurroundings());
  const child = swept?.runs[0]?.run_id ?? "";
  assert.equal(await codeOf(sweep(project, child, { set }, testSurroundings())), "wrong_kind");
  assert.equal(await codeOf(sweep(project, "run_NOWHERE", { set }, testSurroundings())), "unknown_run");
  assert.equal(
    await codeOf(sweep(project, run_id, { set: { top_k: [3] } }, testSurroundings())),
    "top_k_beyond_depth",
  );
  assert.equal(
    await codeOf(sweep(project, run_id, { set: { depth: [3] } }, testSurroundings())),
    "not_sweepable",
  );
  const edited = defineProject({
    system: ragSystem(SETTINGS, { ...countingStages().stages, generate: () => ({ answer: "other code" }) }),
    cases: casesOf(INPUTS),
    evaluators: EVALUATORS,
    store: project.store,
  });
  assert.equal(await codeOf(sweep(edited, run_id, { set }, testSurroundings())), "source_changed");
  const part = await run(project, { refresh: ["all"] }, interruptedAfter(1));
  assert.equal(await codeOf(sweep(project, part.run_id, { set }, testSurroundings())), "unfinished_run");
  const whole = defineProject({
    system: ragSystem({ name: "one", version: "1" }, { answer: () => ({ output: "x" }) }),
    cases: casesOf(INPUTS),
    store: project.store,
  });
  const one = await run(whole, {}, testSurroundings());
  assert.equal(await codeOf(sweep(whole, one.run_id, { set }, testSurroundings())), "not_sweepable");
});
