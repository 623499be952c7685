/** A comparison as tables and pictures. */
import type { ChangedCase, Comparison } from "../domain/comparison.ts";
import { differencesPicture } from "../picture/differences_picture.ts";
import { thresholdsPicture } from "../picture/thresholds_picture.ts";
import { askedText, gateText, marginsOf, noteLines } from "../report/comparison_text.ts";
import { ABSENT } from "../report/metric_text.ts";
import { differenceCells, differenceColumns, numberCell } from "./metric_table.ts";
import { type Section, section, type Sheet } from "./sheet.ts";

/** A comparison: the gate and its decisions, the differences, slices, and the cases whose verdict changed. */
export function comparisonSheet(comparison: Comparison, changed: readonly ChangedCase[] = []): Sheet {
  const { comparison_id, content } = comparison;
  const { candidate, baseline, gate, decisions, paired } = content;
  return {
    title: gate === null ? "Comparison" : gateText(gate, decisions),
    facts: [
      ["Comparison", comparison_id],
      ["Candidate", candidate],
      ["Baseline", baseline ?? "none: the policy is about the candidate alone"],
      ["Paired cases", String(paired)],
      ["Made", comparison.created_at],
    ],
    sections: [
      ...decisionSections(comparison),
      ...differenceSections(comparison),
      section("Notes", { lines: noteLines(comparison) }),
      ...sliceSections(comparison),
      ...changedSections(changed),
    ],
  };
}

function decisionSections(comparison: Comparison): readonly Section[] {
  const { decisions, policy } = comparison.content;
  if (policy === null || decisions.length === 0) return [];
  const thresholds = thresholdsPicture(comparison);
  return [
    section("Decisions", {
      tables: [{
        caption: "Decisions",
        columns: ["Rule", "Criterion", "Test", "Decision", "Reason"].map((name) => ({ name })),
        rows: decisions.map((one, index) => {
          const { name, criterion, decision, reason } = one;
          return [name, criterion, askedText(one, policy.rules[index]), decision, reason];
        }),
      }],
      pictures: thresholds === undefined ? [] : [thresholds],
    }),
  ];
}

function differenceSections(comparison: Comparison): readonly Section[] {
  const { metrics, baseline, decisions } = comparison.content;
  const margins = marginsOf(comparison);
  const drawn = metrics.length > 0 || decisions.some(({ at_least }) => at_least === null);
  if (baseline === null || !drawn) return [];
  return [
    section("Differences", {
      tables: metrics.length === 0 ? [] : [{
        caption: "Paired differences, candidate minus baseline",
        columns: [{ name: "Metric" }, ...differenceColumns],
        rows: metrics.map((metric) => [
          metric.criterion,
          ...differenceCells(metric, margins.get(metric.criterion) ?? []),
        ]),
      }],
      pictures: [differencesPicture(comparison)],
    }),
  ];
}

function sliceSections({ content: { slices }, min_slice_support }: Comparison): readonly Section[] {
  if (slices.length === 0) return [];
  return [
    section("Slices", {
      place: "report",
      tables: [{
        caption: "Differences by the baseline's slices",
        columns: [{ name: "Slice" }, { name: "Value" }, { name: "Metric" }, ...differenceColumns],
        rows: slices.flatMap(({ slice, value, cases, metrics }) =>
          metrics === null
            ? [[
              slice,
              value,
              ABSENT,
              ...differenceColumns.map(({ name }) =>
                name === "Pairs"
                  ? { text: `${cases} pairs, below min_slice_support ${min_slice_support}`, order: cases }
                  : numberCell(ABSENT, null)
              ),
            ]]
            : metrics.map((metric) => [slice, value, metric.criterion, ...differenceCells(metric, [])])
        ),
      }],
      lines: ["Exploratory: with many slices, some will look remarkable by chance."],
    }),
  ];
}

function changedSections(changed: readonly ChangedCase[]): readonly Section[] {
  if (changed.length === 0) return [];
  const text = (output: unknown) => output === undefined ? "not in this store" : JSON.stringify(output);
  return [
    section("Changed verdicts", {
      place: "notebook",
      tables: [{
        caption: "Cases whose verdict changed",
        columns: ["Case", "Change", "Baseline", "Candidate"].map((name) => ({ name })),
        rows: changed.map(({ case_id, changes, baseline_output, candidate_output }) => [
          case_id,
          changes.map(({ criterion, change }) => `${criterion} ${change}`).join(", "),
          text(baseline_output),
          text(candidate_output),
        ]),
      }],
    }),
  ];
}
