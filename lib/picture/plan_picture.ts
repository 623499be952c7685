/** A plan: the cases that there are against those that each rule needs. */
import { levelText } from "./metrics_picture.ts";
import type { Plan, PlannedRule } from "../domain/plan.ts";
import { testText } from "../report/comparison_text.ts";
import { oneLine } from "../report/printable.ts";
import type { Row, RowMark, RowPicture } from "./picture.ts";

/** A row per rule and share of changed verdicts, on a logarithmic axis of cases. */
export function planPicture({ rules, level }: Plan): RowPicture {
  const needs = rules.flatMap(({ needed_at_best, needed_at_churn, present }) => [
    present,
    needed_at_best ?? 1,
    ...needed_at_churn.map(({ needed }) => needed ?? 1),
  ]);
  const groups = rules.map((rule) => ({
    heading: `${oneLine(rule.name, 40)}: ${oneLine(rule.criterion, 40)}, ${testText(rule.rule)}`,
    rows: rowsOf(rule),
  }));
  return {
    kind: "rows",
    title: "Cases that the rules need",
    subtitle: levelText(level),
    description: groups.flatMap(({ heading, rows }) =>
      rows.map(({ label, note }) => `${heading}, ${label}: ${note}.`)
    )
      .join(" "),
    axis: {
      label: "cases (logarithmic)",
      unit: "count",
      scale: "log",
      domain: [1, Math.max(10, ...needs) * 1.3],
    },
    groups,
    legend: [
      { text: "needed, and there", tone: "value", shape: "circle" },
      { text: "needed, and not there", tone: "value", shape: "circle", hollow: true },
      { text: "cases that there are", tone: "muted", shape: "mark" },
    ],
    footnotes: [],
  };
}

function rowsOf({ rule, present, needed_at_best, needed_at_churn }: PlannedRule): readonly Row[] {
  if (!("margin_points" in rule) && rule.test !== "threshold") {
    return [{
      label: "these very cases",
      marks: presentMarks(present),
      note: `any number can pass · ${present} present`,
    }];
  }
  const row = (label: string, needed: number | null): Row => ({
    label,
    marks: [
      ...presentMarks(present),
      ...(needed === null ? [] : [
        {
          kind: "point",
          at: Math.max(1, needed),
          tone: "value",
          shape: "circle",
          hollow: needed > present,
        } as const,
      ]),
    ],
    note: `${needed === null ? "no number is enough" : `${needed} needed`} · ${present} present`,
  });
  return [
    ...(rule.test === "superiority"
      ? []
      : [row("margin_points" in rule ? "no verdict changes" : "every one passes", needed_at_best)]),
    ...needed_at_churn.map(({ churn, needed }) =>
      row(
        `${Number((churn * 100).toPrecision(6))}% change${
          rule.test === "superiority" ? ", all for the better" : ""
        }`,
        needed,
      )
    ),
  ];
}

function presentMarks(present: number): readonly RowMark[] {
  return present < 1 ? [] : [{ kind: "mark", at: present }];
}
