/** Explanations of hits and misses: the first field that differs, and every other reason that there can be. */
import assert from "node:assert/strict";
import { diagnose } from "../../lib/commands/diagnose.ts";
import { explainCache } from "../../lib/commands/explain_cache.ts";
import { forget } from "../../lib/commands/forget.ts";
import { run } from "../../lib/commands/run.ts";
import type { RunOptions } from "../../lib/commands/run_options.ts";
import { OloproofError } from "../../lib/domain/error.ts";
import type { Case } from "../../lib/domain/case.ts";
import type { Json, JsonObject } from "../../lib/domain/json.ts";
import type { Project } from "../../lib/domain/project.ts";
import { explanationText } from "../../lib/report/cache_text.ts";
import { type RagStages, ragSystem } from "../../lib/stages/rag_system.ts";
import { testProject, testSurroundings } from "./run_surroundings.ts";

/** Answers with its context; `params.generate.fail` and `params.retrieve.fail` name inputs that a stage fails on. */
const stages: RagStages<{ question: string }> = {
  retrieve(input, _depth, { params }) {
    if (params.fail === input.question) throw new Error("the index is gone");
    const first = typeof params.first === "string" ? params.first : "a";
    return {
      query: input.question,
      candidates: [{ doc_id: first, text: first }, { doc_id: "b", text: "b" }],
    };
  },
  generate(input, context, { params }) {
    if (params.fail === input.question) throw new Error("the model is gone");
    return { answer: context.map(({ text }) => text).join(" "), tone: params.tone ?? null };
  },
};
const settings = { name: "echo", version: "1", depth: 2, top_k: 1, index_version: "kb-1" };
const right = { type: "equals", criterion: "right", field: "answer", expected_field: "answer" };
const mrr = { type: "mrr", k: 2 };
const expected = { answer: "a", relevant: [{ doc_id: "a" }] };
const one: Case = { id: "one", input: { question: "q" }, expected };

async function projectOf(cases: readonly Case[] = [one], evaluators: readonly JsonObject[] = [right, mrr]) {
  return await testProject({ system: ragSystem(settings, stages), cases, evaluators: [...evaluators] });
}

/** The same project with other cases or evaluators, in the same store. */
async function changed(project: Project, cases: readonly Case[], evaluators?: readonly JsonObject[]) {
  return { ...await projectOf(cases, evaluators), store: project.store };
}

async function runWith(project: Project, set: JsonObject = {}, options: RunOptions = {}): Promise<string> {
  return (await run(project, { set, ...options }, testSurroundings())).run_id;
}

/** The steps of a case, without their names. */
async function stepsOf(project: Project, id: string, case_id = "one") {
  const { steps } = await explainCache(project.store, id, case_id, testSurroundings());
  return Object.fromEntries(
    steps.map(({ step, criterion, outcome, reason, run, difference }) => [
      criterion ?? step,
      [outcome, reason, run, ...(difference === undefined ? [] : [difference])] as readonly unknown[],
    ]),
  );
}

const differs = (run: string, field: string, values: { readonly here?: Json; readonly there?: Json }) => [
  "miss",
  "differs",
  run,
  { field, ...values },
];

Deno.test("in the first run there was nothing before; in an equal second one all is found", async () => {
  const project = await projectOf();
  const first = await runWith(project);
  const nothing = ["miss", "no_earlier_entry", null];
  assert.deepEqual(await stepsOf(project, first), {
    execution: nothing,
    retrieve: nothing,
    generate: nothing,
    right: nothing,
    mrr_at_2: nothing,
  });
  const second = await runWith(project);
  const found = ["hit", "found", first];
  assert.deepEqual(await stepsOf(project, second), {
    execution: found,
    retrieve: found,
    generate: found,
    right: found,
    mrr_at_2: found,
  });
  // What came later explains nothing.
  assert.deepEqual((await stepsOf(project, first)).retrieve, nothing);
});

/** A change of settings, and the field that it is told by: of the execution, of retrieval, of generation; null = a hit. */
const changes: readonly (readonly [
  set: JsonObject,
  execution: string,
  retrieve: string | null,
  generate: string | null,
])[] = [
  [{ name: "other" }, "name", "name", "name"],
  [{ version: "2" }, "version", null, "version"],
  [{ depth: 3 }, "depth", "depth", null],
  [{ top_k: 2 }, "top_k", null, "context[1]"],
  [{ index_version: "kb-2" }, "index_version", "index_version", null],
  [{ "params.retrieve.mode": "dense" }, "params.retrieve.mode", "params.retrieve.mode", null],
  [{ "params.retrieve.first": "z" }, "params.retrieve.first", "params.retrieve.first", "context[0].doc_id"],
  [{ "params.generate.tone": { calm: [1] } }, "params.generate.tone", null, "params.generate.tone"],
  // Of several changes the first in the order of the fields is told.
  [{ "params.generate.tone": "x", index_version: "kb-2", top_k: 2 }, "top_k", "index_version", "context[1]"],
];

for (const [set, execution, retrieve, generate] of changes) {
  Deno.test(`a change of ${JSON.stringify(set)} is told by the first field that differs`, async () => {
    const project = await projectOf();
    const before = await runWith(project);
    const steps = await stepsOf(project, await runWith(project, set));
    const fieldOf = (step: string) => {
      const [outcome, reason, run, difference] = steps[step] ?? [];
      assert.equal(run, before);
      if (outcome === "hit") return null;
      assert.equal(reason, "differs");
      return (difference as { field: string }).field;
    };
    assert.deepEqual([fieldOf("execution"), fieldOf("retrieve"), fieldOf("generate")], [
      execution,
      retrieve,
      generate,
    ]);
    assert.equal(fieldOf("right"), "execution");
  });
}

Deno.test("the values of both sides are told, the newest entry's on the other", async () => {
  const project = await projectOf();
  await runWith(project, { index_version: "kb-0" });
  const before = await runWith(project);
  const now = await runWith(project, { index_version: "kb-2", "params.retrieve.mode": "dense" });
  const steps = await stepsOf(project, now);
  assert.deepEqual(steps.retrieve, differs(before, "index_version", { here: "kb-2", there: "kb-1" }));
  const absent = await stepsOf(project, await runWith(project, { index_version: "kb-2" }));
  assert.deepEqual(absent.retrieve, differs(now, "params.retrieve.mode", { there: "dense" }));
  const text = explanationText(await explainCache(project.store, now, "one", testSurroundings()));
  assert.match(
    text,
    new RegExp(`^retrieve: miss; differs from ${before} in index_version: "kb-2" here, "kb-1" there$`, "m"),
  );
});

Deno.test("a case with another id or expectation shares all but its judgments", async () => {
  const project = await projectOf();
  const before = await runWith(project);
  const other = { ...one, id: "other", expected: { ...expected, answer: "b" } };
  const steps = await stepsOf(project, await runWith(await changed(project, [other])), "other");
  assert.deepEqual(steps.generate, ["hit", "found", before]);
  assert.deepEqual(steps.right, differs(before, "expected.answer", { here: "b", there: "a" }));
});

Deno.test("a criterion is explained by its own evaluator", async () => {
  const project = await projectOf([one], [right]);
  const before = await runWith(project);
  const evaluators = [{ ...right, ignore_case: false }, mrr];
  const now = await runWith(await changed(project, [one], evaluators));
  const steps = await stepsOf(project, now);
  assert.deepEqual(steps.execution, ["hit", "found", before]);
  assert.deepEqual(steps.right, differs(before, "parameters.ignore_case", { here: false, there: true }));
  assert.deepEqual(steps.mrr_at_2, ["miss", "no_earlier_entry", null]);
  // One criterion is taken over, one is made anew.
  const both = await runWith(await changed(project, [one], [right, { type: "recall", k: 2 }]));
  const partly = await stepsOf(project, both);
  assert.deepEqual(partly.right, ["hit", "found", before]);
  assert.deepEqual(partly.recall_at_2, ["miss", "no_earlier_entry", null]);
  const renamed = await runWith(
    await changed(project, [one], [{
      type: "contains",
      criterion: "right",
      field: "answer",
      expected_field: "answer",
    }]),
  );
  assert.deepEqual(
    (await stepsOf(project, renamed)).right,
    differs(both, "type", { here: "contains", there: "equals" }),
  );
});

Deno.test("what failed before is not kept, and what is not reached is neither hit nor miss", async () => {
  const project = await projectOf();
  const failing = { "params.generate.fail": "q" };
  const failed = await runWith(project, failing);
  const steps = await stepsOf(project, failed);
  assert.deepEqual(steps.generate, ["miss", "no_earlier_entry", null]);
  assert.deepEqual(steps.right, ["not_reached", "not_reached", null]);
  const second = await runWith(project, failing);
  const again = await stepsOf(project, second);
  assert.deepEqual(again.execution, ["miss", "earlier_failed", failed]);
  assert.deepEqual(again.retrieve, ["hit", "found", failed]);
  assert.deepEqual(again.generate, ["miss", "earlier_failed", failed]);
  const early = { "params.retrieve.fail": "q" };
  const lost = await runWith(project, early);
  const stopped = await stepsOf(project, lost);
  assert.deepEqual(stopped.retrieve, differs(second, "params.retrieve.fail", { here: "q" }));
  assert.deepEqual(stopped.generate, ["not_reached", "not_reached", null]);
  assert.deepEqual((await stepsOf(project, await runWith(project, early))).retrieve, [
    "miss",
    "earlier_failed",
    lost,
  ]);
});

Deno.test("a refreshed stage passed its entry over", async () => {
  const project = await projectOf();
  const before = await runWith(project);
  const steps = await stepsOf(project, await runWith(project, {}, { refresh: ["generate"] }));
  assert.deepEqual(steps, {
    execution: ["miss", "passed_over", before],
    retrieve: ["hit", "found", before],
    generate: ["miss", "passed_over", before],
    right: ["hit", "found", before],
    mrr_at_2: ["hit", "found", before],
  });
  const judged = await stepsOf(project, await runWith(project, {}, { refresh: ["judge"] }));
  assert.deepEqual(judged.right?.slice(0, 2), ["miss", "passed_over"]);
});

Deno.test("equal inputs of one run: the first is the miss, the others share its work", async () => {
  const project = await projectOf([one, { ...one, id: "two" }]);
  const id = await runWith(project, {}, { concurrency: 1 });
  assert.deepEqual((await stepsOf(project, id, "one")).generate, ["miss", "no_earlier_entry", null]);
  const shared = ["hit", "shared", id];
  assert.deepEqual(await stepsOf(project, id, "two"), {
    execution: shared,
    retrieve: shared,
    generate: shared,
    right: shared,
    mrr_at_2: shared,
  });
});

Deno.test("an entry outlives the run that made it, and that is said", async () => {
  const project = await projectOf();
  const first = await runWith(project);
  const second = await runWith(project);
  await forget(project.store, { runs: [first] }, testSurroundings());
  const steps = await stepsOf(project, second);
  assert.deepEqual(Object.values(steps), Array(5).fill(["hit", "found", null]));
  const text = explanationText(await explainCache(project.store, second, "one", testSurroundings()));
  assert.match(text, /^execution: hit; made by a run that was forgotten$/m);
});

Deno.test("re-executions use no cache and are not explained; unknown cases and runs are told with the nearest", async () => {
  const gold_context = [{ doc_id: "a", text: "x" }];
  const failing = { ...one, expected: { ...expected, answer: "x", gold_context } };
  const project = await projectOf([failing]);
  const id = await runWith(project);
  const why = await diagnose(
    project,
    id,
    { intervention: { kind: "gold-context" }, criterion: "right" },
    testSurroundings(),
  );
  const child = why?.diagnosis.child_runs[0]?.run_id ?? "";
  const faultOf = async (id: string, case_id: string) => {
    const fault = await explainCache(project.store, id, case_id, testSurroundings()).catch((cause) => cause);
    assert.ok(fault instanceof OloproofError, String(fault));
    return [fault.code, fault.kind, fault.hint];
  };
  assert.deepEqual(await faultOf(child, "one"), [
    "wrong_kind",
    "configuration",
    `explain a case of the run ${id}`,
  ]);
  assert.deepEqual(await faultOf(id, "onne"), ["unknown_case", "configuration", 'did you mean "one"?']);
  assert.equal((await faultOf("run_X", "one"))[0], "unknown_run");
});

Deno.test("repeats: the first is explained, by the first of earlier runs", async () => {
  const project = await projectOf();
  const before = await runWith(project, {}, { repeats: 3 });
  const same = await stepsOf(project, await runWith(project, {}, { repeats: 2 }));
  assert.deepEqual([same.execution, same.generate], [["hit", "found", before], ["hit", "found", before]]);
  const other = await runWith(project, { "params.generate.tone": "x" }, { repeats: 2 });
  const steps = await stepsOf(project, other);
  assert.equal((steps.generate?.[3] as { field: string }).field, "params.generate.tone");
});

Deno.test("a system of one stage is explained as a whole", async () => {
  const system = ragSystem({ name: "one", version: "1", reports: ["context"], accepts_context: false }, {
    answer: (input: { question: string }) => ({
      output: { answer: input.question },
      context: [{ doc_id: "a", text: "a" }],
    }),
  });
  const project = await testProject({ system, cases: [one], evaluators: [right] });
  const before = await runWith(project);
  assert.deepEqual(Object.keys(await stepsOf(project, before)), ["execution", "right"]);
  assert.deepEqual((await stepsOf(project, await runWith(project))).execution, ["hit", "found", before]);
  const changed = await stepsOf(project, await runWith(project, { version: "2" }));
  assert.deepEqual(changed.execution?.[3], { field: "version", here: "2", there: "1" });
});
