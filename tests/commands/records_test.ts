/** Recorded outputs: checked before anything runs, replayed without calling anything. */
import assert from "node:assert/strict";
import { dryRun } from "../../lib/commands/dry_run.ts";
import { exportCases } from "../../lib/commands/export.ts";
import { openProject } from "../../lib/commands/open_project.ts";
import { run } from "../../lib/commands/run.ts";
import { validate } from "../../lib/commands/validate.ts";
import { OloproofError } from "../../lib/domain/error.ts";
import { caseLine } from "../../lib/report/case_line.ts";
import { tempFolder } from "../temp_folder.ts";
import { testSurroundings } from "./run_surroundings.ts";

const CASES = ["a", "b", "c"].map((id) =>
  JSON.stringify({ id, input: `say ${id}`, expected: { answer: id, relevant: [{ doc_id: id }] } })
);

/** A project of recorded outputs; each record is a line. */
async function projectOf(records: readonly string[], rag = "") {
  const folder = await tempFolder();
  await Deno.writeTextFile(`${folder}/cases.jsonl`, CASES.join("\n"));
  await Deno.writeTextFile(`${folder}/records.jsonl`, records.join("\n"));
  await Deno.writeTextFile(
    `${folder}/oloproof.yaml`,
    `system: {name: log, version: "1", rag: {records: records.jsonl${rag}}}
evaluators:
  - {type: equals, field: answer, expected_field: answer}
  - {type: hit_rate, k: 1}
  - {type: citation_validity}
`,
  );
  return await openProject(folder, { cwd: folder });
}

async function mistakesOf(records: readonly string[], rag = ""): Promise<readonly string[]> {
  const error = await projectOf(records, rag).then((project) => run(project, {}, testSurroundings())).then(
    () => assert.fail("it ran"),
    (cause) => cause,
  );
  assert.ok(error instanceof OloproofError);
  return error.issues.map(({ line, message }) => `${line}: ${message}`);
}

const record = (case_id: string, rest: object = { output: { answer: case_id } }) =>
  JSON.stringify({ case_id, ...rest });

Deno.test("records are judged like answers; a case without one, or with an error, is missing and never wrong", async () => {
  const project = await projectOf([record("b", { output: { answer: "x" } }), record("a", { error: "down" })]);
  const report = await run(project, {}, testSurroundings());
  assert.deepEqual(report.metrics.map(({ observed, missing, excluded }) => [observed, missing, excluded]), [
    [1, 2, 0],
    [0, 0, 3],
    [0, 0, 3],
  ]);
  assert.equal(report.metrics[0]?.estimate, 0);
  assert.deepEqual(
    report.failures.map(({ case_id, stage, kind, message }) => [case_id, stage, kind, message]),
    [
      ["a", "answer", "exception", "down"],
      ["c", "answer", "not_recorded", "the records hold no output for this case"],
    ],
  );
  assert.deepEqual(report.stages, {});
});

Deno.test("what any record tells is what records report; another one that lacks it is missing", async () => {
  const project = await projectOf([
    record("a", {
      output: { answer: "a", citations: ["a"] },
      candidates: [{ doc_id: "a" }],
      context: [{ doc_id: "a" }],
    }),
    record("b"),
    record("c", { output: null, usage: { input_tokens: 3, cost_usd: 0.5 } }),
  ]);
  const report = await run(project, {}, testSurroundings());
  assert.deepEqual(report.system.reports, ["candidates", "context"]);
  assert.deepEqual(report.metrics.map(({ observed, missing }) => [observed, missing]), [[2, 1], [1, 2], [
    1,
    2,
  ]]);
  assert.deepEqual(report.usage.answer, {
    calls: 0,
    latency_p50_ms: null,
    latency_p95_ms: null,
    usage: { input_tokens: 3, cost_usd: 0.5 },
  });
});

Deno.test("an unchanged record is found again; a changed one is judged anew", async () => {
  const project = await projectOf([record("a"), record("b"), record("c")]);
  await run(project, {}, testSurroundings());
  const again = await run(project, {}, testSurroundings());
  assert.deepEqual(again.cache, { execution: { hit: 3, miss: 0 }, judgment: { hit: 9, miss: 0 } });
  assert.deepEqual(again.notices, []);
  await Deno.writeTextFile(
    `${project.root}/records.jsonl`,
    [record("c"), record("b", { output: 1 }), record("a")].join("\n"),
  );
  const changed = await run(project, {}, testSurroundings());
  assert.deepEqual(changed.cache.execution, { hit: 2, miss: 1 });
});

Deno.test("an exported run is a file of records with the same figures", async () => {
  const project = await projectOf([
    record("a", { output: { answer: "a" }, candidates: [{ doc_id: "a", text: "ä\u2028" }] }),
    record("b", { error: { stage: "generate", kind: "timeout", message: "late" } }),
    record("c", { output: null }),
  ]);
  const report = await run(project, {}, testSurroundings());
  const lines: string[] = [];
  for await (const { run: header, stored } of exportCases(project.store, report.run_id, testSurroundings())) {
    lines.push(JSON.stringify(caseLine(header, stored)));
  }
  const copy = await run(await projectOf(lines), {}, testSurroundings());
  assert.deepEqual([copy.metrics, copy.failures], [report.metrics, report.failures]);
});

Deno.test("a record of another input than the case has now is not taken for it", async () => {
  const project = await projectOf([
    record("a", { input: "say A", output: 1 }),
    record("b", { input: "say b", output: 1 }),
  ]);
  const { failures } = await run(project, { select: { ids: ["a", "b"] } }, testSurroundings());
  assert.deepEqual(failures.map(({ case_id, message }) => [case_id, message]), [
    ["a", "the record is of another input than the case has now"],
  ]);
});

Deno.test("every mistake of a file of records is told with its line, before anything runs", async () => {
  assert.deepEqual(
    await mistakesOf([
      "\ufeff" + record("a"),
      '{"case_id":"b","output":NaN}',
      record("a"),
      "",
      record("", { output: 1 }),
      record("c", {}),
      record("c", { output: 1, error: "x" }),
      record("c", { output: 1, score: 3 }),
      record("c", { output: 1, candidates: [{ id: 3 }] }),
      record("c", { output: 1, usage: { tokens: 3 } }),
      record("c", { error: { message: 3 } }),
      record("c", { output: 1, repeat: 2 }),
      "[1]",
    ]),
    [
      '2: Invalid JSON: NaN is not a JSON number; write null or leave the key out, near …se_id":"b","output":NaN}',
      '3: The case "a" has a record on line 1 already',
      "5: The record does not fit: a record has no case_id; it is the id of a case, a text of one character or more",
      "6: The record does not fit: a record has neither output nor error",
      "7: The record does not fit: a record has output and error; it has one of the two",
      '8: The record does not fit: a record has the unknown key "score"; its keys are case_id, input, output, error, candidates, context, usage',
      '9: The record does not fit: candidates[0] has the unknown key "id"; its keys are doc_id, chunk_id, score, text, metadata; other data belongs under metadata',
      "10: The record does not fit: usage is no { input_tokens, output_tokens, cost_usd, first_token_ms } of numbers ≥ 0",
      "11: The record does not fit: error is no failure; it is a message, or { stage, kind, message } as an export has it",
      "12: The record does not fit: a record of a repeat; recorded outputs hold one output a case",
      "13: The record does not fit: a record is an object: { case_id, output | error, … }",
    ],
  );
  assert.deepEqual(await mistakesOf([record("a", { output: 1, context: [] })], ", reports: []"), [
    '1: The record does not fit: answer returned context, which the system\'s setting "reports" does not declare',
  ]);
});

Deno.test("recorded outputs call nothing in a dry run, either, and do not repeat", async () => {
  const project = await projectOf([record("a"), record("b")]);
  const planned = await dryRun(project, {}, testSurroundings());
  assert.deepEqual([planned?.calls, planned?.executions.to_execute], [{}, 3]);
  await assert.rejects(run(project, { repeats: 3 }, testSurroundings()), /they hold one output a case/);
});

Deno.test("validate counts the cases that have a record, and the records of no case", async () => {
  const project = await projectOf([record("a"), record("b"), record("C"), record("zzz")]);
  const { records, notices } = await validate(project, testSurroundings());
  assert.deepEqual(records, { cases: 2, unused: 2 });
  assert.deepEqual(notices.filter(({ code }) => code === "records_of_no_case"), [{
    severity: "notice",
    code: "records_of_no_case",
    message: '2 records are of no case, the first is that of "C"',
    hint: 'did you mean "c"?',
  }]);
});
