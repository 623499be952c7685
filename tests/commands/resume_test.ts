/** Runs that go on: what is told in the end is what an uninterrupted run tells, and nothing finished is done twice. */
import assert from "node:assert/strict";
import { pathToFileURL } from "node:url";
import { createClient } from "@libsql/client";
import fc from "fast-check";
import { diagnose } from "../../lib/commands/diagnose.ts";
import { list } from "../../lib/commands/list.ts";
import { run } from "../../lib/commands/run.ts";
import type { RunOptions } from "../../lib/commands/run_options.ts";
import { OloproofError } from "../../lib/domain/error.ts";
import type { Project } from "../../lib/domain/project.ts";
import type { RunReport } from "../../lib/domain/run_report.ts";
import { ragSystem } from "../../lib/stages/rag_system.ts";
import {
  casesOf,
  countingProject,
  countingStages,
  interruptedAfter,
  linesOf,
  SETTINGS,
} from "./counting_system.ts";
import { testSurroundings } from "./run_surroundings.ts";

const INPUTS = ["a", "b", "a", "wrong", "c", "b", "d", "a", "e", "f"];

/** A report without what differs between any two runs. */
function figuresOf(report: RunReport): unknown {
  const { run_id: _id, started_at: _at, usage, notices: _notices, ...rest } = report;
  return { ...rest, calls: [usage.retrieve?.calls, usage.generate?.calls], used: usage.generate?.usage };
}

async function codeOf(promise: Promise<unknown>): Promise<OloproofError> {
  const thrown = await promise.then(() => assert.fail("it was not refused"), (cause) => cause);
  assert.ok(thrown instanceof OloproofError, String(thrown));
  return thrown;
}

/** A run that stops after so many executions. */
async function interrupt(project: Project, executions: number, options: RunOptions = {}): Promise<RunReport> {
  const report = await run(project, options, interruptedAfter(executions));
  assert.equal(report.status, "interrupted");
  return report;
}

/** Takes finished cases out of a run, as if its process had been killed after their entries were written and they were not. */
async function losing(project: Project, ordinals: readonly number[]): Promise<void> {
  const client = createClient({ url: pathToFileURL(project.store).href });
  const latest = "(SELECT max(number) FROM runs)";
  await client.batch([
    `DELETE FROM run_cases WHERE run = ${latest} AND ordinal IN (${ordinals.join(", ")})`,
    `UPDATE runs SET status = 'running', finished_at = NULL WHERE number = ${latest}`,
  ], "write");
  client.close();
}

for (const finished of [0, 1, 3, 7, 9]) {
  Deno.test(`a run that was interrupted after ${finished} cases goes on as if it had not been`, async () => {
    const whole = await countingProject(INPUTS);
    const expected = await run(whole.project, {}, testSurroundings());

    const { project, calls } = await countingProject(INPUTS);
    const stop = new AbortController();
    if (finished === 0) stop.abort(new Error("interrupted"));
    const outside = finished === 0 ? testSurroundings({ stop: stop.signal }) : interruptedAfter(finished);
    const first = await run(project, {}, outside);
    assert.deepEqual([first.status, first.cases], ["interrupted", finished]);

    const report = await run(project, { resume: first.run_id }, testSurroundings());
    assert.equal(report.run_id, first.run_id);
    assert.deepEqual(figuresOf(report), figuresOf(expected));
    assert.deepEqual(calls, whole.calls);
    assert.deepEqual(await linesOf(project), await linesOf(whole.project));
    const [stored, ...others] = await list(project.store, {}, testSurroundings());
    assert.deepEqual([stored?.status, stored?.cases, others.length], ["complete", 10, 0]);
  });
}

Deno.test("what a killed process made for cases that it did not finish is used and counted once", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.subarray(INPUTS.map((_, ordinal) => ordinal), { minLength: 1 }),
      fc.constantFrom<RunOptions>({}, { refresh: ["all"] }, { refresh: ["judge"] }, { set: { top_k: 2 } }),
      async (lost, options) => {
        const { project, calls } = await countingProject(INPUTS);
        // Some of the judgments are known beforehand.
        const [, mrr] = project.evaluators;
        assert.ok(mrr !== undefined);
        await run({ ...project, evaluators: [mrr] }, {}, testSurroundings());
        const made = await run(project, options, testSurroundings());
        const before = { ...calls };
        const lines = await linesOf(project);
        // Where all stages were found elsewhere, nothing but its row says that the first of equal cases was a miss; it is written
        // before or with the others.
        const first = (ordinal: number) => INPUTS.indexOf(INPUTS[ordinal] ?? "");
        const together = INPUTS.flatMap((_, ordinal) => lost.includes(first(ordinal)) ? [ordinal] : []);
        const found = options.refresh?.includes("judge") ?? false;
        await losing(project, found ? together : lost);
        const { notices: _, ...resumed } = await run(project, { resume: "latest" }, testSurroundings());
        const { notices: __, ...expected } = made;
        assert.deepEqual(resumed, expected);
        assert.deepEqual(calls, before);
        assert.deepEqual(await linesOf(project), lines);
      },
    ),
    { seed: 7, numRuns: 25 },
  );
});

Deno.test("a retrieval whose answer was under way is not made again, and is the miss that it was", async () => {
  const whole = await countingProject(INPUTS);
  const expected = await run(whole.project, {}, testSurroundings());
  const counting = await countingProject(INPUTS);
  const { project, calls } = counting;
  const stop = new AbortController();
  counting.onGenerate = async (input) => {
    if (input !== "c") return;
    // Long enough for the retrieval to be written.
    await new Promise((resolve) => setTimeout(resolve, 250));
    stop.abort(new Error("interrupted"));
    await new Promise(() => {});
  };
  const first = await run(project, {}, testSurroundings({ stop: stop.signal }));
  assert.equal(first.cases, 4);
  counting.onGenerate = () => {};
  const report = await run(project, { resume: "latest" }, testSurroundings());
  assert.deepEqual(figuresOf(report), figuresOf(expected));
  assert.deepEqual(calls, { retrieve: whole.calls.retrieve, generate: whole.calls.generate + 1 });
});

Deno.test("a refreshed run goes on with its own work and ignores that of others", async () => {
  for (const refresh of [["all"], ["retrieve"], ["generate"], ["judge"]] as const) {
    const { project, calls } = await countingProject(INPUTS);
    await run(project, {}, testSurroundings());
    const before = { ...calls };
    const expected = await run(project, { refresh }, testSurroundings());
    const each = { retrieve: calls.retrieve - before.retrieve, generate: calls.generate - before.generate };
    const first = await interrupt(project, 4, { refresh });
    const report = await run(project, { resume: first.run_id }, testSurroundings());
    assert.deepEqual(figuresOf(report), figuresOf(expected), String(refresh));
    assert.deepEqual(calls, {
      retrieve: before.retrieve + 2 * each.retrieve,
      generate: before.generate + 2 * each.generate,
    });
  }
});

Deno.test("progress begins with what is finished, and failures are counted among it", async () => {
  const { project, broken } = await countingProject(["a", "b", "c", "d"]);
  broken.add("a");
  await interrupt(project, 2);
  const { seen, ...outside } = interruptedAfter(99);
  await run(project, { resume: "latest" }, outside);
  assert.deepEqual(seen.map(({ done, total, failed }) => [done, total, failed]), [
    [2, 4, 1],
    [3, 4, 1],
    [4, 4, 1],
  ]);
});

Deno.test("a run may be interrupted again and again, and end after its last case was finished", async () => {
  const whole = await countingProject(INPUTS);
  const expected = await run(whole.project, {}, testSurroundings());
  const { project, calls } = await countingProject(INPUTS);
  await interrupt(project, 2);
  await interrupt(project, 5, { resume: "latest" });
  await interrupt(project, 6, { resume: "latest" });
  const report = await run(project, { resume: "latest" }, testSurroundings());
  assert.deepEqual(figuresOf(report), figuresOf(expected));
  assert.deepEqual(calls, whole.calls);
  // Killed between its last case and the word that it is complete.
  await losing(project, [99]);
  assert.deepEqual(
    figuresOf(await run(project, { resume: "latest" }, testSurroundings())),
    figuresOf(expected),
  );
  assert.deepEqual(calls, whole.calls);
});

Deno.test("a complete run is told again, and that nothing was left to do", async () => {
  const { project, calls } = await countingProject(["a", "b"]);
  const made = await run(project, {}, testSurroundings());
  const before = { ...calls };
  const changed = { ...project, cases: { kind: "inline", cases: casesOf(["z"]) } } as const;
  const told = await run(changed, { resume: made.run_id }, testSurroundings());
  assert.deepEqual({ ...told, notices: made.notices }, made);
  assert.deepEqual(told.notices.map(({ code }) => code), ["nothing_left"]);
  assert.deepEqual(calls, before);
});

Deno.test("a run keeps what it was begun with: the same again is fine, anything else is refused with both values", async () => {
  const { project } = await countingProject(["a", "b", "a", "c", "d", "e"]);
  const where = [{ path: "metadata.half", value: "even" }];
  const options: RunOptions = {
    set: { top_k: 2, "params.generate.model": "m" },
    select: { where, limit: 3 },
    repeats: 2,
    refresh: ["judge", "retrieve"],
    name: "long",
  };
  const { run_id } = await interrupt(project, 1, options);
  const others: readonly (readonly [RunOptions, RegExp])[] = [
    [
      { set: { top_k: 1 } },
      /--set is top_k=1 now and was params\.generate\.model="m", top_k=2 when it began/,
    ],
    [{ select: { ids: ["c0"] } }, /--case is c0 now and was not given/],
    [
      { select: { where: [{ path: "metadata.half", value: "odd" }] } },
      /--where is metadata\.half=odd now and was metadata\.half=even/,
    ],
    [{ select: { limit: 2 } }, /--limit is 2 now and was 3/],
    [{ repeats: 3 }, /--repeats is 3 now and was 2/],
    [{ refresh: ["all"] }, /--refresh is all now and was judge, retrieve/],
    [{ name: "short" }, /--name is short now and was long/],
  ];
  for (const [other, message] of others) {
    const error = await codeOf(run(project, { resume: run_id, ...other }, testSurroundings()));
    assert.equal(error.code, "resume_differs");
    assert.match(error.message, message);
  }
  const again = {
    ...options,
    set: { "params.generate.model": "m", top_k: 2 },
    refresh: ["retrieve", "judge"],
  } as const;
  const report = await run(project, { ...again, resume: "long", concurrency: 4 }, testSurroundings());
  assert.deepEqual([report.status, report.cases, report.repeats, report.name], ["complete", 3, 2, "long"]);
  assert.equal(report.system.top_k, 2);
  assert.deepEqual(report.selection, ["--where metadata.half=even", "--limit 3"]);
});

Deno.test("a project that is no longer that of the run is refused, and what changed is named", async () => {
  const { project, calls, stages } = await (async () => {
    const counting = await countingProject(["a", "b", "c"]);
    return { ...counting, stages: countingStages().stages };
  })();
  const { run_id } = await interrupt(project, 1);
  const before = { ...calls };
  const [right, mrr] = project.evaluators;
  assert.ok(right !== undefined && mrr !== undefined && project.system.kind === "inline");
  const system = (settings: object, changed = stages) => ({
    ...project,
    system: { kind: "inline", system: ragSystem({ ...SETTINGS, ...settings }, changed), identity: "source" },
  } as const);
  const cases = (inputs: readonly string[]) =>
    ({ ...project, cases: { kind: "inline", cases: casesOf(inputs) } }) as const;
  const changes: readonly (readonly [Project, string, RegExp])[] = [
    [cases(["a", "b"]), "cases_changed", /its cases changed: 3 when it began, 2 now/],
    [cases(["a", "c", "b"]), "cases_changed", /3 as before, in another order or with other contents/],
    [system({ top_k: 2 }), "settings_changed", /the setting top_k was 1 when it began and is 2 now/],
    [
      { ...project, settings: { params: { generate: { model: "m" } } } },
      "settings_changed",
      /params\.generate\.model was absent when it began and is "m" now/,
    ],
    [
      system({}, { ...stages, generate: () => ({ answer: "other" }) }),
      "source_changed",
      /the code of the system/,
    ],
    [
      { ...project, evaluators: [right] },
      "evaluators_changed",
      /mrr_at_2 was .*"k":2.* when it began and is absent now/,
    ],
    [{ ...project, evaluators: [mrr, right] }, "evaluators_changed", /in another order/],
    [
      { ...project, slices: [] },
      "project_changed",
      /slices was \["metadata\.half","relevant_position"\] when it began and is \[\] now/,
    ],
    [
      { ...project, min_slice_support: 9 },
      "project_changed",
      /min_slice_support was 1 when it began and is 9 now/,
    ],
  ];
  for (const [changed, code, message] of changes) {
    const error = await codeOf(run(changed, { resume: run_id }, testSurroundings()));
    assert.equal(error.code, code);
    assert.match(error.message, message);
    assert.equal((await codeOf(run(changed, { retry_failed: run_id }, testSurroundings()))).code, code);
  }
  assert.deepEqual(calls, before);
  const [stored] = await list(project.store, {}, testSurroundings());
  assert.deepEqual([stored?.status, stored?.cases], ["interrupted", 1]);
  // How it is carried out may change.
  const otherwise = { ...project, run: { ...project.run, concurrency: 3, retries: 1, repeats: 5 } };
  assert.equal((await run(otherwise, { resume: run_id }, testSurroundings())).status, "complete");
});

Deno.test("a run that another process took over writes nothing more, and does not say how it ended", async () => {
  const counting = await countingProject(INPUTS);
  const { project } = counting;
  let other: RunReport | undefined;
  counting.onGenerate = async (input) => {
    if (input !== "c") return;
    counting.onGenerate = () => {};
    other = await run(project, { resume: "latest" }, testSurroundings());
  };
  const error = await codeOf(run(project, {}, testSurroundings()));
  assert.equal(error.code, "run_taken_over");
  assert.deepEqual([other?.status, other?.cases], ["complete", 10]);
  const [stored] = await list(project.store, {}, testSurroundings());
  assert.deepEqual([stored?.status, stored?.cases], ["complete", 10]);
  const whole = await countingProject(INPUTS);
  await run(whole.project, {}, testSurroundings());
  assert.deepEqual(await linesOf(project), await linesOf(whole.project));
});

Deno.test("only runs that this program began are gone on with", async () => {
  const { project } = await countingProject(["wrong", "a"]);
  const { run_id } = await run(project, {}, testSurroundings());
  const why = await diagnose(
    project,
    run_id,
    { intervention: { kind: "gold-context" }, criterion: "right" },
    testSurroundings(),
  );
  const child = why?.diagnosis.child_runs[0]?.run_id ?? "";
  for (const options of [{ resume: child }, { retry_failed: child }]) {
    assert.equal((await codeOf(run(project, options, testSurroundings()))).code, "wrong_kind");
  }
  assert.equal((await codeOf(run(project, { resume: "run_X" }, testSurroundings()))).code, "unknown_run");
  const both = { resume: run_id, retry_failed: run_id };
  assert.equal((await codeOf(run(project, both, testSurroundings()))).code, "invalid_option");
  const fresh = await countingProject(["a"]);
  assert.equal((await codeOf(run(fresh.project, { resume: "latest" }, testSurroundings()))).code, "no_store");
  assert.equal((await codeOf(run(project, { repeats: 0 }, testSurroundings()))).code, "invalid_option");
  assert.equal(
    (await codeOf(run(project, { repeats: 1e9 }, testSurroundings()))).code,
    "too_many_executions",
  );
});

Deno.test("the cases of a file are the same with other line ends, and others with another expectation", async () => {
  const { project } = await countingProject([]);
  const path = `${project.store}.jsonl`;
  const write = (answers: readonly string[], end: string) =>
    Deno.writeTextFile(
      path,
      answers.map((answer, n) => JSON.stringify({ id: `${n}`, input: "a", expected: { answer } }) + end).join(
        "",
      ),
    );
  const filed = { ...project, cases: { kind: "files", paths: [path] } } as const;
  await write(["a", "b", "c"], "\n");
  const first = await run(filed, {}, interruptedAfter(1));
  await write(["a", "b", "d"], "\n");
  assert.equal(
    (await codeOf(run(filed, { resume: first.run_id }, testSurroundings()))).code,
    "cases_changed",
  );
  await write(["a", "b", "c"], "\r\n");
  assert.equal((await run(filed, { resume: first.run_id }, testSurroundings())).status, "complete");
});
