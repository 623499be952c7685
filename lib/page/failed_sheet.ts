/** The failures of a criterion as a table and a picture. */
import { failuresPicture } from "../picture/failures_picture.ts";
import type { FailedCases } from "../report/inspect_text.ts";
import { counted } from "../report/run_text.ts";
import { section, type Sheet } from "./sheet.ts";

/** The failed cases: what was expected, what came, and where the evidence stood. */
export function failedSheet(found: FailedCases): Sheet {
  const { run_id, criterion, failed, missing } = found;
  return {
    title: `${counted(failed.length, "case")} failed ${criterion}`,
    facts: [["Run", run_id], ["Missing judgments", String(missing)]],
    sections: [
      section("Failed cases", {
        tables: failed.length === 0 ? [] : [{
          caption: `Failures of ${criterion}`,
          columns: [
            { name: "Case" },
            { name: "Expected" },
            { name: "Got" },
            { name: "Details" },
            { name: "Relevant position", numeric: true },
          ],
          rows: failed.map(({ case_id, expected, got, details, relevant_position }) => [
            case_id,
            JSON.stringify(expected),
            JSON.stringify(got),
            details === null ? "" : JSON.stringify(details),
            {
              text: relevant_position,
              order: Number.isNaN(Number(relevant_position)) ? Infinity : Number(relevant_position),
            },
          ]),
        }],
        pictures: failed.length === 0 ? [] : [failuresPicture(found)],
      }),
    ],
  };
}
