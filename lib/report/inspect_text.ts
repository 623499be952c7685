/** What `inspect` shows, as text. */
import { isJsonObject, type Json } from "../domain/json.ts";
import type { Judgment } from "../domain/judgment.ts";
import type { Passage } from "../domain/passage.ts";
import { relevantIn, unitKey } from "../domain/relevance.ts";
import type { StageFailure } from "../domain/record.ts";
import type { EntryCondition, FailedCase, Funnel, InspectedCase, RunReport } from "../domain/run_report.ts";
import { casesText, estimateText, intervalText } from "./metric_text.ts";
import { oneLine, shellWord } from "./printable.ts";
import { counted, repeatText, runText, type RunTextOptions } from "./run_text.ts";

/** A run: what was run, its figures, and the evidence funnel. */
export function inspectedRunText(report: RunReport, options: RunTextOptions = {}): string {
  const { system } = report;
  const head = [
    `Run ${report.run_id}${report.name === null ? "" : ` (${oneLine(report.name)})`} · ${report.status}` +
    ` · started ${report.started_at}`,
    `System ${oneLine(system.name)} ${oneLine(system.version)} · ${shapeText(system)}` +
    `${system.index_version === undefined ? "" : ` · index ${oneLine(system.index_version)}`}`,
    ...paramLines(system.params),
  ];
  const figures = runText(report, { ...options, next: false });
  return `${head.join("\n")}\n\n${figures}\n${funnelLines(report).join("\n")}\n`;
}

/** What the system is made of: the limits of two stages, or what one tells of itself. */
export function shapeText({ depth, top_k, token_budget, reports, ...system }: RunReport["system"]): string {
  const limits = [
    ...(depth === null ? [] : [`depth ${depth}`]),
    ...(top_k === null ? [] : [`top_k ${top_k}`]),
    ...(system.ranked === false ? ["no single ranking"] : []),
  ];
  if (reports === undefined) {
    return [...limits, token_budget === null ? "no token budget" : `token_budget ${token_budget}`].join(
      " · ",
    );
  }
  return [
    system.recorded ? "recorded outputs" : "one stage",
    `reports ${reports.length === 0 ? "nothing of itself" : reports.join(" and ")}`,
    ...(system.accepts_context === undefined
      ? []
      : [system.accepts_context ? "accepts a context" : "accepts no context"]),
    ...limits,
  ].join(" · ");
}

function paramLines(params: RunReport["system"]["params"]): readonly string[] {
  return (["retrieve", "generate"] as const).flatMap((stage) =>
    Object.keys(params[stage]).length === 0 ? [] : [`params.${stage} ${valueText(params[stage], 400)}`]
  );
}

function funnelLines({ funnel, metrics, pass_fail_criteria }: RunReport): readonly string[] {
  const passes = metrics.filter(({ criterion }) => pass_fail_criteria.includes(criterion));
  return [
    `Evidence funnel (unit ${funnel.unit}; ${counted(funnel.cases, "labelled case")} executed)`,
    ...stepsOf(funnel).map(([step, count]) => `  ${step.padEnd(14)}  ${count ?? "not known"}`),
    ...(passes.length === 0 ? [] : ["Passes"]),
    ...passes.map((metric) =>
      `  ${metric.criterion}: ${casesText(metric)} · ${estimateText(metric)} ${intervalText(metric)}`
    ),
  ];
}

function stepsOf(funnel: Funnel): readonly (readonly [string, number | null])[] {
  return [
    ["relevant units", funnel.relevant],
    ["retrieved", funnel.retrieved],
    ["within top-k", funnel.within_top_k],
    ["in the context", funnel.in_context],
  ];
}

/** The cases of a run that failed a criterion. */
export interface FailedCases {
  readonly run_id: string;
  readonly criterion: string;
  readonly failed: readonly FailedCase[];
  /** Executions whose judgment is missing. */
  readonly missing: number;
  readonly repeats: number;
  /** Whether the failures can be diagnosed. */
  readonly diagnosable: boolean;
}

/** The failures of one criterion, a line each; with repeats, a line for each repeat that failed. */
export function failedText(
  { run_id, criterion, failed, missing, repeats, diagnosable }: FailedCases,
  { program = "oloproof" }: RunTextOptions = {},
): string {
  const noun = repeats === 1 ? "case" : "execution";
  const unknown = missing === 0 ? "" : `; of ${counted(missing, `more ${noun}`)} the judgment is missing`;
  const cases = counted(new Set(failed.map(({ case_id }) => case_id)).size, "case");
  const often = repeats === 1
    ? ""
    : ` in ${counted(failed.length, "execution")} (${repeats} repeats of each case)`;
  const head = `${cases} of ${run_id} failed ${criterion}${often}${unknown}`;
  const lines = failed.map((one) => {
    const said = [
      ...(one.expected === null ? [] : [`expected ${valueText(one.expected)}`]),
      one.details === null ? `got ${valueText(one.got)}` : valueText(one.details, 400),
      `relevant position ${one.relevant_position}`,
    ];
    return `${oneLine(one.case_id, 60)}${repeatText(one)}: ${said.join(", ")}`;
  });
  const [first] = failed;
  const next = first === undefined
    ? []
    : diagnosable
    ? [`Next: ${program} diagnose ${run_id} --intervention gold-context --criterion ${criterion}`]
    : [`Next: ${program} inspect ${run_id} --case ${shellWord(first.case_id)}`];
  return [head, ...lines, ...next].join("\n") + "\n";
}

/**
 * One case, whole: what went in, what was retrieved, what reached the generator, what came out, how it was judged; all but the
 * first for each of its repeats.
 */
export function caseText(found: InspectedCase, repeats: readonly InspectedCase[] = [found]): string {
  const { record: { case: testCase }, run_id } = found;
  const head = [
    `Case ${oneLine(testCase.id)} of ${run_id}`,
    `Input: ${valueText(testCase.input, 2000)}`,
    ...(testCase.expected === undefined
      ? []
      : [`Expected: ${valueText(withoutPassages(testCase.expected), 2000)}`]),
    ...(testCase.metadata === undefined ? [] : [`Metadata: ${valueText(testCase.metadata, 2000)}`]),
  ];
  return [...head, ...repeats.flatMap(executionLines)].join("\n") + "\n";
}

/** One execution of a case, under its number where there are several. */
function executionLines(found: InspectedCase): readonly string[] {
  const { record, judgments, entry, repeat } = found;
  const { query, candidates, context, output, error } = record;
  return [
    repeat === undefined ? [] : [`Repeat ${repeat}`],
    query === undefined ? [] : [`Query: ${valueText(query, 2000)}`],
    candidates === undefined ? [`Candidates: ${whyAbsent(error)}`] : candidateLines(found, candidates, entry),
    context === undefined
      ? [`Context: ${error === undefined ? "not reported" : "not reached"}`]
      : contextLines(context),
    output === undefined ? ["Output: not reached"] : [`Output: ${valueText(output, 10_000)}`],
    error === undefined ? [] : failureLines(error),
    ["Judgments", ...judgments.map(({ criterion, judgment }) => `  ${criterion}: ${judgmentText(judgment)}`)],
  ].flat();
}

/** A failure, and the first lines of where it was thrown. */
function failureLines({ stage, kind, message, trace = "" }: StageFailure): readonly string[] {
  const places = trace.split("\n").filter((line) => /^\s+at /.test(line)).slice(0, 4);
  return [
    `Failed: ${stage} ${kind}: ${oneLine(message, 2000)}`,
    ...places.map((place) => `  ${oneLine(place)}`),
  ];
}

function candidateLines(
  { record, relevance_unit }: InspectedCase,
  candidates: readonly Passage[],
  entry: readonly EntryCondition[],
): readonly string[] {
  const relevant = relevantIn(record.case.expected, relevance_unit);
  const lines = candidates.map((candidate, index) => {
    const position = index + 1;
    const dropped = record.dropped?.find((passage) => passage.position === position);
    const tokens = dropped?.tokens ?? record.tokens?.[index];
    const condition = entry.find((one) => one.position === position);
    const fate = dropped === undefined
      ? record.context === undefined ? notSeen(record.error) : "in the context"
      : `dropped: ${dropped.reason}${
        condition === undefined
          ? ""
          : `, enters from ${conditionText(condition, record.tokens !== undefined)}`
      }`;
    return [
      `  ${String(position).padStart(String(candidates.length).length)}. ${idText(candidate)}`,
      ...(relevant.has(unitKey(candidate, relevance_unit) ?? "") ? ["relevant"] : []),
      ...(candidate.score === undefined ? [] : [`score ${Number(candidate.score.toPrecision(6))}`]),
      ...(tokens === undefined ? [] : [counted(tokens, "token")]),
      fate,
    ].join(" · ");
  });
  return [`Candidates: ${candidates.length}`, ...lines];
}

/** Why a record has no candidates. */
export function whyAbsent(error: StageFailure | undefined): string {
  if (error === undefined) return "not reported";
  return error.stage === "answer" ? "not reached" : "retrieval did not finish";
}

/** Why it is not known whether a candidate is in the context. */
function notSeen(error: StageFailure | undefined): string {
  return error === undefined ? "context not reported" : "not assembled";
}

/** What would let a candidate in: `top_k 4 if the budget has room`. */
export function conditionText({ setting, from }: EntryCondition, hasBudget: boolean): string {
  const proviso = setting === "top_k" && hasBudget ? " if the budget has room" : "";
  return `${setting} ${from}${proviso}`;
}

function contextLines(context: readonly Passage[]): readonly string[] {
  return [
    `Context: ${counted(context.length, "passage")}`,
    ...context.map((passage) => `  ${idText(passage)}: ${oneLine(passage.text ?? "(no text)", 400)}`),
  ];
}

function idText({ doc_id, chunk_id }: Passage): string {
  return oneLine(chunk_id === undefined ? doc_id : `${doc_id} ${chunk_id}`, 120);
}

/** What was judged, on one line. */
export function judgmentText(judgment: Judgment): string {
  switch (judgment.status) {
    case "observed": {
      const value = typeof judgment.value === "number"
        ? String(Number(judgment.value.toPrecision(6)))
        : judgment.value
        ? "pass"
        : "fail";
      return judgment.details === undefined ? value : `${value} ${valueText(judgment.details, 2000)}`;
    }
    case "missing":
      return `missing (${judgment.reason})${
        judgment.message === undefined ? "" : `: ${oneLine(judgment.message, 500)}`
      }`;
    case "excluded":
      return `excluded (${judgment.reason})`;
  }
}

/** An expectation without the gold passages, whose text would bury the rest. */
export function withoutPassages(expected: Json): Json {
  if (!isJsonObject(expected)) return expected;
  const { gold_context: _, ...rest } = expected;
  return rest;
}

/** Text as it is, quoted; anything else as JSON; cut to a length. */
function valueText(value: Json, length = 200): string {
  return oneLine(JSON.stringify(value), length);
}
