/** Paired differences against the margins of rules: at a glance decided, or not. */
import { levelText } from "./metrics_picture.ts";
import { counted } from "../report/run_text.ts";
import type { Comparison, Decision, MetricDifference, Verdict } from "../domain/comparison.ts";
import type { Rule } from "../domain/policy.ts";
import { differenceText, marginsOf, shrunkText } from "../report/comparison_text.ts";
import { oneLine } from "../report/printable.ts";
import type { Axis, LegendItem, PointShape, Row, RowGroup, RowMark, RowPicture, Tone } from "./picture.ts";

/** How a verdict is drawn and called. */
export const verdicts: Readonly<
  Record<
    Verdict,
    { readonly tone: Tone; readonly shape: PointShape; readonly hollow: boolean; readonly word: string }
  >
> = {
  PASS: { tone: "good", shape: "circle", hollow: false, word: "PASS" },
  FAIL: { tone: "bad", shape: "cross", hollow: false, word: "FAIL" },
  INSUFFICIENT_EVIDENCE: { tone: "open", shape: "diamond", hollow: true, word: "undecided" },
};

/** A row per rule about a difference, then a row per criterion without such a rule. */
export function differencesPicture({ content }: Pick<Comparison, "content">): RowPicture {
  const { candidate, baseline, paired, level, decisions, policy, metrics } = content;
  const margins = marginsOf({ content });
  const ruled = decisions.flatMap((decision, index) => {
    const rule = policy?.rules[index];
    return rule === undefined || "at_least" in rule
      ? []
      : [{ rule, row: ruleRow(rule, decision, metrics, margins) }];
  });
  const covered = new Set(
    ruled.filter(({ rule }) => "margin_points" in rule).map(({ rule }) => rule.criterion),
  );
  const free = metrics.filter(({ criterion }) => !covered.has(criterion)).map((metric) => ({
    label: oneLine(metric.criterion, 60),
    marks: differenceMarks(metric, "value", "circle", false),
    note: `${differenceText(metric, margins.get(metric.criterion) ?? [])} · ${pairsText(metric)}`,
  }));
  const groups: readonly RowGroup[] = ruled.length === 0 ? [{ heading: null, rows: free }] : [
    { heading: "Rules", rows: ruled.map(({ row }) => row) },
    ...(free.length === 0 ? [] : [{ heading: "Without a rule about a difference", rows: free }]),
  ];
  const zones = ruled.some(({ rule }) => "margin_points" in rule);
  return {
    kind: "rows",
    title: baseline === null ? "Rules about the candidate" : "Paired differences",
    // Ids of runs are wide: they have a line of their own.
    subtitle: [
      baseline === null ? candidate : `${candidate} against ${baseline}`,
      `${counted(paired, "paired case")} · ${levelText(level)}`,
    ].join("\n"),
    description: groups.flatMap(({ rows }) => rows.map(({ label, note }) => `${label}: ${note}.`)).join(" "),
    axis: differenceAxis(groups),
    groups,
    legend: zones ? ruleLegend(ruled.map(({ row }) => row)) : [],
    footnotes: zones
      ? [
        "A rule passes when its whole interval lies on the shaded side of its margin, fails when it lies wholly off it.",
      ]
      : [],
  };
}

/** The interval of a paired difference and its estimate; nothing without an observed pair. */
export function differenceMarks(
  { difference, lower, upper }: Pick<MetricDifference, "difference" | "lower" | "upper">,
  tone: Tone,
  shape: PointShape,
  hollow: boolean,
): readonly RowMark[] {
  if (difference === null || lower === null || upper === null) return [];
  return [
    { kind: "interval", from: lower, to: upper, tone },
    { kind: "point", at: difference, tone, shape, hollow },
  ];
}

/** `13 pairs · 2 missing` */
export function pairsText({ paired, missing, excluded }: MetricDifference): string {
  return [
    `${paired} pair${paired === 1 ? "" : "s"}`,
    ...(missing > 0 ? [`${missing} missing`] : []),
    ...(excluded > 0 ? [`${excluded} excluded`] : []),
  ].join(" · ");
}

/** An axis that holds everything that is drawn, and zero. */
export function differenceAxis(groups: readonly RowGroup[]): Axis {
  const drawn = groups.flatMap(({ rows }) => rows.flatMap(({ marks }) => marks.flatMap(placesOf)));
  const [least, greatest] = [Math.min(0, ...drawn), Math.max(0, ...drawn)];
  const room = Math.max(0.02, (greatest - least) * 0.06);
  return {
    label: "difference in points, candidate minus baseline (worse ← 0 → better)",
    unit: "points",
    domain: [least - room, greatest + room],
  };
}

function placesOf(mark: RowMark): readonly number[] {
  switch (mark.kind) {
    case "interval":
      return [mark.from, mark.to];
    case "zone":
      return [mark.from, mark.to].filter((end) => end !== null);
    case "bar":
      return [mark.to];
    case "point":
    case "mark":
      return [mark.at];
  }
}

function ruleRow(
  rule: Exclude<Rule, { readonly at_least: number }>,
  decision: Decision,
  metrics: readonly MetricDifference[],
  margins: ReadonlyMap<string, readonly number[]>,
): Row {
  const { tone, shape, hollow, word } = verdicts[decision.decision];
  const metric = metrics.find(({ criterion }) => criterion === rule.criterion);
  const label = `${oneLine(rule.name, 40)} (${oneLine(rule.criterion, 40)})`;
  const reasons = reasonTexts(decision);
  if (!("margin_points" in rule)) {
    const regressed = `${decision.regressed.length} regressed, none allowed`;
    return { label, marks: [], note: [word, regressed, ...reasons].join(" · ") };
  }
  const figures = metric === undefined
    ? []
    : [differenceText(metric, margins.get(rule.criterion) ?? []), pairsText(metric)];
  const { shrunk_margin_points: shrunk } = decision;
  return {
    label,
    marks: [
      // The margin that decided: the errors of a judge shrink the one that the rule states.
      ...marginMarks(rule.test, (shrunk ?? rule.margin_points) / 100),
      ...(metric === undefined ? [] : differenceMarks(metric, tone, shape, hollow)),
    ],
    note: [
      word,
      ...figures,
      ...(shrunk === undefined ? [] : [`margin ${shrunkText(shrunk)} through its judge`]),
      ...reasons,
    ].join(" · "),
  };
}

/** What decided besides the interval, or kept a rule from being decided by it: the interval alone would mislead. */
export function reasonTexts({ unobserved, reason, decision }: Decision): readonly string[] {
  const byInterval = reason === "interval_overlaps_margin" || reason === "missing_outcomes";
  return [
    ...(unobserved === 0 ? [] : [
      `${unobserved} unobserved${reason === "missing_outcomes" ? " could decide it" : ""}`,
    ]),
    ...(decision === "INSUFFICIENT_EVIDENCE" && !byInterval ? [reason.replaceAll("_", " ")] : []),
  ];
}

/** Where an interval must lie for a rule to pass, and the margins that bound it. */
function marginMarks(test: Rule["test"], margin: number): readonly RowMark[] {
  switch (test) {
    case "superiority":
      return [{ kind: "zone", from: margin, to: null }, { kind: "mark", at: margin }];
    case "equivalence":
      return [
        { kind: "zone", from: -margin, to: margin },
        { kind: "mark", at: -margin },
        { kind: "mark", at: margin },
      ];
    default:
      return [{ kind: "zone", from: -margin, to: null }, { kind: "mark", at: -margin }];
  }
}

/** What the shapes mean, of those that are drawn. */
export function ruleLegend(rows: readonly Row[]): readonly LegendItem[] {
  const drawn = (verdict: Verdict) => rows.some(({ note }) => note.startsWith(verdicts[verdict].word));
  const names = { PASS: "passes", FAIL: "fails", INSUFFICIENT_EVIDENCE: "undecided: insufficient evidence" };
  return [
    ...(["PASS", "FAIL", "INSUFFICIENT_EVIDENCE"] as const).filter(drawn).map((verdict) => {
      const { tone, shape, hollow } = verdicts[verdict];
      return { text: names[verdict], tone, shape, hollow };
    }),
    { text: "margin", tone: "muted", shape: "mark" },
    { text: "where it passes", tone: "muted", shape: "zone" },
  ];
}
