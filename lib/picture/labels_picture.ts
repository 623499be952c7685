/** The labels of a diagnosis. */
import { counted } from "../report/run_text.ts";
import type {
  DiagnosedCase,
  Diagnosis,
  DiagnosisLabel,
  DiagnosisReport,
  LabelStrength,
} from "../domain/diagnosis.ts";
import { interventionName } from "../report/diagnosis_text.ts";
import { oneLine } from "../report/printable.ts";
import type { Filling, LegendItem, Row, RowPicture, Tone } from "./picture.ts";

/** How the strength of a label is drawn, and what it means. */
const strengths: Readonly<
  Record<LabelStrength, { readonly tone: Tone; readonly filling: Filling; readonly text: string }>
> = {
  intervention_recovery: { tone: "value", filling: "solid", text: "recovered with the gold context" },
  intervention_non_recovery: { tone: "bad", filling: "half", text: "still failed with it" },
  none: { tone: "muted", filling: "hollow", text: "nothing can be said" },
};

/** A bar per label that occurs, in the order of the table that assigns them. */
export function labelsPicture(
  { diagnosis: { content }, tally }: Pick<DiagnosisReport, "diagnosis" | "tally">,
): RowPicture {
  const { cases, run_id, criterion, intervention, carried } = content;
  const groups = Map.groupBy(cases, ({ label }) => label);
  const present = tally.labels.map(({ label }) => label);
  const rows = present.map((label) => rowOf(label, groups.get(label) ?? [], content));
  const used = new Set(present.map((label) => strengthOf(groups.get(label) ?? [])));
  return {
    kind: "rows",
    title: `Labels of the failed cases · ${oneLine(criterion, 60)}`,
    subtitle: `${run_id} · ${counted(cases.length, "failed case")} re-executed`,
    description: rows.map(({ label, note }) => `${label}: ${note}.`).join(" "),
    axis: { label: "failed cases", unit: "count", domain: [0, Math.max(1, cases.length)] },
    groups: [{ heading: null, rows }],
    legend: (Object.keys(strengths) as LabelStrength[]).filter((strength) => used.has(strength)).map(
      legendOf,
    ),
    footnotes: [
      ...(carried === null ? [] : [
        `Labels from the gold-context diagnosis; the notes tell what ${
          oneLine(interventionName(intervention), 60)
        } recovered.`,
      ]),
      ...(cases.length === 0 ? ["No failed case could be diagnosed."] : [
        "Observed cases, without a claim about others. A label says where evidence was lost; it names no cause.",
      ]),
    ],
  };
}

function strengthOf(cases: readonly DiagnosedCase[]): LabelStrength {
  return cases[0]?.strength ?? "none";
}

function rowOf(
  label: DiagnosisLabel,
  cases: readonly DiagnosedCase[],
  { cases: all, carried }: Diagnosis["content"],
): Row {
  const { tone, filling } = strengths[strengthOf(cases)];
  const recovered = cases.filter((one) => one.recovered).length;
  return {
    label,
    marks: [{ kind: "bar", to: cases.length, tone, filling }],
    note: [
      `${cases.length} of ${all.length}`,
      ...(carried === null ? [] : [`${recovered} recovered in the replay`]),
    ].join(" · "),
  };
}

function legendOf(strength: LabelStrength): LegendItem {
  const { tone, filling, text } = strengths[strength];
  return { text, tone, shape: filling };
}
