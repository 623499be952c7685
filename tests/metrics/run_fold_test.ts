import assert from "node:assert/strict";
import fc from "fast-check";
import type { JsonObject } from "../../lib/domain/json.ts";
import { excluded, missing, observed } from "../../lib/domain/judgment.ts";
import type { RunHeader } from "../../lib/domain/run.ts";
import type { Notice } from "../../lib/domain/run_report.ts";
import { RunFold } from "../../lib/metrics/run_fold.ts";
import { headerOf } from "../store/run_in_store.ts";
import { evaluator, type Finished, finishedCase, passages, relevant } from "./judged_case.ts";

function reportOf(cases: readonly Finished[], change: Partial<RunHeader> = {}) {
  const fold = new RunFold(headerOf("run_A", { evaluators: [evaluator("contains")], slices: [], ...change }));
  for (const finished of cases.map(finishedCase)) fold.add(finished);
  return fold.report();
}

/** The notice of a code, if the report has it. */
function noticeOf(
  code: string,
  cases: readonly Finished[],
  change: Partial<RunHeader> = {},
): Notice | undefined {
  return reportOf(cases, change).notices.find((notice) => notice.code === code);
}

const failed = { stage: "generate", kind: "timeout", message: "late" } as const;
const labelledA: Finished = { expected: relevant("doc-a"), candidates: passages("chunk-1", "chunk-2") };

Deno.test("RunFold: a report tells of the run what its header tells", () => {
  const header = headerOf("run_A", { name: "before", selection: ["--limit 3"], cases: 9 });
  const report = new RunFold(header).report();
  assert.equal(report.run_id, "run_A");
  assert.equal(report.name, "before");
  assert.equal(report.status, "running");
  assert.deepEqual(report.system, { ...header.system, source_digest: "d1" });
  assert.deepEqual([report.cases, report.planned_cases], [0, 9]);
  assert.deepEqual(report.selection, ["--limit 3"]);
  assert.equal(new RunFold(headerOf("run_B")).report("interrupted").name, null);
  assert.equal(new RunFold(header).report("interrupted").status, "interrupted");
});

Deno.test("RunFold: criteria that failed somewhere, in the order of the evaluators", () => {
  const evaluators = ["contains", "hit_rate", "ndcg", "completed"].map((type) => evaluator(type));
  const report = reportOf([
    { judgments: [observed(true), observed(true), observed(0), observed(false)] },
    { judgments: [missing("a"), observed(false), observed(1), observed(true)] },
  ], { evaluators });
  assert.deepEqual(report.failed_criteria, ["hit_rate", "completed"]);
  assert.deepEqual(report.pass_fail_criteria, ["contains", "hit_rate", "completed"]);
});

Deno.test("RunFold: any order of cases gives the same report", () => {
  const judgment = fc.constantFrom(
    observed(true),
    observed(false),
    observed(0.3),
    missing("x"),
    excluded("y"),
  );
  const given = fc.record({
    topic: fc.constantFrom("a", "b", "c"),
    document: fc.constantFrom("x", "y", "z"),
    label: fc.constantFrom("x", "w"),
    field: fc.constantFrom("answer", "text"),
    latency_ms: fc.integer({ min: 1, max: 50 }),
    judgment,
    fails: fc.boolean(),
  });
  const run = (cases: readonly (Finished & { readonly ordinal: number })[]) =>
    reportOf(cases, { slices: ["metadata.topic", "relevant_position"], min_slice_support: 2 });
  const shuffled = fc.array(given, { maxLength: 12 }).map((all) =>
    all.map(({ topic, document, label, field, latency_ms, judgment, fails }, ordinal) => ({
      id: `case ${ordinal}`,
      ordinal,
      metadata: { topic },
      expected: relevant(label),
      ...(fails ? { error: failed } : {}),
      candidates: passages(document),
      context: passages(document),
      output: { [field]: "a" },
      judgments: [judgment],
      cache: { execution: "miss", retrieve: "miss" } as const,
      costs: { retrieve: { latency_ms } },
    }))
  ).chain((cases) => fc.tuple(fc.constant(cases), fc.shuffledSubarray(cases, { minLength: cases.length })));
  fc.assert(
    fc.property(shuffled, ([cases, others]) => {
      assert.deepEqual(run(others), run(cases));
    }),
    { seed: 20260917 },
  );
});

Deno.test("RunFold: the repeats of a case are averaged, and the case is counted once they are all there", () => {
  const change = { evaluators: [evaluator("contains"), evaluator("recall")], repeats: 2 };
  const half = (ordinal: number, repeat: number, passed: boolean): Finished => ({
    ordinal,
    repeat,
    expected: relevant("a"),
    candidates: passages("a"),
    context: passages("a"),
    judgments: [observed(passed), observed(Number(passed))],
  });
  const report = reportOf([
    half(1, 2, true),
    half(0, 1, true),
    half(1, 1, true),
    half(0, 2, false),
    half(2, 1, true),
  ], change);
  assert.equal(report.cases, 2);
  const told = report.metrics.map(({ kind, estimate, observed }) => [kind, estimate, observed]);
  assert.deepEqual(told, [["mean", 0.75, 2], ["mean", 0.75, 2]]);
  assert.equal(report.funnel.cases, 2);
  assert.equal(report.cache.execution.miss, 5);
});

Deno.test("RunFold: a case of which one repeat is missing is missing, not the mean of the others", () => {
  const repeats = [observed(true), missing("execution_failed"), observed(true)];
  const cases = repeats.map((judgment, index): Finished => ({ repeat: index + 1, judgments: [judgment] }));
  const [metric] = reportOf(cases, { repeats: 3 }).metrics;
  assert.deepEqual([metric?.observed, metric?.missing], [0, 1]);
});

Deno.test("RunFold: of a repeated case verdicts, fields and ids are there when any repeat has them", () => {
  const evaluators = [evaluator("contains", { field: "answer" })];
  const hidden: Finished = { ...labelledA, output: {}, judgments: [missing("output_field_absent")] };
  const shown: Finished = { output: { answer: "a" }, judgments: [observed(false)] };
  const cases = [0, 1].flatMap((ordinal) => [
    { ...hidden, ordinal, repeat: 2 },
    { ...hidden, ...shown, ordinal, repeat: 1, candidates: passages(ordinal === 0 ? "doc-a" : "chunk-1") },
  ]);
  const report = reportOf(cases, { evaluators, repeats: 2 });
  assert.deepEqual([report.pass_fail_criteria, report.failed_criteria], [["contains"], ["contains"]]);
  assert.deepEqual(report.notices, []);
  const never = cases.map((one) => ({ ...hidden, ordinal: one.ordinal, repeat: one.repeat }));
  assert.deepEqual(reportOf(never, { evaluators, repeats: 2 }).notices.map(({ code }) => code), [
    "no_labelled_id_retrieved",
    "output_field_absent",
  ]);
  // One case is no ground for the first of them, however often it is executed.
  const one = never.filter(({ ordinal }) => ordinal === 0);
  assert.deepEqual(reportOf(one, { evaluators, repeats: 2 }).notices.map(({ code }) => code), [
    "output_field_absent",
  ]);
});

Deno.test("RunFold: ids of two kinds are noticed when no labelled id is ever retrieved", () => {
  const notice = noticeOf("no_labelled_id_retrieved", [labelledA, {
    ...labelledA,
    expected: relevant("doc-b"),
  }]);
  assert.equal(notice?.severity, "notice");
  assert.match(notice?.message ?? "", /\(labelled: "doc-a"; retrieved: "chunk-1"\)$/);
});

Deno.test("RunFold: one match, however late, and there is no such notice", () => {
  const hit = { ...labelledA, candidates: passages("chunk-1", "doc-a") };
  assert.equal(noticeOf("no_labelled_id_retrieved", [labelledA, labelledA, hit]), undefined);
  assert.equal(noticeOf("no_labelled_id_retrieved", [hit, labelledA, labelledA]), undefined);
});

Deno.test("RunFold: one case, no labels or nothing retrieved are no ground for that notice", () => {
  assert.equal(noticeOf("no_labelled_id_retrieved", [labelledA]), undefined);
  const unlabelled: Finished = { candidates: passages("a") };
  assert.equal(noticeOf("no_labelled_id_retrieved", [unlabelled, unlabelled]), undefined);
  const empty: Finished = { expected: relevant("a"), candidates: [] };
  assert.equal(noticeOf("no_labelled_id_retrieved", [empty, empty, labelledA]), undefined);
  const early: Finished = { expected: relevant("a"), error: { ...failed, stage: "retrieve" } };
  assert.equal(noticeOf("no_labelled_id_retrieved", [early, early]), undefined);
});

Deno.test("RunFold: with chunks as the unit, documents alone are no match", () => {
  const given: Finished = { expected: relevant("a|1"), candidates: passages("a") };
  const change = { relevance_unit: "chunk" } as const;
  assert.ok(noticeOf("no_labelled_id_retrieved", [given, given], change) !== undefined);
  assert.equal(noticeOf("no_labelled_id_retrieved", [given, given]), undefined);
});

Deno.test("RunFold: cases that no evaluator can judge are counted", () => {
  const out: Finished = { judgments: [excluded("no_expected_value")] };
  const one = noticeOf("cases_without_judgment", [out, { judgments: [observed(true)] }]);
  assert.match(one?.message ?? "", /No evaluator can judge 1 case:/);
  assert.match(noticeOf("cases_without_judgment", [out, out])?.message ?? "", /judge 2 cases:/);
  const half: Finished = { judgments: [excluded("a"), missing("b")] };
  assert.equal(noticeOf("cases_without_judgment", [half]), undefined);
});

Deno.test("RunFold: a run without evaluators says so, and has no case that nothing can judge", () => {
  const codes = (change: Partial<RunHeader>) => reportOf([{}], change).notices.map(({ code }) => code);
  assert.deepEqual(codes({ evaluators: [] }), ["no_evaluators"]);
  assert.deepEqual(codes({}), []);
});

const absent = missing("output_field_absent");
const reads = (field: string): Partial<RunHeader> => ({ evaluators: [evaluator("contains", { field })] });

Deno.test("RunFold: a field that is absent in every case is a problem, and what there is instead is named", () => {
  const outputs: readonly JsonObject[] = [{ answer: "a" }, { text: "b", answer: "c" }];
  const cases = outputs.map((output) => ({ output, judgments: [absent] }));
  assert.deepEqual(noticeOf("output_field_absent", cases, reads("anwser")), {
    severity: "problem",
    code: "output_field_absent",
    message: 'The evaluator of contains reads the output field "anwser", which is absent in every case',
    hint: 'the outputs have "answer", "text"',
  });
  const texts = [{ output: "a text", judgments: [absent] }];
  assert.match(
    noticeOf("output_field_absent", texts, reads("answer"))?.hint ?? "",
    /outputs are not objects/,
  );
});

Deno.test("RunFold: a field that is there in one case is no problem", () => {
  const cases = [{ judgments: [absent] }, { judgments: [observed(false)] }];
  assert.equal(noticeOf("output_field_absent", cases, reads("answer")), undefined);
  assert.equal(noticeOf("output_field_absent", [], reads("answer")), undefined);
});

Deno.test("RunFold: cases that failed or are excluded do not hide that a field is never there", () => {
  const cases: readonly Finished[] = [
    { judgments: [absent] },
    { judgments: [excluded("no_expected_value")] },
    { error: failed, judgments: [missing("execution_failed")] },
  ];
  assert.ok(noticeOf("output_field_absent", cases, reads("answer")) !== undefined);
  assert.equal(noticeOf("output_field_absent", cases.slice(1), reads("answer")), undefined);
});

Deno.test("RunFold: citations that no answer has are noticed, and are no problem", () => {
  const cited = observed(false, { field_absent: true });
  const change = { evaluators: [evaluator("citation_validity", { field: "sources" })] };
  const notice = noticeOf("nothing_is_cited", [{ judgments: [cited] }], change);
  assert.equal(notice?.severity, "notice");
  assert.match(notice?.message ?? "", /^No answer has the field "sources"/);
  const other = observed(false, { field_absent: false });
  const mixed = [{ judgments: [cited] }, { judgments: [other] }];
  assert.equal(noticeOf("nothing_is_cited", mixed, change), undefined);
});

Deno.test("RunFold: an evaluator that applies to no case is noticed, with what the cases expect", () => {
  const evaluators = [evaluator("contains", { expected_field: "anwser" }), evaluator("completed")];
  const out: Finished = {
    expected: { answer: "a" },
    judgments: [excluded("no_expected_value"), observed(true)],
  };
  const notice = noticeOf("evaluator_never_applies", [out, { ...out, error: failed }], { evaluators });
  assert.equal(notice?.message, "The evaluator of contains applies to no case (it reads expected.anwser)");
  assert.equal(notice?.hint, 'the cases expect "answer"');
  const applies = { ...out, judgments: [missing("execution_failed"), observed(true)] };
  assert.equal(noticeOf("evaluator_never_applies", [out, applies], { evaluators }), undefined);
  assert.equal(noticeOf("evaluator_never_applies", [], { evaluators }), undefined);
});

Deno.test("RunFold: each evaluator's field is looked at for itself", () => {
  const evaluators = [evaluator("contains", { field: "a" }), evaluator("equals", { field: "b" })];
  const report = reportOf([{ judgments: [observed(true), absent] }], { evaluators });
  assert.deepEqual(report.notices.map(({ message }) => message.slice(0, 24)), ["The evaluator of equals "]);
});

Deno.test("RunFold: cases that were forgotten are counted, as far as they are not there again", () => {
  const cases = [{ id: "a", judgments: [observed(true)] }, { id: "b", judgments: [observed(true)] }];
  const forgotten = (change: Partial<RunHeader>) => reportOf(cases, change).forgotten_cases;
  assert.equal(forgotten({ cases: 3, forgotten_cases: 1 }), 1);
  assert.equal(forgotten({ cases: 3 }), 0);
  assert.equal(forgotten({ cases: 2, forgotten_cases: 1 }), 0);
  assert.equal(forgotten({ cases: 3, forgotten_cases: 2 }), 1);
});

Deno.test("RunFold: a complete run of which cases are gone that nobody forgot is damaged, and that is a problem", () => {
  const cases = [{ id: "a", judgments: [observed(true)] }];
  const lost = (change: Partial<RunHeader>) =>
    noticeOf("cases_lost", cases, { status: "complete", ...change });
  assert.equal(lost({ cases: 1 }), undefined);
  assert.equal(lost({ cases: 3, forgotten_cases: 2 }), undefined);
  assert.equal(lost({ cases: 3, status: "interrupted" }), undefined);
  assert.equal(lost({ cases: 3, status: "running" }), undefined);
  const notice = lost({ cases: 3, forgotten_cases: 1 });
  assert.equal(notice?.severity, "problem");
  assert.match(notice?.message ?? "", /^1 of the 3 cases of this complete run are not in the store/);
});
