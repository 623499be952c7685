/** A sweep as one table and one picture. */
import type { Sweep, SweptCalls } from "../domain/sweep.ts";
import { sweepPicture } from "../picture/sweep_picture.ts";
import { affected, partsOf, settingText, sweepNotes, variedText } from "../report/sweep_text.ts";
import { countCell, differenceCells, differenceColumns, metricCells, metricColumns } from "./metric_table.ts";
import { section, type Sheet } from "./sheet.ts";

/** A sweep: every combination, the calls, and where the combinations are kept. */
export function sweepSheet(sweep: Sweep): Sheet {
  const { sweep_id, content, calls, runs, created_at } = sweep;
  const { run_id, varied, combinations, cases } = content;
  const picture = sweepPicture(sweep);
  const callsRow = (stage: string, { made, saved }: SweptCalls) => [stage, countCell(made), countCell(saved)];
  return {
    title: `Sweep over ${varied.map(variedText).join(" and ")}`,
    facts: [
      ["Sweep", sweep_id],
      ["Run", run_id],
      ["Cases", String(cases)],
      ["Combinations", String(combinations.length)],
      ["Made", created_at],
    ],
    sections: [
      section("Combinations", {
        tables: [{
          caption: "Every combination against the run",
          columns: [
            { name: "Metric" },
            ...varied.map(({ setting }) => ({ name: setting })),
            ...metricColumns.slice(0, 2),
            ...differenceColumns.slice(0, -1),
          ],
          rows: affected(content).flatMap((criterion) =>
            combinations.flatMap((combination) => {
              const { metric, difference } = partsOf(combination, criterion);
              return metric === undefined || difference === undefined ? [] : [[
                criterion,
                ...varied.map(({ setting }) => JSON.stringify(combination.set[setting] ?? null)),
                // Of how many cases, the pairs say.
                ...metricCells(metric).slice(0, 2),
                ...differenceCells(difference, []).slice(0, -1),
              ]];
            })
          ),
        }],
        pictures: picture === undefined ? [] : [picture],
        lines: sweepNotes(sweep),
      }),
      section("Calls", {
        tables: [{
          caption: "Calls",
          columns: [{ name: "Stage" }, { name: "Made", numeric: true }, { name: "Saved", numeric: true }],
          rows: [callsRow("retrieve", calls.retrieve), callsRow("generate", calls.generate)],
        }],
      }),
      section("Runs", {
        place: "report",
        tables: [{
          caption: "Where the combinations are kept",
          columns: ["Settings", "Run", "Comparison"].map((name) => ({ name })),
          rows: runs.map(({ run_id, comparison_id }, index) => [
            settingText(combinations[index]),
            run_id,
            comparison_id,
          ]),
        }],
      }),
    ],
  };
}
