/** One criterion by the values of the slices. */
import { counted } from "../report/run_text.ts";
import type { Metric, SliceMetrics } from "../domain/metric.ts";
import { estimateText } from "../report/metric_text.ts";
import { oneLine } from "../report/printable.ts";
import { estimateAxis, levelOf, levelText, metricMarks, metricNote } from "./metrics_picture.ts";
import type { Row, RowGroup, RowPicture } from "./picture.ts";

/** Values that are drawn of one slice; the table has them all. */
const MOST_VALUES = 20;

/** A group per slice and a row per value; values with too few cases are counted, not estimated. */
export function slicesPicture(
  { slices, metrics, run_id, min_slice_support }: {
    readonly slices: readonly SliceMetrics[];
    readonly metrics: readonly Metric[];
    readonly run_id: string;
    readonly min_slice_support: number;
  },
  criterion: string,
): RowPicture {
  const index = metrics.findIndex((metric) => metric.criterion === criterion);
  const overall = metrics[index];
  const groups = [...Map.groupBy(slices, ({ slice }) => slice)].map(([slice, values]) =>
    groupOf(slice, values, index, min_slice_support)
  );
  const drawn = overall === undefined ? [] : [overall];
  return {
    kind: "rows",
    title: `${oneLine(criterion, 60)} by slice`,
    subtitle: `${run_id} · ${counted(overall?.observed ?? 0, "observed case")} · ${
      levelText(levelOf(metrics))
    }`,
    description: groups.flatMap(({ heading, rows }) =>
      rows.map(({ label, note }) => `${heading} ${label}: ${note}.`)
    ).join(" "),
    axis: {
      ...estimateAxis(drawn),
      lines: overall === undefined || overall.estimate === null
        ? []
        : [{ at: overall.estimate, label: `all cases ${estimateText(overall)}` }],
    },
    groups,
    legend: [],
    footnotes: ["Slices are exploratory: with many of them, some will look remarkable by chance."],
  };
}

function groupOf(
  slice: string,
  values: readonly SliceMetrics[],
  index: number,
  support: number,
): RowGroup {
  const rows: readonly Row[] = values.slice(0, MOST_VALUES).map(({ value, cases, metrics }) => {
    const metric = metrics?.[index];
    return {
      label: oneLine(value, 60),
      marks: metric === undefined ? [] : metricMarks(metric),
      note: metric === undefined
        ? `${cases} case${cases === 1 ? "" : "s"}, below min_slice_support ${support}`
        : metricNote(metric),
    };
  });
  const rest = values.length - rows.length;
  return {
    heading: oneLine(slice, 80),
    rows: rest === 0 ? rows : [...rows, { label: `… ${rest} more`, marks: [], note: "in the table" }],
  };
}
