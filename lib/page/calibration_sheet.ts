/** A calibration as tables and a picture. */
import { type Calibration, type CalibrationRow, disagreements } from "../domain/calibration.ts";
import { calibrationPicture } from "../picture/calibration_picture.ts";
import { calibrationText } from "../report/calibration_text.ts";
import { countCell } from "./metric_table.ts";
import { section, type Sheet, type Table } from "./sheet.ts";

/** A calibration: the 2×2 table, the rates, and the rows on which judge and people disagree. Reasons quote what was judged. */
export function calibrationSheet(calibration: Calibration, withReasons = true): Sheet {
  const { calibration_id, content, run_id, created_at } = calibration;
  const { criterion, judge, rows, figures: { table } } = content;
  const differing = disagreements(rows);
  const others = rows.filter((row) => !differing.includes(row));
  return {
    title: `Calibration of the judge of ${criterion}`,
    facts: [
      ["Calibration", calibration_id],
      ["Judge", judge.type],
      ["Run", run_id ?? "none: every row brought its record"],
      ["Made", created_at],
    ],
    sections: [
      section("Judge against people", {
        lines: figureLines(calibration),
        pictures: [calibrationPicture(calibration)],
        tables: [{
          caption: "Verdicts",
          columns: [
            { name: "Verdict of people" },
            { name: "Judge passes", numeric: true },
            { name: "Judge fails", numeric: true },
          ],
          rows: [
            ["People pass", countCell(table.human_pass_judge_pass), countCell(table.human_pass_judge_fail)],
            ["People fail", countCell(table.human_fail_judge_pass), countCell(table.human_fail_judge_fail)],
          ],
        }],
      }),
      section("Disagreements", { tables: rowTables("Rows on which judge and people disagree", differing) }),
      section("Others", { place: "report", tables: rowTables("Other rows", others) }),
    ],
  };

  function rowTables(caption: string, of: readonly CalibrationRow[]): readonly Table[] {
    if (of.length === 0) return [];
    return [{
      caption,
      columns: ["Row", "People", "Judge", ...(withReasons ? ["Reason"] : [])].map((name) => ({ name })),
      rows: of.map(({ row, label, verdicts, reason }) => [
        row,
        label,
        `${verdicts.join(", then ")}${reason === undefined ? "" : ` (${reason})`}`,
        ...(withReasons ? [calibration.reasons[row] ?? ""] : []),
      ]),
    }];
  }
}

/** The lines that `judge calibrate` prints of figures: without its table, the rows, ids and the next command. */
function figureLines(calibration: Calibration): readonly string[] {
  const lines = calibrationText(calibration).trimEnd().split("\n");
  const end = lines.findIndex((line) => line.startsWith("Disagreements: "));
  return lines.slice(0, end).filter((line) => !/^[┌│├└]/.test(line));
}
