import assert from "node:assert/strict";
import type { SliceMetrics } from "../../lib/domain/metric.ts";
import type { CaseFailure, RunReport } from "../../lib/domain/run_report.ts";
import {
  counted,
  metricsTable,
  runText,
  type RunTextOptions,
  sliceLines,
} from "../../lib/report/run_text.ts";
import { proportion, reportOf, UNOBSERVED } from "./run_report.ts";

const linesOf = (change: Partial<RunReport>, options: RunTextOptions = {}) =>
  runText(reportOf(change), options).split("\n");

/** The lines that begin so. */
const linesBeginning = (start: string, change: Partial<RunReport>) =>
  linesOf(change).filter((line) => line.startsWith(start));

Deno.test("runText: without evaluators nothing was judged, and that is said", () => {
  assert.deepEqual(linesOf({}), [
    "No evaluators: nothing was judged.",
    "",
    "Cache: execution 0 hit/0 miss; judgment 0 hit/0 miss",
    "Stages: retrieve 0 hit/0 miss; generate 0 hit/0 miss",
    "Run run_A",
    "Next: oloproof inspect run_A",
    "",
  ]);
});

Deno.test("runText: the table, the slices and the account are blocks of their own", () => {
  const metrics = [proportion()];
  const slices = [{ slice: "metadata.topic", value: "a", cases: 13, metrics }];
  const cache = { execution: { hit: 1, miss: 12 }, judgment: { hit: 5, miss: 60 } };
  const [table, lines, account] = runText(reportOf({ metrics, slices, cache, name: "before" })).split("\n\n");
  assert.equal(table, metricsTable(metrics));
  assert.equal(lines, "metadata.topic=a (13 cases, exploratory): answer_correct 69.2% [38.5%, 91.0%]");
  assert.match(account ?? "", /^Cache: execution 1 hit\/12 miss; judgment 5 hit\/60 miss\n/);
  assert.match(account ?? "", /\nRun run_A \(before\)\n/);
});

Deno.test("metricsTable: the header, one rule, a row per metric", () => {
  const unobserved = proportion({ criterion: "recall_at_2", kind: "mean", ...UNOBSERVED, missing: 13 });
  assert.deepEqual(metricsTable([proportion(), unobserved]).split("\n").slice(1, 5), [
    "│ Metric         │ Estimate │ 95% interval   │ Cases                                    │",
    "├────────────────┼──────────┼────────────────┼──────────────────────────────────────────┤",
    "│ answer_correct │ 69.2%    │ [38.5%, 91.0%] │ 9 / 13 observed · 0 missing · 0 excluded │",
    "│ recall_at_2    │ —        │ —              │ 0 observed · 13 missing · 0 excluded     │",
  ]);
});

/** Values of one slice with one metric each. */
function slicesOf(count: number, support = true): readonly SliceMetrics[] {
  return Array.from({ length: count }, (_, index) => ({
    slice: "metadata.topic",
    value: `v${index}`,
    cases: 5,
    metrics: support ? [proportion()] : null,
  }));
}

Deno.test("sliceLines: at most 20 lines, and how to see the rest", () => {
  const report = (count: number) => reportOf({ metrics: [proportion()], slices: slicesOf(count) });
  assert.equal(sliceLines(report(20), false).length, 20);
  const cut = sliceLines(report(21), false);
  assert.equal(cut.length, 21);
  assert.equal(cut.at(-1), "… 1 more slice line; print them with --slices all");
  assert.equal(sliceLines(report(30), false).at(-1), "… 10 more slice lines; print them with --slices all");
  assert.equal(sliceLines(report(30), true).length, 30);
  assert.match(sliceLines(report(30), true).at(-1) ?? "", /^metadata\.topic=v29 /);
});

Deno.test("sliceLines: under the support cases are counted once, whatever the number of metrics", () => {
  const metrics = [proportion(), proportion({ criterion: "completed" })];
  const slices = [
    { slice: "metadata.topic", value: "legal", cases: 1, metrics: null },
    { slice: "metadata.topic", value: "billing", cases: 5, metrics },
  ];
  assert.deepEqual(sliceLines(reportOf({ metrics, slices }), false), [
    "metadata.topic=legal: 1 case, below min_slice_support 4",
    "metadata.topic=billing (5 cases, exploratory): answer_correct 69.2% [38.5%, 91.0%]",
    "metadata.topic=billing (5 cases, exploratory): completed 69.2% [38.5%, 91.0%]",
  ]);
});

Deno.test("sliceLines: values are text of others, on one line", () => {
  const slices = [{
    slice: "metadata.topic",
    value: `a\n\u001b[2J${"x".repeat(100)}`,
    cases: 5,
    metrics: null,
  }];
  const [line = ""] = sliceLines(reportOf({ metrics: [proportion()], slices }), false);
  assert.match(line, /^metadata\.topic=a \\u\{1b\}\[2Jx+…: 5 cases, below/);
});

const failure = (case_id: string, change: Partial<CaseFailure> = {}): CaseFailure => ({
  case_id,
  stage: "generate",
  kind: "timeout",
  message: "no answer within 5 s",
  ...change,
});

Deno.test("runText: failures by stage and kind, the first of them by name", () => {
  const failures = [
    failure("a"),
    failure("b", { stage: "retrieve", kind: "exception", message: "index\nis \u001b[31mgone" }),
    failure("c"),
  ];
  const lines = linesOf({ failures });
  const start = lines.indexOf("Failures: generate timeout 2, retrieve exception 1");
  assert.deepEqual(lines.slice(start + 1, start + 4), [
    "  a: generate timeout: no answer within 5 s",
    "  b: retrieve exception: index is \\u{1b}[31mgone",
    "  c: generate timeout: no answer within 5 s",
  ]);
  assert.ok(start > 0);
});

Deno.test("runText: of many failures five are named and the others counted", () => {
  const failuresOf = (count: number) => Array.from({ length: count }, (_, index) => failure(`case ${index}`));
  const named = (count: number) => linesBeginning("  ", { failures: failuresOf(count) });
  assert.equal(named(5).length, 5);
  assert.deepEqual(named(6).slice(5), ["  … 1 more failed case"]);
  assert.deepEqual(named(100).slice(5), ["  … 95 more failed cases"]);
});

Deno.test("runText: a run that failed everywhere has estimates of nothing and says why", () => {
  const text = runText(reportOf({
    metrics: [proportion({ ...UNOBSERVED, missing: 3 })],
    failures: [failure("a"), failure("b"), failure("c")],
    absences: [{ criterion: "answer_correct", status: "missing", reason: "execution_failed", cases: 3 }],
  }));
  assert.match(text, /│ answer_correct │ — +│ — +│/);
  assert.match(text, /\nMissing \(execution_failed\): 3 cases for answer_correct\n/);
  assert.match(text, /\nNext: oloproof inspect run_A --case a\n/);
});

Deno.test("runText: absences stand by reason, missing before excluded", () => {
  const absences = [
    { criterion: "a", status: "excluded", reason: "no_expected_value", cases: 1 },
    { criterion: "a", status: "missing", reason: "execution_failed", cases: 2 },
    { criterion: "b", status: "missing", reason: "execution_failed", cases: 2 },
    { criterion: "c", status: "missing", reason: "execution_failed", cases: 1 },
  ] as const;
  const lines = linesOf({ absences });
  assert.deepEqual(lines.filter((line) => /^(?:Missing|Excluded)/.test(line)), [
    "Missing (execution_failed): 2 cases for a, b; 1 case for c",
    "Excluded (no_expected_value): 1 case for a",
  ]);
});

Deno.test("runText: the next command is about a failed criterion, else a failed case, else the run", () => {
  const next = (change: Partial<RunReport>, options: RunTextOptions = {}) =>
    linesOf(change, options).find((line) => line.startsWith("Next: "));
  const failures = [failure("it's odd")];
  assert.equal(next({ failures, failed_criteria: ["x", "y"] }), "Next: oloproof inspect run_A --failed x");
  assert.equal(next({ failures }), "Next: oloproof inspect run_A --case 'it'\\''s odd'");
  assert.equal(next({}), "Next: oloproof inspect run_A");
  assert.equal(next({}, { program: "oloproof -C 'my rag'" }), "Next: oloproof -C 'my rag' inspect run_A");
});

Deno.test("runText: latencies and usage of what really ran, in units that can be read", () => {
  const usage = {
    retrieve: { calls: 1, latency_p50_ms: 0.04, latency_p95_ms: 999.94, usage: {} },
    generate: {
      calls: 12,
      latency_p50_ms: 1000,
      latency_p95_ms: 61_234,
      usage: { input_tokens: 1234, output_tokens: 0, cost_usd: 0.1 + 0.2 },
    },
  };
  const lines = linesOf({ usage });
  assert.ok(lines.includes(
    "Latency: retrieve p50 0.0 ms, p95 999.9 ms (1 call); generate p50 1.00 s, p95 61.23 s (12 calls)",
  ));
  assert.ok(lines.includes("Usage: generate 1234 input tokens, 0 output tokens, 0.3 USD"));
  assert.deepEqual(linesBeginning("Latency", {}), []);
  assert.deepEqual(linesBeginning("Usage", {}), []);
});

Deno.test("runText: a run that was not finished and a choice of cases are told", () => {
  assert.deepEqual(linesBeginning("Cases: ", { cases: 2, planned_cases: 9, status: "interrupted" }), [
    "Cases: 2 of 9 finished (interrupted)",
  ]);
  assert.deepEqual(linesBeginning("Cases: ", {}), []);
  assert.deepEqual(linesBeginning("Selection: ", { selection: ["--limit 3", "--where a=\u202eb"] }), [
    "Selection: --limit 3 --where a=\\u{202e}b",
  ]);
});

Deno.test("runText: repeats and a retry are told, and an unfinished run leads to its end", () => {
  assert.deepEqual(linesBeginning("Repeats: ", { repeats: 3 }), [
    "Repeats: 3 executions of each case; the metrics average each case first",
  ]);
  const failures = Array.from({ length: 6 }, (_, index) => ({
    case_id: "a",
    repeat: index + 1,
    stage: "generate",
    kind: index === 0 ? "timeout" : "exception",
    message: "no",
  } as const));
  const text = runText(reportOf({ failures, repeats: 6 }));
  assert.match(
    text,
    /\nFailures: generate exception 5, generate timeout 1\n {2}a \(repeat 1\): generate timeout: no\n/,
  );
  assert.match(text, /\n {2}… 1 more failed execution\n/);
  const retry = { of: "run_B", carried: 3, executed: 2 };
  assert.ok(runText(reportOf({ retry })).endsWith("\nRetry of run_B: 3 carried, 2 executed again\n"));
  assert.deepEqual(linesBeginning("Next: ", { status: "interrupted", failures }), [
    "Next: oloproof run --resume run_A",
  ]);
});

Deno.test("counted: one and many", () => {
  assert.deepEqual([0, 1, 2].map((count) => counted(count, "case")), ["0 cases", "1 case", "2 cases"]);
});
