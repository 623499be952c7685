/** Policies on judged criteria: who may gate, with which margin, and what is planned for. */
import assert from "node:assert/strict";
import { pathToFileURL } from "node:url";
import { createClient } from "@libsql/client";
import { calibrate } from "../../lib/commands/calibrate.ts";
import { compareRuns } from "../../lib/commands/compare_runs.ts";
import { evaluatorVersions } from "../../lib/commands/judging_evaluators.ts";
import { openProject } from "../../lib/commands/open_project.ts";
import { planProject } from "../../lib/commands/plan_for.ts";
import { readPolicy } from "../../lib/commands/read_policy.ts";
import { run } from "../../lib/commands/run.ts";
import { validate } from "../../lib/commands/validate.ts";
import type { Project } from "../../lib/domain/project.ts";
import { comparisonText } from "../../lib/report/comparison_text.ts";
import { faultOf, folderOf, writeInto } from "../system/project_folder.ts";
import { testSurroundings } from "./run_surroundings.ts";

const yaml = (judge: string, more = "") =>
  `system: {rag: {object: "app:s"}}
evaluators:
  - {type: judge, criterion: kind, provider: object, object: "${judge}", rubric: Be kind., field: answer${more}}
`;

const policy = (terms: string, rule = "test: non-inferiority, margin: 20") =>
  `rules: [{name: still-kind, criterion: kind, ${rule}}]\n${terms}`;

const TERMS = "judges: {kind: {min_sensitivity: 0.8, min_specificity: 0.8, min_labels: 40}}\n";

let projects = 0;

/** Sixty cases; a judge that finds kind what is "kind", and of 20 kind and 20 other labels gets all right but `errors`. */
async function gated(errors = 0) {
  const mark = `\n// gate ${++projects}\n`;
  const labels = Array.from({ length: 40 }, (_, index) => {
    const kind = index % 2 === 0;
    const answer = `${kind !== index < errors ? "kind" : "rude"} ${index}`;
    return { record: { case_id: `l${index}`, output: { answer } }, label: kind ? "pass" : "fail" };
  });
  const folder = await folderOf({
    "oloproof.yaml": yaml("judge:byWord"),
    "app.js": `import { ragSystem } from "oloproof";
      export const s = ragSystem({ name: "s", version: "1", depth: 1, top_k: 1, index_version: "i" }, {
        retrieve: () => ({ candidates: [] }),
        generate: (input, _context, { params }) => ({ answer: params.rude ? "rude" : "kind" }),
      });${mark}`,
    "judge.js": `export const byWord = ({ answer }) =>
        ({ verdict: answer.startsWith("kind") ? "pass" : "fail", reason: "" });${mark}`,
    "cases.jsonl": Array.from({ length: 60 }, (_, n) => JSON.stringify({ id: `c${n}`, input: n })).join("\n"),
    "labels.jsonl": labels.map((label) => JSON.stringify(label)).join("\n"),
  });
  const project = await openProject(folder, { cwd: folder });
  const baseline = await run(project, {}, testSurroundings());
  const candidate = await run(project, { set: { version: "2" } }, testSurroundings());
  const rude = await run(project, { set: { "params.generate.rude": true } }, testSurroundings());
  const compare = async (text: string, id = candidate.run_id) => {
    await writeInto(folder, { "policy.yaml": text });
    const file = await readPolicy("policy.yaml", undefined, folder);
    return await compareRuns(
      project.store,
      { candidate: id, baseline: baseline.run_id, policy: file },
      testSurroundings(),
    );
  };
  const decide = async (...given: Parameters<typeof compare>) => {
    const { content } = await compare(...given);
    const [decision] = content.decisions;
    return [decision?.decision, decision?.reason, content.gate].join(" ");
  };
  const measure = (of: Project = project) =>
    calibrate(of, { criterion: "kind", labels: "labels.jsonl", repeats: 1 }, testSurroundings());
  return { folder, project, rude: rude.run_id, compare, decide, measure };
}

const REFUSED = "INSUFFICIENT_EVIDENCE judge_not_qualified BLOCK";

Deno.test("a judge gates once it was measured, with the margin that its errors leave", async () => {
  const { compare, decide, measure, rude } = await gated();
  assert.equal(await decide(policy(TERMS)), REFUSED);
  await measure();
  assert.equal(await decide(policy(TERMS)), "PASS interval_clears_margin PASS");
  assert.equal(await decide(policy(TERMS), rude), "FAIL interval_beyond_margin BLOCK");
  const comparison = await compare(policy(TERMS));
  const [decision] = comparison.content.decisions;
  const [licence] = comparison.content.judges ?? [];
  assert.equal(licence?.labels, 40);
  assert.equal(decision?.margin_points, 20);
  assert.equal(decision?.shrunk_margin_points, 20 * (licence?.margin_factor ?? 0));
  const text = comparisonText(comparison);
  assert.match(text, /margin 20\.0 points \(13\.2 through its judge\)/);
  assert.match(
    text,
    /20\.0 points × 0\.663 = 13\.2 points decide, assuming that it errs equally on both runs/,
  );
});

Deno.test("a margin that is clear without the judge's errors may not be clear with them", async () => {
  const { decide, measure } = await gated();
  await measure();
  const clear = policy(TERMS, "test: non-inferiority, margin: 10");
  assert.equal(await decide(clear), "INSUFFICIENT_EVIDENCE interval_overlaps_margin BLOCK");
});

Deno.test("without terms, or with terms that are not met, the judge is refused", async () => {
  const { decide, measure, compare } = await gated(3);
  await measure();
  assert.equal(await decide(policy("")), REFUSED);
  assert.equal(await decide(policy(TERMS)), REFUSED);
  const text = comparisonText(await compare(policy(TERMS)));
  assert.match(text, /the lower bound of its sensitivity is 68\.3%, under 80% \(\d+ more labelled passes/);
  const lenient = "judges: {kind: {min_sensitivity: 0.6, min_specificity: 0.6, min_labels: 40}}\n";
  assert.match(await decide(policy(lenient)), /^(PASS|INSUFFICIENT_EVIDENCE) interval_/);
  const more = "judges: {kind: {min_sensitivity: 0.6, min_specificity: 0.6, min_labels: 41}}\n";
  assert.equal(await decide(policy(more)), REFUSED);
});

Deno.test("undecided is not passed: only a policy that allows it lets a refused judge through", async () => {
  const { decide } = await gated();
  assert.equal(
    await decide(policy(`${TERMS}on_insufficient: allow\n`)),
    "INSUFFICIENT_EVIDENCE judge_not_qualified NOT_BLOCKED",
  );
});

Deno.test("a rate is biased whoever judges it", async () => {
  const { decide, measure } = await gated();
  const biased = "INSUFFICIENT_EVIDENCE judge_rate_is_biased BLOCK";
  for (const rule of ["test: threshold, at_least: 0.1", "test: suite-threshold, at_least: 0.1"]) {
    assert.equal(await decide(policy(TERMS, rule)), biased);
  }
  await measure();
  assert.equal(await decide(policy(TERMS, "test: threshold, at_least: 0.1")), biased);
});

Deno.test("another parameter, or other code, is another judge", async () => {
  const { folder, project, measure } = await gated();
  await measure();
  const licences = async () => {
    await writeInto(folder, { "policy.yaml": policy(TERMS) });
    const file = await readPolicy("policy.yaml", undefined, folder);
    const again = await openProject(folder, { cwd: folder });
    return (await planProject(file, again, [], testSurroundings())).judges?.map(({ problem }) => problem);
  };
  assert.deepEqual(await licences(), [null]);
  await writeInto(folder, { "oloproof.yaml": yaml("judge:byWord", ", temperature: 0.5") });
  assert.match(String(await licences()), /never measured/);
  await writeInto(folder, { "oloproof.yaml": yaml("judge:byWord") });
  assert.deepEqual(await licences(), [null]);
  await Deno.writeTextFile(`${folder}/judge.js`, "// other code\n", { append: true });
  assert.match(String(await licences()), /never measured/);
  assert.equal(project.evaluators.length, 1);
});

Deno.test("the newest calibration counts, not the best", async () => {
  const { folder, decide, measure } = await gated();
  await measure();
  assert.equal(await decide(policy(TERMS)), "PASS interval_clears_margin PASS");
  const lines = (await Deno.readTextFile(`${folder}/labels.jsonl`)).split("\n");
  await writeInto(folder, { "labels.jsonl": lines.slice(0, 30).join("\n") });
  assert.equal((await measure())?.earlier, 1);
  assert.equal(await decide(policy(TERMS)), REFUSED);
});

Deno.test("a calibration that was edited in the store opens nothing, until the judge is measured again", async () => {
  const { project, compare, decide, measure } = await gated(6);
  const lenient = policy("judges: {kind: {min_sensitivity: 0.5, min_specificity: 0.5, min_labels: 40}}\n");
  await measure();
  const edit = async (sql: string) => {
    const client = createClient({ url: pathToFileURL(project.store).href });
    const { rowsAffected } = await client.execute(sql);
    client.close();
    assert.equal(rowsAffected, 1);
  };
  // As many right verdicts as it takes, in the figures alone.
  await edit(`UPDATE documents SET content = json_set(content, '$.figures.table.human_fail_judge_pass', 0,
    '$.figures.table.human_fail_judge_fail', 20) WHERE kind = 'calibration'`);
  assert.equal(await decide(lenient), REFUSED);
  const [licence] = (await compare(lenient)).content.judges ?? [];
  assert.match(licence?.problem ?? "", /was changed since it was made/);
  assert.equal(licence?.calibration_id, null);
  await measure();
  assert.doesNotMatch(await decide(lenient), /judge_not_qualified/);
});

Deno.test("verdicts under another version of the prompt are of another judge", async () => {
  const { project, compare, decide, measure } = await gated();
  await measure();
  const judgedUnder = async (version: number, which: string) => {
    const client = createClient({ url: pathToFileURL(project.store).href });
    await client.execute({
      sql: `UPDATE runs SET header = json_set(header, '$.evaluator_versions.kind', ?) WHERE ${which}`,
      args: [version],
    });
    client.close();
  };
  const { kind = 0 } = evaluatorVersions(project.evaluators);
  assert.equal(await decide(policy(TERMS)), "PASS interval_clears_margin PASS");
  // Both runs were judged under an earlier one: they can be compared, but nobody measured that judge.
  await judgedUnder(kind - 1, "TRUE");
  assert.equal(await decide(policy(TERMS)), REFUSED);
  // Only one was: the figures of one name are of two measures.
  await judgedUnder(kind, "number = 1");
  assert.equal((await faultOf(compare(policy(TERMS)))).code, "criterion_differs");
});

Deno.test("validate and run say that a judge may not gate, and stop saying so", async () => {
  const { folder, project, measure } = await gated();
  await writeInto(folder, { "compare.yaml": policy(TERMS) });
  const codes = async () => {
    const [{ notices }, report] = [
      await validate(project, testSurroundings()),
      await run(project, {}, testSurroundings()),
    ];
    return [notices, report.notices].map((list) => list.map(({ code }) => code));
  };
  assert.deepEqual(await codes(), [["judge_may_not_gate"], ["judge_may_not_gate"]]);
  await measure();
  assert.deepEqual(await codes(), [[], []]);
});

Deno.test("terms for what is not judged are a mistake of the policy", async () => {
  const { compare } = await gated();
  const wrong = TERMS.replace("kind:", "knd:");
  assert.equal((await faultOf(compare(policy(wrong)))).code, "unknown_criterion");
});

Deno.test("a plan takes the shrunk margin, and says what no number of cases can do", async () => {
  const { folder, project, measure } = await gated();
  const planned = async (text: string) => {
    await writeInto(folder, { "policy.yaml": text });
    const file = await readPolicy("policy.yaml", undefined, folder);
    const [rule] = (await planProject(file, project, [0.05], testSurroundings())).rules;
    return rule;
  };
  assert.equal((await planned(policy(TERMS)))?.refused, "judge_not_qualified");
  await measure();
  const shrunk = await planned(policy(TERMS));
  assert.equal(shrunk?.refused, undefined);
  assert.ok((shrunk?.shrunk_margin_points ?? 20) < 14);
  // As many cases as an unjudged rule of that margin would need.
  assert.ok((shrunk?.needed_at_best ?? 0) > 30);
  const biased = await planned(policy(TERMS, "test: threshold, at_least: 0.5"));
  assert.deepEqual([biased?.refused, biased?.needed_at_best, biased?.too_few], [
    "judge_rate_is_biased",
    null,
    false,
  ]);
});
