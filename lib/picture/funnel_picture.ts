/** The evidence funnel. */
import { counted } from "../report/run_text.ts";
import type { Funnel } from "../domain/run_report.ts";
import { formatNumber } from "../stats/format_number.ts";
import type { Row, RowPicture } from "./picture.ts";

/** How many of the relevant units were retrieved, stood within top-k and reached the context. */
export function funnelPicture(
  { funnel, run_id, top_k }: {
    readonly funnel: Funnel;
    readonly run_id: string;
    readonly top_k: number | null;
  },
): RowPicture {
  const { relevant, unit, cases } = funnel;
  const steps: readonly (readonly [string, number | null])[] = [
    ["relevant", relevant],
    ["retrieved", funnel.retrieved],
    [top_k === null ? "within top-k" : `within top-k (${top_k})`, funnel.within_top_k],
    ["in the context", funnel.in_context],
  ];
  const rows: readonly Row[] = steps.map(([label, count]) => ({
    label,
    marks: count === null || count === 0 ? [] : [{ kind: "bar", to: count, tone: "value", filling: "solid" }],
    note: count === null ? "not known: the system does not report it" : shareText(count, relevant),
  }));
  return {
    kind: "rows",
    title: "Evidence funnel",
    subtitle: `${run_id} · ${counted(relevant, `relevant ${unit}`)} of ${counted(cases, "labelled case")}`,
    description: rows.map(({ label, note }) => `${label}: ${note}.`).join(" "),
    axis: { label: `relevant ${unit}s`, unit: "count", domain: [0, Math.max(1, relevant)] },
    groups: [{ heading: null, rows }],
    legend: [],
    footnotes: cases === 0 ? ["No case has a relevant unit and was executed to the end."] : [],
  };
}

/** `12 of 13 (92.3%)` */
function shareText(count: number, of: number): string {
  if (of === 0) return "0";
  return `${count} of ${of} (${formatNumber(count / of, { style: "percent", role: "estimate" })})`;
}
