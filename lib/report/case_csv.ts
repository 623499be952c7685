/** Finished cases as rows of CSV, for spreadsheets and data frames. */
import { stringify } from "csv-stringify/sync";
import type { Json } from "../domain/json.ts";
import type { Judgment } from "../domain/judgment.ts";
import type { RunHeader, StoredCase } from "../domain/run.ts";
import { caseLine } from "./case_line.ts";
import { printable } from "./printable.ts";

type Run = Pick<RunHeader, "evaluators" | "repeats">;
type Cell = string | number;

/**
 * The header row. A criterion has three columns, `:value`, `:status` and `:reason`; no name of a criterion has a colon, so that
 * no column can be taken for another.
 */
export function csvHeader({ evaluators, repeats }: Run): string {
  return csvRow([
    "case_id",
    ...(repeats === 1 ? [] : ["repeat"]),
    ...["input", "expected", "metadata", "output", "error_stage", "error_kind", "error_message"],
    ...evaluators.flatMap(({ criterion }) =>
      ["value", "status", "reason"].map((part) => `${criterion}:${part}`)
    ),
  ]);
}

/**
 * The row of one finished case (and repeat). Text stands as it is, every other value as JSON; what there is not is an empty cell.
 * A text that a spreadsheet would take for a formula begins with `'`, and control characters are written as `\u{…}`. What must
 * come back to the letter is exported as JSONL.
 */
export function caseCsv(run: Run, stored: Pick<StoredCase, "record" | "judgments" | "repeat">): string {
  const { case_id, repeat, input, expected, metadata, output, error, judgments } = caseLine(run, stored);
  const { case: testCase, output: given } = stored.record;
  return csvRow([
    case_id,
    ...(repeat === undefined ? [] : [repeat]),
    cellOf(input),
    testCase.expected === undefined ? "" : cellOf(expected),
    testCase.metadata === undefined ? "" : cellOf(metadata),
    given === undefined ? "" : cellOf(output),
    ...(error === null ? ["", "", ""] : [error.stage, error.kind, error.message]),
    ...run.evaluators.flatMap(({ criterion }) => judgmentCells(judgments[criterion])),
  ]);
}

function judgmentCells(judgment: Judgment | undefined): readonly Cell[] {
  if (judgment === undefined) return ["", "", ""];
  if (judgment.status !== "observed") return ["", judgment.status, judgment.reason];
  return [cellOf(judgment.value), judgment.status, ""];
}

/** Numbers stay numbers: a negative one begins with a sign and is no formula. */
function cellOf(value: Json): Cell {
  if (typeof value === "string" || typeof value === "number") return value;
  return JSON.stringify(value);
}

/** One row, quoted as RFC 4180 says, with a line feed. */
function csvRow(cells: readonly Cell[]): string {
  return stringify([cells.map(harmless)], { escape_formulas: true });
}

/** What a terminal would obey is written out; the line breaks of a text may be those of any system. */
function harmless(cell: Cell): Cell {
  return typeof cell === "number" ? cell : cell.split("\r\n").map(printable).join("\r\n");
}
