/** A run as a whole: caches, concurrency, interruption, and what is said of it. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { exportCases } from "../../lib/commands/export.ts";
import { inspect } from "../../lib/commands/inspect.ts";
import { list } from "../../lib/commands/list.ts";
import { run } from "../../lib/commands/run.ts";
import type { Case } from "../../lib/domain/case.ts";
import type { Project } from "../../lib/domain/project.ts";
import { caseLine } from "../../lib/report/case_line.ts";
import { type RagStages, ragSystem } from "../../lib/stages/rag_system.ts";
import { testProject, testSurroundings } from "./run_surroundings.ts";

/** An echo that counts its calls and answers after a while. */
function echo(wait: (input: string) => Promise<void> = () => Promise.resolve()) {
  const calls = { retrieve: 0, generate: 0 };
  const stages: RagStages<string> = {
    async retrieve(input) {
      calls.retrieve++;
      await wait(input);
      return { candidates: [{ doc_id: input, text: input }, { doc_id: "other", text: "other" }] };
    },
    async generate(_input, context, { usage }) {
      calls.generate++;
      await wait(context[0]?.text ?? "");
      usage({ input_tokens: 10, output_tokens: 2, cost_usd: 0.001 });
      return { answer: context.map(({ text }) => text).join(" ") };
    },
    countTokens: () => 1,
  };
  return { stages, calls };
}

const settings = { name: "echo", version: "1", depth: 2, top_k: 1, index_version: "i1" };
const evaluators = [
  { type: "equals", criterion: "right", field: "answer", expected_field: "answer" },
  { type: "mrr", k: 2 },
];

function casesOf(inputs: readonly string[]): readonly Case[] {
  return inputs.map((input, index) => ({
    id: `c${index}`,
    input,
    expected: { answer: input, relevant: [{ doc_id: input }] },
  }));
}

async function linesOf(project: Project, id: string): Promise<readonly unknown[]> {
  const lines: unknown[] = [];
  for await (const { run: header, stored } of exportCases(project.store, id, testSurroundings())) {
    lines.push(caseLine(header, stored));
  }
  return lines;
}

Deno.test("equal inputs are executed once, and the first of them is the miss", async () => {
  const { stages, calls } = echo(() => new Promise((resolve) => setTimeout(resolve, 5)));
  const project = await testProject({
    system: ragSystem(settings, stages),
    cases: casesOf(["a", "a", "b", "a", "b", "a"]),
    evaluators,
  });
  const report = await run(project, { concurrency: 6 }, testSurroundings());
  assert.deepEqual(calls, { retrieve: 2, generate: 2 });
  assert.deepEqual(report.cache, { execution: { hit: 4, miss: 2 }, judgment: { hit: 8, miss: 4 } });
  assert.deepEqual(report.stages, { retrieve: { hit: 4, miss: 2 }, generate: { hit: 4, miss: 2 } });
  assert.deepEqual(report.usage.generate?.usage, { input_tokens: 20, output_tokens: 4, cost_usd: 0.002 });
});

Deno.test("what changes, and only that, is done again", async () => {
  const { stages, calls } = echo();
  const project = await testProject({
    system: ragSystem(settings, stages),
    cases: casesOf(["a", "b", "c"]),
    evaluators,
  });
  const go = async (options: Parameters<typeof run>[1]) => {
    const before = { ...calls };
    const { cache, stages } = await run(project, options, testSurroundings());
    const made = { retrieve: calls.retrieve - before.retrieve, generate: calls.generate - before.generate };
    assert.deepEqual(made, { retrieve: stages.retrieve?.miss, generate: stages.generate?.miss });
    return [cache.execution.miss, stages.retrieve?.miss, stages.generate?.miss, cache.judgment.miss];
  };
  assert.deepEqual(await go({}), [3, 3, 3, 6]);
  assert.deepEqual(await go({}), [0, 0, 0, 0]);
  assert.deepEqual(await go({ set: { version: "2" } }), [3, 0, 3, 6]);
  assert.deepEqual(await go({ set: { top_k: 2 } }), [3, 0, 3, 6]);
  assert.deepEqual(await go({ set: { token_budget: 1 } }), [3, 0, 0, 6]);
  assert.deepEqual(await go({ set: { index_version: "i2" } }), [3, 3, 0, 6]);
  assert.deepEqual(await go({ set: { "params.generate.model": "m" } }), [3, 0, 3, 6]);
  assert.deepEqual(await go({ set: { "params.retrieve.boost": 2 } }), [3, 3, 0, 6]);
  assert.deepEqual(await go({ refresh: ["generate"] }), [3, 0, 3, 0]);
  assert.deepEqual(await go({ refresh: ["retrieve"] }), [3, 3, 0, 0]);
  assert.deepEqual(await go({ refresh: ["judge"] }), [3, 0, 0, 6]);
  assert.deepEqual(await go({ refresh: ["all"] }), [3, 3, 3, 6]);
  assert.deepEqual(await go({}), [0, 0, 0, 0]);
});

Deno.test("a new evaluator judges what is stored, and the old judgments stand", async () => {
  const { stages, calls } = echo();
  const project = await testProject({
    system: ragSystem(settings, stages),
    cases: casesOf(["a", "b"]),
    evaluators,
  });
  await run(project, {}, testSurroundings());
  const [right, mrr] = project.evaluators;
  assert.ok(right !== undefined && mrr !== undefined);
  const hit = { type: "hit_rate", criterion: "hit", parameters: { k: 1, relevance_unit: "document" } };
  const wider = { ...project, evaluators: [hit, mrr, right] };
  const second = await run(wider, {}, testSurroundings());
  assert.deepEqual(second.cache.judgment, { hit: 4, miss: 2 });
  assert.deepEqual(second.metrics.map(({ criterion, estimate }) => [criterion, estimate]), [
    ["hit", 1],
    ["mrr_at_2", 1],
    ["right", 1],
  ]);
  const third = await run(wider, {}, testSurroundings());
  assert.deepEqual(third.cache.judgment, { hit: 6, miss: 0 });
  assert.equal(calls.generate, 2);
});

Deno.test("a failed stage is not cached; the next run tries it again", async () => {
  let broken = true;
  const { stages } = echo();
  const generate: RagStages<string>["generate"] = (input, context, tools) => {
    if (broken && input === "b") throw new Error("model is gone");
    return stages.generate(input, context, tools);
  };
  const system = ragSystem(settings, { ...stages, generate });
  const project = await testProject({ system, cases: casesOf(["a", "b", "b"]), evaluators });
  const first = await run(project, {}, testSurroundings());
  assert.deepEqual(first.cache.judgment, { hit: 0, miss: 2 });
  assert.deepEqual(first.stages, { retrieve: { hit: 1, miss: 2 }, generate: { hit: 0, miss: 3 } });
  assert.deepEqual(first.metrics.map(({ observed, missing }) => [observed, missing]), [[1, 2], [1, 2]]);
  broken = false;
  const second = await run(project, {}, testSurroundings());
  assert.deepEqual(second.failures, []);
  assert.deepEqual(second.stages, { retrieve: { hit: 3, miss: 0 }, generate: { hit: 2, miss: 1 } });
});

Deno.test("retries are further attempts of what threw or timed out", async () => {
  let attempts = 0;
  const { stages } = echo();
  const generate: RagStages<string>["generate"] = (input, context, tools) => {
    if (++attempts < 3) throw new Error("busy");
    return stages.generate(input, context, tools);
  };
  const project = await testProject({
    system: ragSystem(settings, { ...stages, generate }),
    cases: casesOf(["a"]),
    evaluators,
    run: { retries: 2 },
  });
  const waits: number[] = [];
  const surroundings = testSurroundings();
  const clock = {
    ...surroundings.clock,
    wait: (ms: number, signal?: AbortSignal) => {
      if (ms < 500 || ms > 9000) return surroundings.clock.wait(ms, signal);
      waits.push(ms);
      return Promise.resolve();
    },
  };
  const report = await run(project, {}, { ...surroundings, clock });
  assert.deepEqual(report.failures, []);
  assert.deepEqual(waits, [500, 1000]);
});

Deno.test("no more calls are under way than the run allows, and those of begun cases go first", async () => {
  let [now, most] = [0, 0];
  const order: string[] = [];
  const { stages } = echo(async (input) => {
    most = Math.max(most, ++now);
    order.push(input);
    await new Promise((resolve) => setTimeout(resolve, 1));
    now--;
  });
  const inputs = Array.from({ length: 40 }, (_, index) => `c${index}`);
  const project = await testProject({
    system: ragSystem(settings, stages),
    cases: casesOf(inputs),
    evaluators,
  });
  const report = await run(project, { concurrency: 3 }, testSurroundings());
  assert.deepEqual([report.cases, report.failures], [40, []]);
  assert.equal(most, 3);
  // The first case is answered long before the last one begins.
  assert.ok(order.lastIndexOf("c0") < order.indexOf("c20"), order.join(" "));
});

Deno.test("an interruption keeps what is finished and ends what is under way", async () => {
  const stop = new AbortController();
  const { stages } = echo((input) => input === "c3" ? new Promise(() => {}) : Promise.resolve());
  const project = await testProject({
    system: ragSystem(settings, stages),
    cases: casesOf(["c0", "c1", "c2", "c3", "c4"]),
    evaluators,
  });
  const surroundings = testSurroundings({
    stop: stop.signal,
    onProgress: ({ done }) => {
      if (done === 3) setTimeout(() => stop.abort(new Error("interrupted")), 10);
    },
  });
  const report = await run(project, { concurrency: 1 }, surroundings);
  assert.deepEqual([report.status, report.cases, report.planned_cases], ["interrupted", 3, 5]);
  const [stored] = await list(project.store, {}, testSurroundings());
  assert.deepEqual([stored?.status, stored?.cases, stored?.planned_cases], ["interrupted", 3, 5]);
  const looked = await inspect(project.store, "latest", {}, testSurroundings());
  assert.ok(looked.kind === "run");
  assert.deepEqual(looked.report.metrics, report.metrics);
});

Deno.test("a stored run is told as it was told when it was made", async () => {
  const { stages } = echo();
  const project = await testProject({
    system: ragSystem(settings, stages),
    cases: casesOf(["a", "b", "a", "d"]),
    evaluators,
    slices: ["relevant_position", "context_truncated"],
  });
  const made = await run(project, { name: "first" }, testSurroundings());
  const looked = await inspect(project.store, made.run_id, {}, testSurroundings());
  assert.ok(looked.kind === "run");
  assert.deepEqual(looked.report, made);
});

Deno.test("concurrency and the order of cases change no figure and no exported case", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom("a", "b", "c", "d", "e"), { minLength: 1, maxLength: 12 }),
      fc.integer({ min: 1, max: 9 }),
      async (inputs, concurrency) => {
        const { stages } = echo((input) =>
          new Promise((resolve) => setTimeout(resolve, input.charCodeAt(0) % 3))
        );
        const cases = casesOf(inputs);
        const system = ragSystem(settings, stages);
        const one = await testProject({ system, cases, evaluators });
        const other = await testProject({ system, cases: [...cases].reverse(), evaluators });
        const alone = await run(one, { concurrency: 1 }, testSurroundings());
        const together = await run(other, { concurrency }, testSurroundings());
        assert.deepEqual(together.metrics, alone.metrics);
        assert.deepEqual(together.cache, alone.cache);
        assert.deepEqual(together.stages, alone.stages);
        assert.deepEqual([...await linesOf(other, "latest")].reverse(), await linesOf(one, "latest"));
      },
    ),
    { seed: 20, numRuns: 15 },
  );
});

Deno.test("what a stage does to its arguments reaches no record", async () => {
  const project = await testProject({
    system: ragSystem({ ...settings, top_k: 2 }, {
      retrieve(input: { word: string }) {
        input.word = "changed";
        return { candidates: [{ doc_id: "a", text: "a" }, { doc_id: "b", text: "b" }] };
      },
      generate(_input, context) {
        Reflect.apply(Array.prototype.splice, context, [0, 1]);
        return { answer: context.length };
      },
    }),
    cases: [{ id: "one", input: { word: "kept" } }],
  });
  await run(project, {}, testSurroundings());
  const [line] = await linesOf(project, "latest") as { input: unknown; context: unknown[] }[];
  assert.deepEqual(line?.input, { word: "kept" });
  assert.equal(line?.context.length, 2);
});
