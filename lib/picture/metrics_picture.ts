/** Metrics with their intervals. */
import { counted } from "../report/run_text.ts";
import type { Metric } from "../domain/metric.ts";
import { estimateText, intervalText } from "../report/metric_text.ts";
import { oneLine } from "../report/printable.ts";
import type { Axis, LegendItem, Row, RowMark, RowPicture } from "./picture.ts";

/** The axis of estimates: the whole of [0, 1], so that no interval is cut and no difference looks greater than it is. */
export function estimateAxis(metrics: readonly Metric[]): Axis {
  const proportions = metrics.every(({ kind }) => kind === "proportion");
  return {
    label: proportions ? "share of passes" : "share of passes, or mean value",
    unit: proportions ? "percent" : "decimal",
    domain: [0, 1],
  };
}

/** An estimate and its interval; nothing where nothing was observed. */
export function metricMarks({ kind, estimate, lower, upper }: Metric): readonly RowMark[] {
  if (estimate === null || lower === null || upper === null) return [];
  return [
    { kind: "interval", from: lower, to: upper, tone: "value" },
    { kind: "point", at: estimate, tone: "value", shape: kind === "proportion" ? "circle" : "diamond" },
  ];
}

/** `69.2% [38.5%, 91.0%] · n 13 · 2 missing` */
export function metricNote(metric: Metric): string {
  const { estimate, observed, missing, excluded } = metric;
  return [
    ...(estimate === null ? ["nothing observed"] : [`${estimateText(metric)} ${intervalText(metric)}`]),
    `n ${observed}`,
    ...(missing > 0 ? [`${missing} missing`] : []),
    ...(excluded > 0 ? [`${excluded} excluded`] : []),
  ].join(" · ");
}

/** What the shapes of estimates stand for; nothing to tell where all are of one kind. */
export function estimateLegend(metrics: readonly Metric[]): readonly LegendItem[] {
  const kinds = new Set(metrics.map(({ kind }) => kind));
  if (kinds.size < 2) return [];
  return [
    { text: "share of passes", tone: "value", shape: "circle" },
    { text: "mean of values", tone: "value", shape: "diamond" },
  ];
}

/** The confidence of the intervals of metrics; the usual one where nothing was observed. */
export function levelOf(metrics: readonly Pick<Metric, "level">[]): number {
  return metrics.find(({ level }) => level !== null)?.level ?? 0.95;
}

/** The confidence of intervals, in words. */
export function levelText(level: number): string {
  return `${Number((level * 100).toPrecision(6))}% intervals`;
}

/** A row per criterion. */
export function metricsPicture(
  { metrics, run_id, cases }: {
    readonly metrics: readonly Metric[];
    readonly run_id: string;
    readonly cases: number;
  },
): RowPicture {
  const rows: readonly Row[] = metrics.map((metric) => ({
    label: oneLine(metric.criterion, 60),
    marks: metricMarks(metric),
    note: metricNote(metric),
  }));
  return {
    kind: "rows",
    title: "Metrics",
    subtitle: `${run_id} · ${counted(cases, "case")} · ${levelText(levelOf(metrics))}`,
    description: rows.map(({ label, note }) => `${label}: ${note}.`).join(" "),
    axis: estimateAxis(metrics),
    groups: [{ heading: null, rows }],
    legend: estimateLegend(metrics),
    footnotes: [],
  };
}
