/** Comparisons of stored runs: what is paired, what is refused, and what a bundle can stand for. */
import assert from "node:assert/strict";
import { bundleLines } from "../../lib/commands/bundle.ts";
import { compareRuns } from "../../lib/commands/compare_runs.ts";
import { withSource } from "../../lib/commands/export.ts";
import { inspect } from "../../lib/commands/inspect.ts";
import { readPolicy } from "../../lib/commands/read_policy.ts";
import { run } from "../../lib/commands/run.ts";
import type { Case } from "../../lib/domain/case.ts";
import type { JsonObject } from "../../lib/domain/json.ts";
import type { Project } from "../../lib/domain/project.ts";
import { comparisonJunit } from "../../lib/report/comparison_junit.ts";
import { comparisonText } from "../../lib/report/comparison_text.ts";
import { ragSystem } from "../../lib/stages/rag_system.ts";
import { testProject, testSurroundings } from "./run_surroundings.ts";
import { tempFolder } from "../temp_folder.ts";

/** A system that answers `right` where its params name the input, and fails where they say so. */
const system = ragSystem({ name: "told", version: "1", depth: 1, top_k: 1 }, {
  retrieve: (input: string) => ({ candidates: [{ doc_id: "d", text: input }] }),
  generate(input, _context, { params }) {
    if ([params.broken].flat().includes(input)) throw new Error("model is gone");
    return { answer: [params.right].flat().includes(input) ? "right" : "wrong" };
  },
});

const evaluators = [{ type: "equals", criterion: "right", field: "answer", expected_field: "answer" }];

function caseOf(id: string, expected: JsonObject = {}): Case {
  return {
    id,
    input: id,
    expected: { answer: "right", ...expected },
    metadata: { topic: id < "c" ? "early" : "late" },
  };
}

async function projectOf(cases: readonly Case[]): Promise<Project> {
  return await testProject({ system, cases, evaluators, slices: ["metadata.topic"], min_slice_support: 2 });
}

async function runWith(
  project: Project,
  right: readonly string[],
  broken: readonly string[] = [],
): Promise<string> {
  const set = { "params.generate.right": [...right], "params.generate.broken": [...broken] };
  return (await run(project, { set }, testSurroundings())).run_id;
}

async function compareIds(project: Project, candidate: string, baseline?: string, policy?: string) {
  const file = policy === undefined ? undefined : await policyOf(policy);
  return await compareRuns(project.store, { candidate, baseline, policy: file }, testSurroundings());
}

async function policyOf(text: string) {
  const folder = await tempFolder();
  await Deno.writeTextFile(`${folder}/policy.yaml`, text);
  return await readPolicy("policy.yaml", undefined, folder);
}

const kept = "rules: [{name: kept, criterion: right, test: no-regression}]";

Deno.test("cases are paired by id, input and expectation; gold context and metadata may change", async () => {
  const before = await projectOf(["a", "b", "c", "d"].map((id) => caseOf(id)));
  const baseline = await runWith(before, ["a", "b", "c"]);
  const now = { ...before };
  const cases = [
    caseOf("a", { gold_context: [{ doc_id: "d", text: "new" }] }),
    { ...caseOf("b"), metadata: { topic: "moved" } },
    caseOf("c", { answer: "another" }),
    caseOf("e"),
  ];
  const candidate = await runWith({ ...now, cases: { kind: "inline", cases } }, ["a", "b", "c"]);
  const { content } = await compareIds(before, candidate, baseline, kept);
  assert.equal(content.paired, 2);
  assert.deepEqual(content.unpaired, { only_in_candidate: 1, only_in_baseline: 1, changed: 1 });
  assert.deepEqual(content.slices.map(({ value, cases }) => [value, cases]), [["early", 2]]);
  assert.deepEqual(content.decisions.map(({ decision, reason }) => [decision, reason]), [
    ["INSUFFICIENT_EVIDENCE", "missing_outcomes"],
  ]);
});

Deno.test("a failed execution is a missing outcome, never a loss", async () => {
  const project = await projectOf(["a", "b", "c"].map((id) => caseOf(id)));
  const baseline = await runWith(project, ["a", "b", "c"]);
  const candidate = await runWith(project, ["a", "b"], ["c"]);
  const { content } = await compareIds(project, candidate, baseline, kept);
  const [metric] = content.metrics;
  assert.deepEqual([metric?.paired, metric?.missing, metric?.worse], [2, 1, 0]);
  assert.equal(content.gate, "BLOCK");
});

Deno.test("a test pane names the cases that were lost, without markup of theirs", async () => {
  const project = await projectOf(["a", "<b>"].map((id) => caseOf(id)));
  const baseline = await runWith(project, ["a", "<b>"]);
  const candidate = await runWith(project, ["a"]);
  const xml = comparisonJunit(await compareIds(project, candidate, baseline, kept));
  assert.match(xml, /<failure message="FAIL regressed_cases; regressed: &lt;b&gt;"\/>/);
});

Deno.test("a comparison made again has the same id, and another policy is told", async () => {
  const project = await projectOf(["a", "b"].map((id) => caseOf(id)));
  const baseline = await runWith(project, ["a"]);
  const candidate = await runWith(project, ["a", "b"]);
  const first = await compareIds(project, candidate, baseline, kept);
  const again = await compareIds(project, candidate, baseline, kept);
  assert.equal(again.comparison_id, first.comparison_id);
  assert.equal(again.earlier_policies, 0);
  const other = await compareIds(project, candidate, baseline, `level: 0.9\n${kept}`);
  assert.notEqual(other.comparison_id, first.comparison_id);
  assert.equal(other.earlier_policies, 1);
  assert.match(comparisonText(other), /compared before under another policy/);
  const looked = await inspect(project.store, first.comparison_id.slice(0, 20), {}, testSurroundings());
  assert.ok(looked.kind === "comparison");
  assert.deepEqual(looked.changed, [{
    case_id: "b",
    changes: [{ criterion: "right", change: "better" }],
    baseline_output: { answer: "wrong" },
    candidate_output: { answer: "right" },
  }]);
});

Deno.test("one name for two measures is refused; a criterion of one run alone is told", async () => {
  const project = await projectOf(["a"].map((id) => caseOf(id)));
  const baseline = await runWith(project, ["a"]);
  const [right] = project.evaluators;
  assert.ok(right !== undefined);
  const stricter = { ...right, parameters: { ...right.parameters, ignore_case: false } };
  const other = await runWith({ ...project, evaluators: [stricter] }, ["a"]);
  await assert.rejects(compareIds(project, other, baseline), /"right" is another measure in each/);
  const completed = { type: "completed", criterion: "done", parameters: {} };
  const more = await runWith({ ...project, evaluators: [right, completed] }, ["a"]);
  const { criteria_in_one } = await compareIds(project, more, baseline);
  assert.deepEqual(criteria_in_one, ["done"]);
  const none = await runWith({ ...project, evaluators: [completed] }, ["a"]);
  await assert.rejects(compareIds(project, none, baseline), /no criterion is in both/);
});

Deno.test("a policy about the candidate alone needs no baseline, any other does", async () => {
  const project = await projectOf(["a", "b"].map((id) => caseOf(id)));
  const candidate = await runWith(project, ["a", "b"]);
  const policy = "rules: [{name: share, criterion: right, test: threshold, at_least: 0.1}]";
  const { content } = await compareIds(project, candidate, undefined, policy);
  assert.deepEqual([content.baseline, content.metrics, content.gate], [null, [], "PASS"]);
  await assert.rejects(compareIds(project, candidate), /there is no baseline/);
  await assert.rejects(compareIds(project, candidate, undefined, kept), /there is no baseline/);
  await assert.rejects(compareIds(project, candidate, candidate), /with itself/);
});

Deno.test("an interrupted run is never a baseline, and as a candidate lacks its other cases", async () => {
  const project = await projectOf(Array.from({ length: 40 }, (_, at) => caseOf(`c${at}`)));
  const all = project.cases.kind === "inline" ? project.cases.cases.map(({ id }) => id) : [];
  const whole = await runWith(project, all);
  const folder = await tempFolder();
  const [header, ...cases] = await bundleOf(project, whole);
  const part = `${folder}/part.bundle`;
  const lines = [
    header?.replace('"complete"', '"interrupted"').replaceAll(whole, "r000000"),
    ...cases.slice(0, 20),
  ];
  await Deno.writeTextFile(part, lines.join("\n"));
  await assert.rejects(compareIds(project, whole, part, kept), /it is interrupted/);
  const half = "rules: [{name: share, criterion: right, test: threshold, at_least: 0.8}]";
  for (const baseline of [undefined, whole]) {
    const { content, run_notes } = await compareIds(project, part, baseline, half);
    assert.deepEqual(content.decisions.map(({ reason }) => reason), ["missing_outcomes"]);
    assert.deepEqual(run_notes, ["The candidate is interrupted: not all of its cases were executed"]);
  }
});

Deno.test("a baseline of a part of the cases gates only the same part", async () => {
  const project = await projectOf(["a", "b"].map((id) => caseOf(id)));
  const whole = await runWith(project, ["a"]);
  const set = { "params.generate.right": ["b"] };
  const part = (await run(project, { set, select: { ids: ["b"] } }, testSurroundings())).run_id;
  await assert.rejects(compareIds(project, whole, part, kept), /it ran only/);
  const { content } = await compareIds(project, whole, part);
  assert.equal(content.paired, 1);
  const again = (await run(project, { select: { ids: ["b"] } }, testSurroundings())).run_id;
  assert.equal((await compareIds(project, again, part, kept)).content.gate, "BLOCK");
});

Deno.test("a policy about unknown criteria is told at its place", async () => {
  const project = await projectOf(["a"].map((id) => caseOf(id)));
  const baseline = await runWith(project, []);
  const candidate = await runWith(project, ["a"]);
  const policy = "rules:\n  - {name: x, criterion: rihgt, test: no-regression}";
  await assert.rejects(
    compareIds(project, candidate, baseline, policy),
    /policy.yaml:2:\d+: .*did you mean "right"/s,
  );
});

Deno.test("a bundle stands for its run, in another store, to the last digit", async () => {
  const project = await projectOf(["a", "b", "c"].map((id) => caseOf(id)));
  const baseline = await runWith(project, ["a", "b"], ["c"]);
  const candidate = await runWith(project, ["a", "c"]);
  const lines = await bundleOf(project, baseline);
  const folder = await tempFolder();
  const bundle = `${folder}/baseline.bundle`;
  await Deno.writeTextFile(bundle, `${lines.join("\n")}\n`);
  const there = await compareIds(project, candidate, baseline, kept);
  const here = await compareIds(project, candidate, bundle, kept);
  assert.equal(here.comparison_id, there.comparison_id);
  const document = await inspect(project.store, here.comparison_id, {}, testSurroundings());
  assert.ok(document.kind === "comparison");
  assert.deepEqual(document.changed.map(({ candidate_output }) => candidate_output), [{ answer: "wrong" }]);
  const stored = await inspect(project.store, baseline, {}, testSurroundings());
  const bundled = await inspect(project.store, bundle, {}, testSurroundings());
  assert.ok(stored.kind === "run" && bundled.kind === "run");
  assert.deepEqual(bundled.report, stored.report);
  const [header = "", first = "", ...rest] = lines;
  const spoiled = {
    "a line of something else": [header, '{"not": "a case"}', ...rest],
    "a case twice": [header, first, first, ...rest.slice(1)],
    "a file cut short": [header, first],
    "a value beyond a share": [header, first.replace('"value":true', '"value":2'), ...rest],
    "a judgment too few": [header, first.replace(/"judgments":\[.*?\]/, '"judgments":[]'), ...rest],
  };
  for (const [what, text] of Object.entries(spoiled)) {
    await Deno.writeTextFile(bundle, text.join("\n"));
    await assert.rejects(compareIds(project, candidate, bundle), /not a bundle/, what);
  }
});

/** The lines of a stored run's bundle. */
async function bundleOf(project: Project, run_id: string): Promise<readonly string[]> {
  return await withSource(project.store, run_id, testSurroundings(), async ({ header, store }) => {
    const lines: string[] = [];
    for await (const line of bundleLines(header, store.readCases(header.run_id))) {
      lines.push(JSON.stringify(line));
    }
    return lines;
  });
}
