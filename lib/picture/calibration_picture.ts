/** A judge measured against people. */
import type { Calibration, JudgeRate } from "../domain/calibration.ts";
import { rateText } from "../report/calibration_text.ts";
import { oneLine } from "../report/printable.ts";
import { counted } from "../report/run_text.ts";
import { levelText } from "./metrics_picture.ts";
import type { Row, RowPicture } from "./picture.ts";

/** A row per rate, with its exact interval; what no label tells is said. */
export function calibrationPicture({ content }: Pick<Calibration, "content">): RowPicture {
  const { criterion, figures, rows: labelled, level, repeats } = content;
  const rows: readonly Row[] = [
    rateRow("sensitivity", figures.sensitivity, "that people pass"),
    rateRow("specificity", figures.specificity, "that people fail"),
    rateRow("agreement", figures.agreement, "labels"),
    ...(figures.consistency === null
      ? []
      : [rateRow(`same in ${repeats} repeats`, figures.consistency, "rows")]),
  ];
  return {
    kind: "rows",
    title: `The judge of ${oneLine(criterion, 60)} against people`,
    subtitle: `${counted(labelled.length, "labelled row")}, ${figures.labels} with a verdict · ${
      levelText(level)
    }`,
    description: rows.map(({ label, note }) => `${label}: ${note}.`).join(" "),
    axis: { label: "share of rows", unit: "percent", domain: [0, 1] },
    groups: [{ heading: null, rows }],
    legend: [],
    footnotes: ["What a policy asks of a judge is asked of the lower bounds."],
  };
}

function rateRow(label: string, rate: JudgeRate | null, of: string): Row {
  if (rate === null) return { label, marks: [], note: "no label tells · n 0" };
  return {
    label,
    marks: [
      { kind: "interval", from: rate.lower, to: rate.upper, tone: "value" },
      { kind: "point", at: rate.value, tone: "value", shape: "circle" },
    ],
    note: rateText(rate, of),
  };
}
