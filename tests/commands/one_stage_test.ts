/** Systems that answer in one stage: what they tell of themselves decides what is judged and diagnosed. */
import assert from "node:assert/strict";
import { dryRun } from "../../lib/commands/dry_run.ts";
import { diagnose } from "../../lib/commands/diagnose.ts";
import { inspect } from "../../lib/commands/inspect.ts";
import { run } from "../../lib/commands/run.ts";
import type { Progress } from "../../lib/commands/surroundings.ts";
import type { DryRun } from "../../lib/domain/dry_run.ts";
import type { Project } from "../../lib/domain/project.ts";
import type { Case } from "../../lib/domain/case.ts";
import type { Intervention } from "../../lib/domain/diagnosis.ts";
import { OloproofError } from "../../lib/domain/error.ts";
import type { Passage } from "../../lib/domain/passage.ts";
import type { PartialSettings } from "../../lib/domain/settings.ts";
import { type AnswerStage, ragSystem } from "../../lib/stages/rag_system.ts";
import { testProject, testSurroundings } from "./run_surroundings.ts";

const gold = (id: string): Passage => ({ doc_id: id, text: `the word is ${id}` });
const noise: Passage = { doc_id: "noise", text: "nothing" };

/** What is found and what is read, by the kind of case; the answer is the text of what is read. */
const worlds: Readonly<Record<string, { found: readonly Passage[]; read: number }>> = {
  right: { found: [gold("right"), noise], read: 1 },
  missed: { found: [noise], read: 1 },
  left_out: { found: [noise, gold("left_out")], read: 1 },
};

const cases: readonly Case[] = Object.keys(worlds).map((id) => ({
  id,
  input: id,
  expected: {
    word: id,
    relevant: [{ doc_id: id }],
    gold_context: [{ doc_id: id, text: `the word is ${id}` }],
  },
}));

const evaluators = [
  { type: "contains", criterion: "right", field: "text", expected_field: "word" },
  { type: "hit_rate", k: 2 },
  { type: "ndcg", k: 2 },
  { type: "citation_validity", field: "cites" },
];

/** An assistant that reports what its settings declare; its calls are counted. */
function assistant(settings: PartialSettings, overrides: Partial<AnswerStage<string>> = {}) {
  const calls: (readonly Passage[] | undefined)[] = [];
  const reports = settings.reports ?? [];
  const system = ragSystem({ name: "assistant", version: "1", ...settings }, {
    answer(input: string, { context, usage }) {
      calls.push(context);
      usage({ input_tokens: 5 });
      const { found, read } = worlds[input] ?? { found: [], read: 0 };
      const read_ = context ?? found.slice(0, read);
      return {
        output: { text: read_.map(({ text }) => text).join(" "), cites: read_.map(({ doc_id }) => doc_id) },
        ...(reports.includes("candidates") ? { candidates: found } : {}),
        ...(reports.includes("context") ? { context: read_ } : {}),
      };
    },
    ...overrides,
  });
  return { system, calls };
}

async function runOf(settings: PartialSettings, overrides: Partial<AnswerStage<string>> = {}) {
  const { system, calls } = assistant(settings, overrides);
  const project = await testProject({
    system,
    cases,
    evaluators,
    slices: ["relevant_position", "context_truncated"],
  });
  const report = await run(project, {}, testSurroundings());
  const counts = report.metrics.map(({ observed, missing, excluded }) =>
    `${observed}/${missing}/${excluded}`
  );
  return { project, report, calls, counts };
}

async function labelsOf(settings: PartialSettings, intervention: Intervention = { kind: "gold-context" }) {
  const { project, report } = await runOf({ accepts_context: true, ...settings });
  const options = { intervention, criterion: "right" };
  const diagnosis = await diagnose(project, report.run_id, options, testSurroundings());
  assert.ok(diagnosis !== undefined);
  return diagnosis.diagnosis.content.cases.map(({ case_id, label, reason, recovered }) =>
    `${case_id} ${label} ${reason}${recovered ? "" : " not recovered"}`
  );
}

async function refusalOf(settings: PartialSettings, intervention: Intervention = { kind: "gold-context" }) {
  const { project, report } = await runOf(settings);
  const options = { intervention, criterion: "right" };
  const error = await diagnose(project, report.run_id, options, testSurroundings()).then(
    () => assert.fail("it was diagnosed"),
    (cause) => cause,
  );
  assert.ok(error instanceof OloproofError);
  return `${error.code}: ${error.summary.replace(report.run_id, "RUN")}`;
}

Deno.test("what a system does not report excludes what needs it, and nothing else", async () => {
  assert.deepEqual((await runOf({})).counts, ["3/0/0", "0/0/3", "0/0/3", "0/0/3"]);
  assert.deepEqual((await runOf({ reports: ["context"] })).counts, ["3/0/0", "0/0/3", "0/0/3", "3/0/0"]);
  assert.deepEqual((await runOf({ reports: ["candidates"] })).counts, ["3/0/0", "3/0/0", "3/0/0", "0/0/3"]);
  assert.deepEqual((await runOf({ reports: ["context", "candidates"] })).counts, Array(4).fill("3/0/0"));
});

Deno.test("without a single ranking, what reads positions is excluded", async () => {
  const { counts, report } = await runOf({ reports: ["candidates"], ranked: false });
  assert.deepEqual(counts, ["3/0/0", "3/0/0", "0/0/3", "0/0/3"]);
  assert.deepEqual(
    report.absences.map(({ criterion, reason }) => `${criterion} ${reason}`),
    ["ndcg_at_2 no_single_ranking", "citations_valid system_reports_no_context"],
  );
  assert.deepEqual(report.slices.map(({ slice, value }) => `${slice}=${value}`), [
    "relevant_position=no_single_ranking",
    "context_truncated=absent",
  ]);
});

Deno.test("a declared part that an answer lacks is missing in that answer", async () => {
  const overrides: Partial<AnswerStage<string>> = {
    answer: (input) => ({
      output: { text: input, cites: [] },
      ...(input === "right" ? { context: [noise], candidates: [noise] } : {}),
    }),
  };
  const { counts, report } = await runOf({ reports: ["candidates", "context"] }, overrides);
  assert.deepEqual(counts, ["3/0/0", "1/2/0", "1/2/0", "1/2/0"]);
  assert.deepEqual(new Set(report.absences.map(({ reason }) => reason)), new Set(["not_reported"]));
  assert.equal(report.funnel.cases, 1);
});

Deno.test("one call a case; the second run makes none and has the same figures", async () => {
  const { project, report, calls } = await runOf({ reports: ["candidates", "context"] });
  assert.equal(calls.length, 3);
  assert.deepEqual(report.stages, { answer: { hit: 0, miss: 3 } });
  assert.equal(report.usage.answer?.calls, 3);
  assert.deepEqual(report.usage.answer?.usage, { input_tokens: 15 });
  const again = await run(project, {}, testSurroundings());
  assert.equal(calls.length, 3);
  assert.deepEqual(again.stages, { answer: { hit: 3, miss: 0 } });
  assert.deepEqual(again.cache.judgment, { hit: 12, miss: 0 });
  assert.deepEqual([again.metrics, again.slices, again.funnel], [
    report.metrics,
    report.slices,
    report.funnel,
  ]);
  assert.equal(again.usage.answer?.calls, 0);
});

Deno.test("one stage is dry-run, resumed and retried like two", async () => {
  const { system, calls } = assistant({ reports: ["candidates", "context"] }, {});
  const project = await testProject({ system, cases, evaluators });
  assert.deepEqual((await planned(project)).calls, { answer: { calls: 3, at_most: false } });
  const stop = new AbortController();
  const onProgress = ({ done }: Progress) => done === 1 && stop.abort();
  const killed = await run(project, { concurrency: 1 }, testSurroundings({ stop: stop.signal, onProgress }));
  assert.deepEqual([killed.status, killed.cases], ["interrupted", 1]);
  const resumed = await run(project, { resume: killed.run_id }, testSurroundings());
  assert.deepEqual([resumed.status, resumed.cases, calls.length], ["complete", 3, 3]);
  assert.deepEqual(resumed.stages, { answer: { hit: 0, miss: 3 } });
  assert.deepEqual(resumed.usage.answer?.usage, { input_tokens: 15 });
  assert.deepEqual((await planned(project)).calls, { answer: { calls: 0, at_most: false } });
});

Deno.test("a retry carries the answers of one stage that did not fail", async () => {
  let down = true;
  const overrides: Partial<AnswerStage<string>> = {
    answer(input) {
      if (down && input === "missed") throw new Error("down");
      return { output: { text: input, cites: [] } };
    },
  };
  const { project, report } = await runOf({}, overrides);
  assert.equal(report.failures.length, 1);
  down = false;
  const retried = await run(project, { retry_failed: report.run_id }, testSurroundings());
  assert.deepEqual(retried.stages, { answer: { hit: 2, miss: 1 } });
  assert.deepEqual([retried.retry?.carried, retried.retry?.executed, retried.failures], [2, 1, []]);
});

async function planned(project: Project): Promise<DryRun> {
  return await dryRun(project, {}, testSurroundings()) ?? assert.fail("it was interrupted");
}

Deno.test("what is recorded is what the system told, dropped candidates included where both parts are told", async () => {
  const { project, report } = await runOf({ reports: ["candidates", "context"] });
  const looked = await inspect(project.store, report.run_id, { case: "left_out" }, testSurroundings());
  assert.ok(looked.kind === "case");
  assert.deepEqual(looked.found.record.dropped, [
    { position: 2, doc_id: "left_out", reason: "left_out_by_system" },
  ]);
  const alone = await runOf({ reports: ["context"] });
  const found = await inspect(alone.project.store, "latest", { case: "left_out" }, testSurroundings());
  assert.ok(found.kind === "case");
  assert.ok(!("dropped" in found.found.record) && !("candidates" in found.found.record));
  assert.deepEqual(found.found.record.context, [noise]);
});

const wrong: readonly (readonly [name: string, answer: unknown, message: RegExp])[] = [
  ["no output", {}, /returned an object; it returns \{ output, candidates\?, context\? \}/],
  ["a text alone", "blue", /returned "blue"; it returns/],
  ["another key", { output: 1, sources: [] }, /unknown key "sources"/],
  [
    "a part that is not declared",
    { output: 1, candidates: [] },
    /candidates, which .* "reports" does not declare/,
  ],
  ["a part that is no list", { output: 1, context: "a" }, /returned "a" as context/],
  ["a passage without an id", { output: 1, context: [{}] }, /context\[0\]\.doc_id is undefined/],
];
for (const [name, answer, message] of wrong) {
  Deno.test(`an invalid output: ${name}`, async () => {
    const { report } = await runOf({ reports: ["context"] }, { answer: () => answer as never });
    assert.deepEqual(
      report.failures.map(({ stage, kind }) => `${stage} ${kind}`),
      Array(3).fill("answer invalid_output"),
    );
    assert.match(report.failures[0]?.message ?? "", message);
    assert.deepEqual(report.stages, { answer: { hit: 0, miss: 3 } });
  });
}

Deno.test("the depth, where one is stated, holds", async () => {
  const { report } = await runOf({ reports: ["candidates"], depth: 1 }).catch((cause) => cause);
  assert.equal(report, undefined, "k 2 is beyond the depth 1");
  const deep = { answer: () => ({ output: { text: "" }, candidates: [noise, noise, noise] }) };
  const found = await runOf({ reports: ["candidates"], depth: 2 }, deep);
  assert.match(found.report.failures[0]?.message ?? "", /3 candidates; depth is 2/);
});

Deno.test("diagnosis: both parts told, the context alone, the candidates alone, nothing", async () => {
  assert.deepEqual(await labelsOf({ reports: ["candidates", "context"] }), [
    "left_out CONTEXT_ASSEMBLY_LOSS relevant_left_out_of_context",
    "missed RETRIEVAL_MISS relevant_not_retrieved",
  ]);
  assert.deepEqual(await labelsOf({ reports: ["candidates", "context"], top_k: 1 }), [
    "left_out RANKED_OUT relevant_below_top_k",
    "missed RETRIEVAL_MISS relevant_not_retrieved",
  ]);
  assert.deepEqual(await labelsOf({ reports: ["context"] }), [
    "left_out CONTEXT_MISS relevant_not_in_context",
    "missed CONTEXT_MISS relevant_not_in_context",
  ]);
  assert.deepEqual(await labelsOf({ reports: ["candidates"] }), [
    "left_out INCONCLUSIVE context_not_reported",
    "missed RETRIEVAL_MISS relevant_not_retrieved",
  ]);
  assert.deepEqual(await labelsOf({}), [
    "left_out INCONCLUSIVE context_not_reported",
    "missed INCONCLUSIVE context_not_reported",
  ]);
});

Deno.test("diagnosis: a replay hands over the recorded candidates, its control the recorded context", async () => {
  const { project, report, calls } = await runOf({
    reports: ["candidates", "context"],
    accepts_context: true,
  });
  const options = { intervention: { kind: "top-k", top_k: 2 } as const, criterion: "right" };
  const diagnosis = await diagnose(project, report.run_id, options, testSurroundings());
  assert.deepEqual(
    diagnosis?.diagnosis.content.cases.map(({ case_id, recovered }) => `${case_id} ${recovered}`),
    ["left_out true", "missed false"],
  );
  const given = calls.map((context) => context?.map(({ doc_id }) => doc_id).join(" ")).filter((ids) =>
    ids !== undefined
  );
  assert.deepEqual(given.sort(), ["left_out", "missed", "noise", "noise", "noise", "noise left_out"]);
});

Deno.test("diagnosis: a system that answers from something else than it is given is not labelled", async () => {
  const deaf = {
    answer: () => ({ output: { text: "nothing", cites: [] }, context: [noise] }),
  };
  const { project, report } = await runOf({ reports: ["context"], accepts_context: true }, deaf);
  const options = { intervention: { kind: "gold-context" } as const, criterion: "right" };
  const diagnosis = await diagnose(project, report.run_id, options, testSurroundings());
  assert.deepEqual(
    new Set(diagnosis?.diagnosis.content.cases.map(({ reason }) => reason)),
    new Set(["gold_run_failed"]),
  );
});

Deno.test("diagnosis: what cannot be given a context, or replayed, is refused with the reason", async () => {
  assert.match(
    await refusalOf({ reports: ["context"] }),
    /^not_diagnosable: Cannot diagnose RUN: .* accepts no context/,
  );
  const top_k = { kind: "top-k", top_k: 2 } as const;
  assert.match(
    await refusalOf({ reports: ["context"], accepts_context: true }, top_k),
    /needs the candidates/,
  );
  assert.match(
    await refusalOf({ reports: ["candidates"], accepts_context: true }, top_k),
    /how many candidates enter its context is not known/,
  );
  assert.match(
    await refusalOf({ reports: ["candidates", "context"], accepts_context: true }, {
      kind: "reranker",
      reranker: "x:y",
    }),
    /how many candidates enter its context is not known/,
  );
});

Deno.test("one stage and two together are no system", () => {
  const both = { answer: () => ({ output: 1 }), retrieve: () => ({ candidates: [] }) };
  assert.throws(() => ragSystem({}, both as never), /it has "answer" and "retrieve"/);
});
