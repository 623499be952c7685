/** A diagnosis as tables and pictures. */
import type { DiagnosedCase, DiagnosisReport } from "../domain/diagnosis.ts";
import { labelsPicture } from "../picture/labels_picture.ts";
import { attemptsText, diagnosisText, interventionName, positionText } from "../report/diagnosis_text.ts";
import { countCell } from "./metric_table.ts";
import { type Cell, section, type Sheet } from "./sheet.ts";

/** A diagnosis: what was found, the labels, and the case behind every count. */
export function diagnosisSheet(report: DiagnosisReport): Sheet {
  const { diagnosis, tally } = report;
  const { content, diagnosis_id, child_runs } = diagnosis;
  return {
    title: `Diagnosis of ${content.criterion}`,
    facts: [
      ["Diagnosis", diagnosis_id],
      ["Run", content.run_id],
      ["Intervention", interventionName(content.intervention)],
      ["Repeats", String(content.repeats)],
      ...child_runs.map(({ role, run_id }) => [`Child run: ${role}`, run_id] as const),
    ],
    sections: [
      section("What was found", {
        lines: foundLines(report),
        pictures: [labelsPicture(report)],
        tables: [{
          caption: "Labels",
          columns: [{ name: "Label" }, { name: "Cases", numeric: true }],
          rows: tally.labels.map(({ label, cases }) => [label, countCell(cases)]),
        }],
      }),
      section("Cases", {
        place: "notebook",
        tables: content.cases.length === 0 ? [] : [{
          caption: "Diagnosed cases",
          columns: [
            { name: "Case" },
            { name: "Label" },
            { name: "Reason" },
            { name: "Best position", numeric: true },
            { name: "With the change" },
            { name: "Control" },
            { name: "Recovered" },
          ],
          rows: content.cases.map((one) => caseRow(one, diagnosis)),
        }],
      }),
    ],
  };
}

/** The lines that `diagnose` prints, without those that name ids and the next command. */
function foundLines(report: DiagnosisReport): readonly string[] {
  return diagnosisText(report).trimEnd().split("\n")
    .filter((line) => !/^(?:Diagnosis sha256:|Child runs: |Cases: )/.test(line));
}

function caseRow(one: DiagnosedCase, diagnosis: DiagnosisReport["diagnosis"]): readonly Cell[] {
  const { repeats } = diagnosis.content;
  return [
    one.case_id,
    one.label,
    one.reason,
    { text: positionText(one, diagnosis.settings), order: one.best_relevant_position ?? Infinity },
    attemptsText(one.intervention, repeats),
    attemptsText(one.control, repeats),
    one.recovered ? "yes" : "no",
  ];
}
