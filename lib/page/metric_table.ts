/** Tables of metrics, slices and differences. */
import type { MetricDifference } from "../domain/comparison.ts";
import type { Metric } from "../domain/metric.ts";
import { differenceText } from "../report/comparison_text.ts";
import { ABSENT, casesText, estimateText, intervalText } from "../report/metric_text.ts";
import type { Cell, Table, TableColumn } from "./sheet.ts";

/** Cells for an estimate: how much, how sure, of how many. */
export const metricColumns: readonly TableColumn[] = [
  { name: "Estimate", numeric: true },
  { name: "Interval", numeric: true },
  { name: "Cases" },
];

/** The cells of a metric, one per column of {@link metricColumns}. */
export function metricCells(metric: Metric): readonly Cell[] {
  return [
    numberCell(estimateText(metric), metric.estimate),
    numberCell(intervalText(metric), metric.lower),
    { text: casesText(metric), order: metric.observed },
  ];
}

/** A figure that is sorted by its unrounded value; what is absent comes first. */
export function numberCell(text: string, value: number | null): Cell {
  return { text, order: value ?? -Infinity };
}

/** A row per criterion. */
export function metricsTable(metrics: readonly Metric[]): Table {
  return {
    caption: "Metrics",
    columns: [{ name: "Metric" }, ...metricColumns],
    rows: metrics.map((metric) => [metric.criterion, ...metricCells(metric)]),
  };
}

/** Cells for a paired difference. */
export const differenceColumns: readonly TableColumn[] = [
  { name: "Difference", numeric: true },
  { name: "Better", numeric: true },
  { name: "Worse", numeric: true },
  { name: "Tied", numeric: true },
  { name: "Pairs" },
  { name: "McNemar p", numeric: true },
];

/** The cells of a difference, one per column of {@link differenceColumns}. */
export function differenceCells(metric: MetricDifference, margins: readonly number[]): readonly Cell[] {
  const { difference, better, worse, tied, paired, missing, excluded, mcnemar_p } = metric;
  return [
    numberCell(differenceText(metric, margins), difference),
    countCell(better),
    countCell(worse),
    countCell(tied),
    { text: `${paired} paired · ${missing} missing · ${excluded} excluded`, order: paired },
    numberCell(mcnemar_p === null ? ABSENT : String(Number(mcnemar_p.toPrecision(3))), mcnemar_p),
  ];
}

/** A count. */
export function countCell(count: number): Cell {
  return { text: String(count), order: count };
}
