/** One metric in words: the same digits in the table, in slice lines and in prose. */
import type { Metric } from "../domain/metric.ts";
import { formatNumber } from "../stats/format_number.ts";

/** What stands where there is nothing. */
export const ABSENT = "—";

/** The estimate, `69.2%` or `0.866`; `—` where nothing was observed. */
export function estimateText({ kind, estimate }: Metric): string {
  return estimate === null ? ABSENT : formatNumber(estimate, { style: styleOf(kind), role: "estimate" });
}

/** The interval, rounded outward; `—` where nothing was observed. */
export function intervalText({ kind, lower, upper }: Metric): string {
  if (lower === null || upper === null) return ABSENT;
  const style = styleOf(kind);
  return `[${formatNumber(lower, { style, role: "lower" })}, ${
    formatNumber(upper, { style, role: "upper" })
  }]`;
}

/** How many cases stand behind the figure, and how many do not. */
export function casesText({ kind, estimate, observed, missing, excluded }: Metric): string {
  if (estimate === null) return `${observed} observed · ${missing} missing · ${excluded} excluded`;
  const passes = Math.round(estimate * observed);
  const basis = kind === "proportion" ? `${passes} / ${observed} observed` : `mean of ${observed} observed`;
  return `${basis} · ${missing} missing · ${excluded} excluded`;
}

function styleOf(kind: Metric["kind"]): "percent" | "decimal" {
  return kind === "proportion" ? "percent" : "decimal";
}
