/** Repeats: every case several times, averaged first, whoever reads the run. */
import assert from "node:assert/strict";
import { bundleLines } from "../../lib/commands/bundle.ts";
import { compareRuns } from "../../lib/commands/compare_runs.ts";
import { diagnose } from "../../lib/commands/diagnose.ts";
import { withSource } from "../../lib/commands/export.ts";
import { inspect } from "../../lib/commands/inspect.ts";
import { list } from "../../lib/commands/list.ts";
import { planProject } from "../../lib/commands/plan_for.ts";
import { readPolicy } from "../../lib/commands/read_policy.ts";
import { run } from "../../lib/commands/run.ts";
import { validate } from "../../lib/commands/validate.ts";
import type { Project } from "../../lib/domain/project.ts";
import { comparisonText } from "../../lib/report/comparison_text.ts";
import { diagnosisText } from "../../lib/report/diagnosis_text.ts";
import { caseText, failedText } from "../../lib/report/inspect_text.ts";
import { listText } from "../../lib/report/list_text.ts";
import { runText } from "../../lib/report/run_text.ts";
import { validationText } from "../../lib/report/validate_text.ts";
import { ragSystem } from "../../lib/stages/rag_system.ts";
import { EVALUATORS, interruptedAfter, linesOf } from "./counting_system.ts";
import { testProject, testSurroundings } from "./run_surroundings.ts";
import { tempFolder } from "../temp_folder.ts";

/** What happens in each repeat of a case. */
type Course = readonly ("right" | "wrong" | "broken" | "unretrieved")[];

/** A system whose cases go as their inputs say, repeat by repeat, and then from the beginning; one case after the other. */
async function projectOf(courses: Readonly<Record<string, Course>>, repeats = 3): Promise<Project> {
  const retrieved = new Map<string, number>();
  const generated = new Map<string, number>();
  const next = (counts: Map<string, number>, id: string) => {
    const count = counts.get(id) ?? 0;
    counts.set(id, count + 1);
    const course = courses[id] ?? [];
    return course[count % course.length];
  };
  return await testProject({
    system: ragSystem({ name: "courses", version: "1", depth: 1, top_k: 1 }, {
      retrieve(input: string) {
        const lost = next(retrieved, input) === "unretrieved";
        return { candidates: [{ doc_id: lost ? "none" : `d ${input}`, text: "right" }] };
      },
      generate(input, context) {
        // With the gold passage every answer is right, and counts as no repeat.
        if (context[0]?.doc_id === `gold ${input}`) return { answer: "right" };
        const now = next(generated, input);
        if (now === "broken") throw new Error("model is gone");
        return { answer: now === "right" ? "right" : "no" };
      },
    }),
    cases: Object.keys(courses).map((id) => ({
      id,
      input: id,
      expected: {
        answer: "right",
        relevant: [{ doc_id: `d ${id}` }],
        gold_context: [{ doc_id: `gold ${id}`, text: "right" }],
      },
    })),
    evaluators: [EVALUATORS[0] ?? {}, { type: "mrr", k: 1 }],
    slices: ["relevant_position"],
    min_slice_support: 1,
    run: { concurrency: 1, repeats },
  });
}

const COURSES: Readonly<Record<string, Course>> = {
  always: ["right", "right", "right"],
  never: ["wrong", "wrong", "wrong"],
  mostly: ["right", "unretrieved", "right"],
  broken: ["right", "broken", "wrong"],
};

async function policyOf(text: string) {
  const folder = await tempFolder();
  await Deno.writeTextFile(`${folder}/policy.yaml`, text);
  return await readPolicy("policy.yaml", undefined, folder);
}

Deno.test("the unit is the case: its repeats are averaged, and executions are what is counted as work", async () => {
  const project = await projectOf(COURSES);
  const { seen, ...outside } = interruptedAfter(99);
  const report = await run(project, {}, outside);
  assert.deepEqual([report.cases, report.planned_cases, report.repeats], [4, 4, 3]);
  assert.deepEqual(seen.map(({ done }) => done), Array.from({ length: 12 }, (_, index) => index + 1));
  assert.deepEqual([seen[0]?.total, seen[0]?.unit, seen.at(-1)?.failed], [12, "executions", 1]);
  const [right, mrr] = report.metrics;
  // (1 + 0 + 2/3) / 3: of the broken case one repeat has no verdict, so it has none.
  assert.deepEqual([right?.kind, right?.observed, right?.missing, right?.method], [
    "mean",
    3,
    1,
    "betting/19",
  ]);
  assert.ok(Math.abs((right?.estimate ?? 0) - 5 / 9) < 1e-12);
  assert.ok(Math.abs((mrr?.estimate ?? 0) - (1 + 1 + 2 / 3) / 3) < 1e-12);
  assert.deepEqual(report.cache, { execution: { hit: 0, miss: 12 }, judgment: { hit: 0, miss: 22 } });
  assert.equal(report.usage.retrieve?.calls, 12);
  assert.deepEqual(report.failures.map(({ case_id, repeat, kind }) => [case_id, repeat, kind]), [
    ["broken", 2, "exception"],
  ]);
  assert.deepEqual(
    report.absences,
    [
      { criterion: "mrr_at_1", status: "missing", reason: "execution_failed", cases: 1 },
      { criterion: "right", status: "missing", reason: "execution_failed", cases: 1 },
    ].toReversed(),
  );
  // A slice takes the first repeat's value, the funnel its record.
  assert.deepEqual(report.slices.map(({ value, cases }) => [value, cases]), [["1", 4]]);
  assert.deepEqual([report.funnel.cases, report.funnel.retrieved], [4, 4]);
  assert.deepEqual([report.pass_fail_criteria, report.failed_criteria], [["right"], ["right"]]);
  const text = runText(report);
  assert.match(text, /│ right +│ 0\.556 +│ .*│ mean of 3 observed · 1 missing · 0 excluded +│/);
  assert.match(
    text,
    /\nFailures: generate exception 1\n {2}broken \(repeat 2\): generate exception: model is gone\n/,
  );
  assert.match(text, /\nRepeats: 3 executions of each case; the metrics average each case first\n/);
  assert.match(text, /\nNext: oloproof inspect \S+ --failed right\n$/);
});

const NONE = { hit: 0, miss: 0 };

Deno.test("different repeats share no work; equal ones do, also with a run of fewer", async () => {
  const project = await projectOf({ a: ["right"], b: ["right"] });
  const once = await run(project, { repeats: 1 }, testSurroundings());
  const twice = await run(project, { repeats: 2 }, testSurroundings());
  const thrice = await run(project, {}, testSurroundings());
  const work = [once, twice, thrice].map(({ cache, stages }) =>
    [cache.execution, cache.judgment, stages.retrieve ?? NONE, stages.generate ?? NONE].map(({ hit, miss }) =>
      `${hit}/${miss}`
    )
  );
  assert.deepEqual(work, [
    ["0/2", "0/4", "0/2", "0/2"],
    ["2/2", "4/4", "2/2", "2/2"],
    ["4/2", "8/4", "4/2", "4/2"],
  ]);
});

Deno.test("a case is finished when all its repeats are: an interrupted run has no half means", async () => {
  const project = await projectOf(COURSES);
  const report = await run(project, {}, interruptedAfter(5));
  assert.deepEqual([report.status, report.cases, report.metrics[0]?.observed], ["interrupted", 1, 1]);
  assert.equal(report.cache.execution.miss, 5);
  const [stored] = await list(project.store, {}, testSurroundings());
  assert.deepEqual([stored?.cases, stored?.planned_cases, stored?.repeats], [1, 4, 3]);
  assert.match(listText(stored === undefined ? [] : [stored]), /│ 1 of 4 × 3 │/);
  assert.equal((await linesOf(project)).length, 5);
  const whole = await run(project, { resume: "latest" }, testSurroundings());
  assert.deepEqual([whole.cases, whole.metrics[0]?.observed, whole.metrics[0]?.missing], [4, 3, 1]);
  assert.deepEqual(whole.cache.execution, { hit: 0, miss: 12 });
});

Deno.test("inspect shows every repeat of a case, and a line for each that failed", async () => {
  const project = await projectOf(COURSES);
  const { run_id } = await run(project, {}, testSurroundings());
  const looked = await inspect(project.store, run_id, { case: "mostly" }, testSurroundings());
  assert.ok(looked.kind === "case");
  assert.deepEqual(looked.repeats.map(({ repeat }) => repeat), [1, 2, 3]);
  assert.deepEqual(looked.found, looked.repeats[0]);
  const text = caseText(looked.found, looked.repeats);
  assert.equal(text.match(/^Input: /gm)?.length, 1);
  assert.deepEqual(text.match(/^(?:Repeat \d|Output: .*| {2}right: .*)$/gm), [
    "Repeat 1",
    'Output: {"answer":"right"}',
    "  right: pass",
    "Repeat 2",
    'Output: {"answer":"no"}',
    "  right: fail",
    "Repeat 3",
    'Output: {"answer":"right"}',
    "  right: pass",
  ]);
  const failed = await inspect(project.store, run_id, { failed: "right" }, testSurroundings());
  assert.ok(failed.kind === "failed");
  const found = failed.failed.map((
    { case_id, repeat, relevant_position },
  ) => [case_id, repeat, relevant_position]);
  assert.deepEqual(found, [
    ["never", 1, "1"],
    ["never", 2, "1"],
    ["never", 3, "1"],
    ["mostly", 2, "none"],
    ["broken", 3, "1"],
  ]);
  const lines = failedText(failed).split("\n");
  assert.equal(
    lines[0],
    `3 cases of ${run_id} failed right in 5 executions (3 repeats of each case); of 1 more execution the judgment is missing`,
  );
  assert.match(lines[4] ?? "", /^mostly \(repeat 2\): expected "right", got "no", relevant position none$/);
});

Deno.test("each exported line names its repeat, and a bundle stands for the run", async () => {
  const project = await projectOf(COURSES);
  const { run_id } = await run(project, {}, testSurroundings());
  const lines = await linesOf(project) as readonly { case_id: string; repeat: number }[];
  assert.deepEqual(
    lines.map(({ case_id, repeat }) => `${case_id} ${repeat}`),
    Object.keys(COURSES).flatMap((id) => [1, 2, 3].map((repeat) => `${id} ${repeat}`)),
  );
  const folder = await tempFolder();
  const bundle = await withSource(
    project.store,
    run_id,
    testSurroundings(),
    ({ header, store }) => Array.fromAsync(bundleLines(header, store.readCases(run_id))),
  );
  await Deno.writeTextFile(`${folder}/run.bundle`, bundle.map((line) => JSON.stringify(line)).join("\n"));
  const outside = testSurroundings({ cwd: folder });
  const [stored, bundled] = await Promise.all(
    [run_id, "run.bundle"].map((id) => inspect(project.store, id, {}, outside)),
  );
  assert.deepEqual(bundled, stored);
});

Deno.test("runs are compared by the means of their cases, and no verdicts are counted", async () => {
  const project = await projectOf(COURSES);
  await run(project, { name: "repeated" }, testSurroundings());
  await run(project, { repeats: 1, name: "once" }, testSurroundings());
  await run(project, { refresh: ["all"], name: "again" }, testSurroundings());
  const compareBy = async (candidate: string, baseline: string, policy?: string) =>
    await compareRuns(project.store, {
      candidate,
      baseline,
      policy: policy === undefined ? undefined : await policyOf(policy),
    }, testSurroundings());
  const { content } = await compareBy("again", "repeated");
  const [right] = content.metrics;
  assert.deepEqual([content.paired, right?.paired, right?.missing, right?.mcnemar_p], [4, 3, 1, null]);
  assert.deepEqual(content.changes, []);
  // The first repeat's value, although that of the last one was written later.
  assert.deepEqual(content.slices.map(({ value, cases }) => [value, cases]), [["1", 4]]);

  const mixed = await compareBy("repeated", "once");
  const [difference] = mixed.content.metrics;
  // (0 + 0 - 1/3) / 3.
  assert.ok(Math.abs((difference?.difference ?? 0) + 1 / 9) < 1e-12);
  assert.equal(difference?.mcnemar_p, null);
  assert.match(comparisonText(mixed), /The candidate executed each case 3 times: its values are means/);

  const margin = "rules: [{name: kept, criterion: right, test: non-inferiority, margin: 20}]";
  const gated = await compareBy("again", "repeated", margin);
  assert.deepEqual(
    gated.content.decisions.map(({ decision, unobserved }) => [decision, unobserved]),
    [["INSUFFICIENT_EVIDENCE", 1]],
  );
  for (const test of ["no-regression", "suite-threshold, at_least: 0.1"]) {
    const policy = `rules: [{name: kept, criterion: right, test: ${test}}]`;
    await assert.rejects(
      compareBy("again", "repeated", policy),
      /are means over repeats; .* needs pass\/fail/,
    );
    await assert.rejects(compareBy("repeated", "once", policy), { code: "not_pass_fail" });
  }
});

Deno.test("a case with a part of its repeats is a missing outcome of the candidate", async () => {
  const project = await projectOf({ a: ["right"], b: ["right"] }, 2);
  await run(project, { name: "whole" }, testSurroundings());
  await run(project, { name: "part", refresh: ["all"] }, interruptedAfter(3));
  const policy = await policyOf(
    "rules: [{name: kept, criterion: right, test: non-inferiority, margin: 99.9}]",
  );
  const options = { candidate: "part", baseline: "whole", policy };
  const { content } = await compareRuns(project.store, options, testSurroundings());
  assert.deepEqual([content.paired, content.unpaired.only_in_baseline], [1, 1]);
  assert.deepEqual(content.decisions.map(({ unobserved }) => unobserved), [1]);
});

Deno.test("a repeated run is diagnosed by its cases: the first repeat that failed stands for each", async () => {
  const project = await projectOf(COURSES);
  const { run_id } = await run(project, {}, testSurroundings());
  const options = { intervention: { kind: "gold-context" }, criterion: "right" } as const;
  const why = await diagnose(project, run_id, options, testSurroundings());
  assert.ok(why !== undefined);
  assert.deepEqual(
    why.diagnosis.content.cases.map((
      { case_id, best_relevant_position },
    ) => [case_id, best_relevant_position]),
    [["broken", 1], ["mostly", null], ["never", 1]],
  );
  const { failed, missing_judgments, unfinished } = why.diagnosis.selection;
  assert.deepEqual([failed, missing_judgments, unfinished], [3, 0, 0]);
  assert.match(
    diagnosisText(why),
    /\nOf 3 repeats of each case in the run: a case failed when any did; the first that failed is diagnosed\n/,
  );
  const child = why.diagnosis.child_runs[0]?.run_id ?? "";
  assert.equal((await linesOf(project, child)).length, 3);
  // Of a run that was interrupted within a case, that case is not finished.
  await run(project, { refresh: ["all"] }, interruptedAfter(5));
  const part = await diagnose(project, "latest", options, testSurroundings());
  assert.equal(part?.diagnosis.selection.unfinished, 3);
});

Deno.test("plans and validation know that values will be means", async () => {
  const project = await projectOf(COURSES);
  const validation = await validate(project, testSurroundings());
  assert.match(validationText(validation), /no mistakes · 4 cases, each executed 3 times · 2 evaluators/);
  const threshold = await policyOf("rules: [{name: good, criterion: right, test: threshold, at_least: 0.9}]");
  const repeated = await planProject(threshold, project, [], testSurroundings());
  const single = { ...project, run: { ...project.run, repeats: 1 } };
  const once = await planProject(threshold, single, [], testSurroundings());
  const [mean, share] = [repeated.rules[0]?.needed_at_best ?? 0, once.rules[0]?.needed_at_best ?? 0];
  assert.ok(mean > share, `${mean} means, ${share} verdicts`);
  const counts = await policyOf("rules: [{name: kept, criterion: right, test: no-regression}]");
  await assert.rejects(planProject(counts, project, [], testSurroundings()), { code: "not_pass_fail" });
});
