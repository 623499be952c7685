/** Calibrations: judges measured by labels of runs and of records. */
import assert from "node:assert/strict";
import { calibrate } from "../../lib/commands/calibrate.ts";
import { inspect } from "../../lib/commands/inspect.ts";
import { openProject } from "../../lib/commands/open_project.ts";
import { run } from "../../lib/commands/run.ts";
import type { Project } from "../../lib/domain/project.ts";
import { faultOf, folderOf, writeInto } from "../system/project_folder.ts";
import { testSurroundings } from "./run_surroundings.ts";

const app = `import { ragSystem } from "oloproof";
export const s = ragSystem({ name: "echo", version: "1", depth: 1, top_k: 1, index_version: "i" }, {
  retrieve: (input) => input === "lost"
    ? Promise.reject(new Error("gone"))
    : { candidates: input === "bare" ? [] : [{ doc_id: "d", text: "the text of " + input }] },
  generate: (input) => ({ answer: input }),
});`;

/** Passes what has no x in it; asked once more about a y, it says the other thing. */
const judge = `let asked = 0;
export function noX({ claims, answer }, { usage }) {
  usage({ cost_usd: 0.5 });
  asked++;
  if (answer.includes("throw")) throw new Error("judge is ill");
  const turn = answer.includes("y") && asked % 2 === 0;
  const supported = !answer.includes("x") !== turn;
  return {
    claims: claims.map((_, index) => ({ claim: index + 1, verdict: supported ? "supported" : "unsupported" })),
    reason: supported ? "no x" : "an x",
  };
}`;

const yaml = `system: {rag: {object: "app:s"}}
evaluators:
  - {type: groundedness_judge, criterion: grounded, provider: object, object: "judge:noX", field: answer}
  - {type: equals, criterion: right, field: answer}
judging: {concurrency: 1}
`;

let projects = 0;

async function projectOf(labels: readonly unknown[], inputs: readonly string[] = ["a", "b", "cx", "dx"]) {
  // A process loads a file once: each project has a judge of its own.
  const mark = `\n// ${++projects}\n`;
  const folder = await folderOf({
    "oloproof.yaml": yaml,
    "app.js": app + mark,
    "judge.js": judge + mark,
    "cases.jsonl": inputs.map((input) => JSON.stringify({ id: input, input, expected: input })).join("\n"),
    "labels.jsonl": labels.map((label) => JSON.stringify(label)).join("\n"),
  });
  return { folder, project: await openProject(folder, { cwd: folder }) };
}

const options = { criterion: "grounded", labels: "labels.jsonl" };

async function measure(project: Project, more: Partial<Parameters<typeof calibrate>[1]> = {}) {
  const found = await calibrate(project, { ...options, ...more }, testSurroundings());
  assert.ok(found !== undefined);
  return found;
}

Deno.test("cases of a run and records of their own are judged and laid beside their labels", async () => {
  const context = [{ doc_id: "d", text: "text" }];
  const { project } = await projectOf([
    { case_id: "a", label: "pass" },
    { case_id: "b", label: "fail" },
    { case_id: "cx", label: "fail" },
    { record: { case_id: "own", input: "q", output: { answer: "good" }, context }, label: "pass" },
    { record: { output: { answer: "ex" }, context: [] }, label: "fail" },
    { record: { output: { answer: "throw" }, context }, label: "fail" },
  ]);
  const { run_id } = await run(project, {}, testSurroundings());
  const { content, reasons, run_id: of, earlier } = await measure(project);
  assert.equal(of, run_id);
  assert.equal(earlier, 0);
  const told = content.rows.map(({ row, label, verdicts, reason }) =>
    [row, label, verdicts.join(" "), reason ?? "", reasons[row] ?? ""].join("|")
  );
  assert.deepEqual(told, [
    "a|pass|pass pass||no x",
    "b|fail|pass pass||no x",
    "cx|fail|fail fail||an x",
    "line 5|fail|excluded excluded|empty_context|",
    "line 6|fail|missing missing|judge_failed|The judge threw: judge is ill",
    "own|pass|pass pass||no x",
  ]);
  assert.deepEqual(content.figures.table, {
    human_pass_judge_pass: 2,
    human_pass_judge_fail: 0,
    human_fail_judge_pass: 1,
    human_fail_judge_fail: 1,
  });
  assert.deepEqual(content.figures.without_verdict, [
    { reason: "empty_context", rows: 1 },
    { reason: "judge_failed", rows: 1 },
  ]);
});

Deno.test("records alone need no run, and no store that is there already", async () => {
  const context = [{ doc_id: "d", text: "text" }];
  const { project } = await projectOf([{ record: { output: { answer: "a" }, context }, label: true }]);
  const found = await measure(project);
  assert.equal(found.run_id, null);
  assert.equal(found.content.figures.labels, 1);
});

Deno.test("the same rows with the same result have the same id, and verdicts are not asked for again", async () => {
  const { project } = await projectOf([{ case_id: "a", label: "pass" }, { case_id: "cx", label: "fail" }]);
  await run(project, {}, testSurroundings());
  const first = await measure(project);
  const again = await measure(project);
  assert.equal(again.calibration_id, first.calibration_id);
  assert.equal(again.earlier, 0);
  const once = await measure(project, { repeats: 1 });
  assert.notEqual(once.calibration_id, first.calibration_id);
  assert.equal(once.earlier, 1);
  assert.equal(once.content.figures.consistency, null);
  // Another run with equal records is the same measurement.
  await run(project, { set: { "params.retrieve.other": true } }, testSurroundings());
  assert.equal((await measure(project)).calibration_id, first.calibration_id);
  const looked = await inspect(project.store, first.calibration_id, {}, testSurroundings());
  assert.ok(looked.kind === "calibration" && looked.calibration.content.rows.length === 2);
});

Deno.test("a judge that does not say the same again is found out", async () => {
  const { project } = await projectOf(
    ["ay", "by", "cy", "d"].map((case_id) => ({ case_id, label: "pass" })),
    ["ay", "by", "cy", "d"],
  );
  await run(project, { select: { ids: ["d"] } }, testSurroundings());
  await run(project, {}, testSurroundings());
  const { consistency } = (await measure(project)).content.figures;
  assert.equal(consistency?.trials, 4);
  assert.ok((consistency?.value ?? 1) < 1);
});

const MISTAKES: readonly (readonly [string, unknown, RegExp])[] = [
  [
    "an unknown case",
    { case_id: "ccx", label: "pass" },
    /labels\.jsonl:2: run_\w+ has no finished case "ccx".*"cx"/s,
  ],
  [
    "two labels of one case",
    { case_id: "a", label: "fail" },
    /labels\.jsonl:2: "a" has a label on line 1 already/,
  ],
  [
    "one record under two names",
    {
      record: {
        case_id: "copy",
        input: "a",
        expected: "a",
        output: { answer: "a" },
        context: [{ doc_id: "d", text: "the text of a" }],
        candidates: [{ doc_id: "d", text: "the text of a" }],
      },
      label: "pass",
    },
    /labels\.jsonl:2: "copy" is the same record as the one on line 1, and would count twice/,
  ],
  [
    "a record without an output",
    { record: { input: "q" }, label: true },
    /labels\.jsonl:2: The record does not fit/,
  ],
  ["a record with a strange key", { record: { output: 1, answer: 2 }, label: true }, /unknown key "answer"/],
  [
    "a record that failed",
    { record: { output: null, error: { message: "x" } }, label: true },
    /execution that failed/,
  ],
  [
    "a context that is none",
    { record: { output: 1, context: "text" }, label: true },
    /as context; it is a list/,
  ],
];

for (const [title, label, message] of MISTAKES) {
  Deno.test(`a mistake in labels: ${title}`, async () => {
    const { project } = await projectOf([{ case_id: "a", label: "pass" }, label]);
    await run(project, {}, testSurroundings());
    const fault = await faultOf(calibrate(project, options, testSurroundings()));
    assert.match(fault.message, message);
    assert.equal(fault.kind, "configuration");
  });
}

Deno.test("what cannot be measured is refused before any judge is asked", async () => {
  const { project, folder } = await projectOf([{ case_id: "a", label: "pass" }]);
  const fault = async (more: Partial<Parameters<typeof calibrate>[1]>) =>
    (await faultOf(calibrate(project, { ...options, ...more }, testSurroundings()))).code;
  assert.equal(await fault({ criterion: "right" }), "not_judged");
  assert.equal(await fault({ criterion: "grouned" }), "unknown_criterion");
  assert.equal(await fault({ repeats: 0 }), "invalid_option");
  assert.equal(await fault({ labels: "none.jsonl" }), "unreadable_file");
  assert.equal(await fault({}), "no_store");
  await run(project, {}, testSurroundings());
  assert.equal(await fault({ run: "run_X" }), "unknown_run");
  await writeInto(folder, { "labels.jsonl": "\n" });
  assert.equal(await fault({}), "no_labels");
});

Deno.test("failed executions of a run have no verdict, and are counted", async () => {
  const { project } = await projectOf(
    [{ case_id: "lost", label: "fail" }, { case_id: "bare", label: "pass" }],
    ["lost", "bare"],
  );
  await run(project, {}, testSurroundings());
  const { figures } = (await measure(project)).content;
  assert.equal(figures.labels, 0);
  assert.deepEqual(figures.without_verdict, [
    { reason: "empty_context", rows: 1 },
    { reason: "execution_failed", rows: 1 },
  ]);
});

Deno.test("an interrupted calibration concludes nothing", async () => {
  const { project } = await projectOf([{ case_id: "a", label: "pass" }, { case_id: "b", label: "pass" }]);
  await run(project, {}, testSurroundings());
  const stop = new AbortController();
  const surroundings = testSurroundings({
    stop: stop.signal,
    onProgress: () => stop.abort(new Error("interrupted")),
  });
  assert.equal(await calibrate(project, options, surroundings), undefined);
});
