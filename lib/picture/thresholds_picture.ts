/** Rules about the candidate alone: its interval, or the share of its cases, against what is asked. */
import { levelText } from "./metrics_picture.ts";
import type { Comparison, Decision } from "../domain/comparison.ts";
import { oneLine } from "../report/printable.ts";
import { formatNumber } from "../stats/format_number.ts";
import { reasonTexts, ruleLegend, verdicts } from "./differences_picture.ts";
import type { Row, RowMark, RowPicture } from "./picture.ts";

/** A row per threshold rule; undefined where the policy has none. */
export function thresholdsPicture({ content }: Pick<Comparison, "content">): RowPicture | undefined {
  const { candidate, decisions, level } = content;
  const rows = decisions.filter(({ at_least }) => at_least !== null).map(rowOf);
  if (rows.length === 0) return undefined;
  return {
    kind: "rows",
    title: "Thresholds",
    subtitle: `${candidate} · ${levelText(level)}`,
    description: rows.map(({ label, note }) => `${label}: ${note}.`).join(" "),
    axis: { label: "the candidate's own cases", unit: "percent", domain: [0, 1] },
    groups: [{ heading: null, rows }],
    legend: ruleLegend(rows),
    footnotes: decisions.some(({ test }) => test === "suite-threshold")
      ? ["A point without an interval is the share of these very cases, without a claim about others."]
      : [],
  };
}

function rowOf(decision: Decision): Row {
  const { name, criterion, at_least, lower, upper, test } = decision;
  const { tone, shape, hollow, word } = verdicts[decision.decision];
  const least = at_least ?? 0;
  const asked: readonly RowMark[] = [{ kind: "zone", from: least, to: null }, { kind: "mark", at: least }];
  const percent = (value: number, role: "lower" | "estimate" | "upper") =>
    formatNumber(value, { style: "percent", role });
  const drawn: readonly RowMark[] = lower === null || upper === null
    ? []
    : test === "suite-threshold"
    ? [{ kind: "point", at: upper, tone, shape, hollow }]
    : [{ kind: "interval", from: lower, to: upper, tone }];
  const figures = lower === null || upper === null
    ? "nothing observed"
    : test === "suite-threshold"
    ? percent(upper, "estimate")
    : `[${percent(lower, "lower")}, ${percent(upper, "upper")}]`;
  return {
    label: `${oneLine(name, 40)} (${oneLine(criterion, 40)})`,
    marks: [...asked, ...drawn],
    note: [
      word,
      `${figures}, at least ${percent(least, "estimate")}`,
      ...reasonTexts(decision),
    ].join(" · "),
  };
}
