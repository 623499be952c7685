/** Every combination of a sweep against the run that it starts from. */
import type { Sweep } from "../domain/sweep.ts";
import { differenceText } from "../report/comparison_text.ts";
import { estimateText } from "../report/metric_text.ts";
import { oneLine } from "../report/printable.ts";
import { counted } from "../report/run_text.ts";
import { affected, partsOf, settingText, sweepNotes, variedText } from "../report/sweep_text.ts";
import { differenceAxis, differenceMarks, pairsText } from "./differences_picture.ts";
import { levelText } from "./metrics_picture.ts";
import type { RowGroup, RowPicture } from "./picture.ts";

/** A group per criterion that can change, a row per combination; undefined where none can. */
export function sweepPicture(sweep: Sweep): RowPicture | undefined {
  const { content } = sweep;
  const { run_id, cases, combinations, varied } = content;
  const groups: readonly RowGroup[] = affected(content).map((criterion) => ({
    heading: oneLine(criterion, 60),
    rows: combinations.flatMap((combination) => {
      const { metric, difference } = partsOf(combination, criterion);
      if (metric === undefined || difference === undefined) return [];
      const { as_run } = combination;
      const marks = as_run
        ? differenceMarks(difference, "muted", "square", true)
        : differenceMarks(difference, "value", "circle", false);
      return [{
        label: `${settingText(combination)}${as_run ? " (as run)" : ""}`,
        marks,
        note: `${differenceText(difference, [])} · ${estimateText(metric)} · ${pairsText(difference)}`,
      }];
    }),
  }));
  if (groups.length === 0) return undefined;
  return {
    kind: "rows",
    title: `Sweep over ${varied.map(variedText).join(" and ")}`,
    subtitle: `${run_id} · ${counted(cases, "case")}\nPaired differences from the run, ${levelText(0.95)}`,
    description: groups.flatMap(({ heading, rows }) =>
      rows.map(({ label, note }) => `${heading}, ${label}: ${note}.`)
    ).join(" "),
    axis: { ...differenceAxis(groups), label: "difference from the run in points (worse ← 0 → better)" },
    groups,
    legend: [
      { text: "combination", tone: "value", shape: "circle" },
      ...(combinations.some(({ as_run }) => as_run)
        ? [{ text: "the settings of the run", tone: "muted", shape: "square", hollow: true } as const]
        : []),
    ],
    footnotes: sweepNotes(sweep),
  };
}
