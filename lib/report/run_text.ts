/** A run as text. */
import type { Metric, SliceMetrics } from "../domain/metric.ts";
import type { Absence, CaseFailure, RetryAccount, RunReport, StageUse } from "../domain/run_report.ts";
import { casesText, estimateText, intervalText } from "./metric_text.ts";
import { oneLine, shellWord } from "./printable.ts";
import { textTable } from "./text_table.ts";

/** Slice lines that are printed when not all are asked for. */
const MAX_SLICE_LINES = 20;
/** Failed cases that are named; all of them are in the JSON and in `inspect`. */
const MAX_FAILURES = 5;

const STAGES = ["retrieve", "generate", "answer"] as const;

/** How much of a run is printed. */
export interface RunTextOptions {
  readonly allSlices?: boolean;
  /** Whether the command that would come next is named; true unless said otherwise. */
  readonly next?: boolean;
  /** How the program is called in the next command: `oloproof -C my-rag`. */
  readonly program?: string;
}

/** The metrics of a run, its slices, and what it did. */
export function runText(report: RunReport, options: RunTextOptions = {}): string {
  const blocks = [
    metricsTable(report.metrics),
    sliceLines(report, options.allSlices ?? false).join("\n"),
    accountLines(report, options).join("\n"),
  ];
  return blocks.filter((block) => block !== "").join("\n\n") + "\n";
}

/** The metrics table: a row per evaluator, in the project's order. */
export function metricsTable(metrics: readonly Metric[]): string {
  if (metrics.length === 0) return "No evaluators: nothing was judged.";
  return textTable(
    ["Metric", "Estimate", "95% interval", "Cases"],
    metrics.map((
      metric,
    ) => [metric.criterion, estimateText(metric), intervalText(metric), casesText(metric)]),
  );
}

/**
 * A line per slice value and criterion, or one that counts the cases where they are too few. Within a slice the values of
 * one criterion stand together: they are what a reader compares.
 */
export function sliceLines(report: RunReport, all: boolean): readonly string[] {
  const slices = Map.groupBy(report.slices, ({ slice }) => slice);
  const lines = [...slices.values()].flatMap((values) =>
    report.metrics.flatMap((_metric, index) =>
      values.flatMap((value) => lineOf(value, index, report.min_slice_support))
    )
  );
  if (all || lines.length <= MAX_SLICE_LINES) return lines;
  const rest = lines.length - MAX_SLICE_LINES;
  return [
    ...lines.slice(0, MAX_SLICE_LINES),
    `… ${counted(rest, "more slice line")}; print them with --slices all`,
  ];
}

/** The line of one value for the criterion at an index; that there are too few cases is said once, with the first. */
function lineOf(
  { slice, value, cases, metrics }: SliceMetrics,
  index: number,
  support: number,
): readonly string[] {
  const name = `${oneLine(slice)}=${oneLine(value, 60)}`;
  if (metrics === null) {
    return index === 0 ? [`${name}: ${counted(cases, "case")}, below min_slice_support ${support}`] : [];
  }
  const metric = metrics[index];
  if (metric === undefined) return [];
  const figures = `${metric.criterion} ${estimateText(metric)} ${intervalText(metric)}`;
  return [`${name} (${counted(cases, "case")}, exploratory): ${figures}`];
}

function accountLines(
  report: RunReport,
  { program = "oloproof", next = true }: RunTextOptions,
): readonly string[] {
  const { cache, stages, usage, failures } = report;
  return [
    `Cache: execution ${hits(cache.execution)}; judgment ${hits(cache.judgment)}`,
    ...stageLines(stages),
    ...(report.judge_calls === undefined ? [] : [`Judge calls: ${hits(report.judge_calls)}`]),
    ...failureLines(failures),
    ...absenceLines(report.absences),
    ...useLines(usage, report.judge_calls),
    ...(report.cases < report.planned_cases
      ? [
        `Cases: ${report.cases} of ${report.planned_cases} finished (${report.status})${
          forgottenText(report)
        }`,
      ]
      : []),
    ...(report.repeats === 1
      ? []
      : [`Repeats: ${report.repeats} executions of each case; the metrics average each case first`]),
    ...(report.selection.length === 0 ? [] : [`Selection: ${oneLine(report.selection.join(" "))}`]),
    `Run ${report.run_id}${report.name === null ? "" : ` (${oneLine(report.name)})`}`,
    ...(next ? [`Next: ${program} ${nextCommand(report)}`] : []),
    ...(report.retry === null ? [] : [retryLine(report.retry)]),
  ];
}

/** The stages' own caches; recorded outputs have no stage. */
function stageLines(stages: RunReport["stages"]): readonly string[] {
  const counts = STAGES.flatMap((stage) => {
    const count = stages[stage];
    return count === undefined ? [] : [`${stage} ${hits(count)}`];
  });
  return counts.length === 0 ? [] : [`Stages: ${counts.join("; ")}`];
}

function forgottenText({ forgotten_cases }: RunReport): string {
  if (forgotten_cases === 0) return "";
  return `; ${forgotten_cases} ${forgotten_cases === 1 ? "was" : "were"} forgotten since, and ${
    forgotten_cases === 1 ? "is" : "are"
  } in no figure`;
}

/** To finish it, else the failures of a criterion, else a failed execution, else the run. */
function nextCommand({ run_id, status, failed_criteria, failures }: RunReport): string {
  const [criterion] = failed_criteria;
  const [failure] = failures;
  if (status !== "complete") return `run --resume ${run_id}`;
  if (criterion !== undefined) return `inspect ${run_id} --failed ${criterion}`;
  return `inspect ${run_id}${failure === undefined ? "" : ` --case ${shellWord(failure.case_id)}`}`;
}

function retryLine({ of, carried, executed }: RetryAccount): string {
  return `Retry of ${of}: ${carried} carried, ${executed} executed again`;
}

/** ` (repeat 2)`; nothing where each case is executed once. */
export function repeatText({ repeat }: { readonly repeat?: number | undefined }): string {
  return repeat === undefined ? "" : ` (repeat ${repeat})`;
}

function failureLines(failures: readonly CaseFailure[]): readonly string[] {
  if (failures.length === 0) return [];
  const kinds = Map.groupBy(failures, ({ stage, kind }) => `${stage} ${kind}`);
  const counts = [...kinds].sort(([a], [b]) => a < b ? -1 : 1).map(([name, list]) =>
    `${name} ${list.length}`
  );
  const named = failures.slice(0, MAX_FAILURES).map(({ case_id, repeat, stage, kind, message }) =>
    `  ${oneLine(case_id, 60)}${repeatText({ repeat })}: ${stage} ${kind}: ${oneLine(message)}`
  );
  const rest = failures.length - named.length;
  const noun = failures.some(({ repeat }) => repeat !== undefined) ? "execution" : "case";
  return [
    `Failures: ${counts.join(", ")}`,
    ...named,
    ...(rest > 0 ? [`  … ${counted(rest, `more failed ${noun}`)}`] : []),
  ];
}

/** A line per reason: which criteria it keeps from how many cases. */
function absenceLines(absences: readonly Absence[]): readonly string[] {
  return (["missing", "excluded"] as const).flatMap((status) => {
    const reasons = Map.groupBy(absences.filter((one) => one.status === status), ({ reason }) => reason);
    return [...reasons].map(([reason, list]) => {
      const counts = Map.groupBy(list, ({ cases }) => cases);
      const parts = [...counts].map(([cases, same]) =>
        `${counted(cases, "case")} for ${same.map(({ criterion }) => criterion).join(", ")}`
      );
      return `${status === "missing" ? "Missing" : "Excluded"} (${oneLine(reason)}): ${parts.join("; ")}`;
    });
  });
}

function useLines(
  usage: RunReport["usage"],
  judge_calls: RunReport["judge_calls"],
): readonly string[] {
  const stages = STAGES.flatMap((stage) => {
    const use = usage[stage];
    return use === undefined ? [] : [[stage, use] as const];
  });
  const latencies = stages.flatMap(([stage, { calls, latency_p50_ms: p50, latency_p95_ms: p95 }]) =>
    p50 === null || p95 === null
      ? []
      : [`${stage} p50 ${duration(p50)}, p95 ${duration(p95)} (${counted(calls, "call")})`]
  );
  const judges = judge_calls?.usage === undefined ? [] : [["judges", { usage: judge_calls.usage }] as const];
  const uses = [...stages, ...judges].flatMap(([stage, use]) => {
    const parts = usageParts(use);
    return parts.length === 0 ? [] : [`${stage} ${parts.join(", ")}`];
  });
  return [
    ...(latencies.length === 0 ? [] : [`Latency: ${latencies.join("; ")}`]),
    ...(uses.length === 0 ? [] : [`Usage: ${uses.join("; ")}`]),
  ];
}

function usageParts({ usage }: Pick<StageUse, "usage">): readonly string[] {
  const { input_tokens, output_tokens, cost_usd } = usage;
  return [
    ...(input_tokens === undefined ? [] : [`${input_tokens} input tokens`]),
    ...(output_tokens === undefined ? [] : [`${output_tokens} output tokens`]),
    ...(cost_usd === undefined ? [] : [`${Number(cost_usd.toPrecision(6))} USD`]),
  ];
}

function hits({ hit, miss }: { readonly hit: number; readonly miss: number }): string {
  return `${hit} hit/${miss} miss`;
}

function duration(milliseconds: number): string {
  return milliseconds < 1000 ? `${milliseconds.toFixed(1)} ms` : `${(milliseconds / 1000).toFixed(2)} s`;
}

/** `1 case`, `2 cases`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
