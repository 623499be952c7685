/** Where the best relevant evidence of failed cases stood. */
import type { FailedCase } from "../domain/run_report.ts";
import { oneLine } from "../report/printable.ts";
import { counted } from "../report/run_text.ts";
import type { RowPicture } from "./picture.ts";

/** A bar per best relevant position, numbers first. */
export function failuresPicture(
  { run_id, criterion, failed }: {
    readonly run_id: string;
    readonly criterion: string;
    readonly failed: readonly FailedCase[];
  },
): RowPicture {
  const groups = [...Map.groupBy(failed, ({ relevant_position }) => relevant_position)]
    .sort(([a], [b]) => placeOf(a) - placeOf(b) || (a < b ? -1 : 1));
  const rows = groups.map(([position, cases]) => ({
    label: placeOf(position) === Infinity ? position : `position ${position}`,
    marks: [{ kind: "bar", to: cases.length, tone: "value", filling: "solid" } as const],
    note: `${cases.length} of ${failed.length}`,
  }));
  return {
    kind: "rows",
    title: `Failures of ${oneLine(criterion, 60)} by best relevant position`,
    subtitle: `${run_id} · ${counted(failed.length, "failed case")}`,
    description: rows.map(({ label, note }) => `${label}: ${note}.`).join(" "),
    axis: { label: "failed cases", unit: "count", domain: [0, Math.max(1, failed.length)] },
    groups: [{ heading: null, rows }],
    legend: [],
    footnotes: [],
  };
}

function placeOf(position: string): number {
  return /^\d+$/.test(position) ? Number(position) : Infinity;
}
