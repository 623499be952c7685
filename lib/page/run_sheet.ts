/** A run as tables and pictures. */
import type { Notice, RunReport, StageUse } from "../domain/run_report.ts";
import { funnelPicture } from "../picture/funnel_picture.ts";
import { metricsPicture } from "../picture/metrics_picture.ts";
import { positionsPicture } from "../picture/positions_picture.ts";
import { slicesPicture } from "../picture/slices_picture.ts";
import { shapeText } from "../report/inspect_text.ts";
import { ABSENT } from "../report/metric_text.ts";
import { countCell, metricCells, metricColumns, metricsTable, numberCell } from "./metric_table.ts";
import { type Section, section, type Sheet, type Table } from "./sheet.ts";

/** A run: metrics, evidence, slices, and what it took. */
export function runSheet(report: RunReport): Sheet {
  const { metrics, notices } = report;
  return {
    title: `Run ${report.run_id}${report.name === null ? "" : ` (${report.name})`}`,
    facts: factsOf(report),
    sections: [
      section("Metrics", {
        tables: metrics.length === 0 ? [] : [metricsTable(metrics)],
        pictures: metrics.length === 0 ? [] : [metricsPicture(report)],
        lines: [
          ...unfinishedLines(report),
          ...(metrics.length === 0 ? ["No evaluators: nothing was judged."] : []),
          ...noticeLines(notices),
        ],
      }),
      ...absenceSections(report),
      evidenceSection(report),
      ...sliceSections(report),
      ...failureSections(report),
      accountSection(report),
    ],
  };
}

function factsOf({ system, status, started_at, cases, planned_cases, selection }: RunReport): Sheet["facts"] {
  return [
    ["System", `${system.name} ${system.version} · ${shapeText(system)}`],
    ["Index", system.index_version ?? "not stated"],
    ["Cases", cases === planned_cases ? String(cases) : `${cases} of ${planned_cases} finished`],
    ["Status", status],
    ["Started", started_at],
    ...(selection.length === 0 ? [] : [["Selection", selection.join(" ")] as const]),
  ];
}

/** What is finished of a run that is not, and how it goes on. */
function unfinishedLines({ status, cases, planned_cases, run_id }: RunReport): readonly string[] {
  if (status === "complete") return [];
  return [
    `The run is ${status}: ${cases} of ${planned_cases} cases are finished and kept. ` +
    `run(project, { resume: "${run_id}" }), or oloproof run --resume ${run_id}, goes on with it.`,
  ];
}

/** What a reader must know beside the figures. */
export function noticeLines(notices: readonly Notice[]): readonly string[] {
  return notices.map(({ severity, message, hint }) =>
    `${severity === "problem" ? "Problem" : "Note"}: ${message}${hint === undefined ? "" : ` (${hint})`}`
  );
}

function absenceSections({ absences }: RunReport): readonly Section[] {
  if (absences.length === 0) return [];
  return [
    section("Missing and excluded", {
      tables: [{
        caption: "Why judgments are absent",
        columns: [{ name: "Criterion" }, { name: "Status" }, { name: "Reason" }, {
          name: "Cases",
          numeric: true,
        }],
        rows: absences.map((
          { criterion, status, reason, cases },
        ) => [criterion, status, reason, countCell(cases)]),
      }],
    }),
  ];
}

function evidenceSection(report: RunReport): Section {
  const { funnel, system: { top_k, token_budget }, run_id } = report;
  const positions = positionsPicture({ funnel, run_id, top_k, token_budget });
  return section("Evidence", {
    place: funnel.cases > 0 ? "both" : "report",
    pictures: [funnelPicture({ funnel, run_id, top_k }), ...(positions === undefined ? [] : [positions])],
  });
}

function sliceSections(report: RunReport): readonly Section[] {
  const { slices, metrics, min_slice_support } = report;
  if (slices.length === 0) return [];
  const table: Table = {
    caption: "Slices",
    columns: [{ name: "Slice" }, { name: "Value" }, { name: "Metric" }, ...metricColumns],
    rows: slices.flatMap(({ slice, value, cases, metrics }) =>
      metrics === null
        ? [[
          slice,
          value,
          "—",
          numberCell(ABSENT, null),
          numberCell(ABSENT, null),
          { text: `${cases} cases, below min_slice_support ${min_slice_support}`, order: cases },
        ]]
        : metrics.map((metric) => [slice, value, metric.criterion, ...metricCells(metric)])
    ),
  };
  return [
    section("Slices", {
      place: "report",
      tables: [table],
      pictures: metrics.map(({ criterion }) => slicesPicture(report, criterion)),
      lines: ["Exploratory: with many slices, some will look remarkable by chance."],
    }),
  ];
}

function failureSections({ failures }: RunReport): readonly Section[] {
  if (failures.length === 0) return [];
  return [
    section("Failed executions", {
      place: "report",
      tables: [{
        caption: "Failed executions",
        columns: [{ name: "Case" }, { name: "Stage" }, { name: "Kind" }, { name: "Message" }],
        rows: failures.map(({ case_id, stage, kind, message }) => [case_id, stage, kind, message]),
      }],
      lines: ["A failure is no wrong answer: its judgments are missing."],
    }),
  ];
}

const STAGES = ["retrieve", "generate", "answer"] as const;

function accountSection({ cache, stages, usage, judge_calls }: RunReport): Section {
  const uses = STAGES.flatMap((stage) => {
    const use = usage[stage];
    return use === undefined ? [] : [useRow(stage, use)];
  });
  return section("Calls", {
    place: "report",
    tables: [
      {
        caption: "Caches",
        columns: [{ name: "Cache" }, { name: "Hit", numeric: true }, { name: "Miss", numeric: true }],
        rows: [
          ...([["execution", cache.execution], ["judgment", cache.judgment]] as const),
          ...STAGES.flatMap((stage) => {
            const count = stages[stage];
            return count === undefined ? [] : [[stage, count] as const];
          }),
          ...(judge_calls === undefined ? [] : [["judge calls", judge_calls] as const]),
        ].map(([name, { hit, miss }]) => [name, countCell(hit), countCell(miss)]),
      },
      ...(uses.length === 0 ? [] : [{
        caption: "Calls that were made",
        columns: [
          { name: "Stage" },
          ...["Calls", "p50 ms", "p95 ms", "Input tokens", "Output tokens", "USD"].map((name) => ({
            name,
            numeric: true,
          })),
        ],
        rows: uses,
      }]),
    ],
  });
}

function useRow(
  stage: string,
  { calls, latency_p50_ms, latency_p95_ms, usage }: StageUse,
): Table["rows"][number] {
  const figure = (value: number | null | undefined, digits: number) =>
    numberCell(
      value === null || value === undefined ? ABSENT : String(Number(value.toFixed(digits))),
      value ?? null,
    );
  return [
    stage,
    countCell(calls),
    figure(latency_p50_ms, 1),
    figure(latency_p95_ms, 1),
    figure(usage.input_tokens, 0),
    figure(usage.output_tokens, 0),
    figure(usage.cost_usd, 6),
  ];
}
