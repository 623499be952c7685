/** CSV text → rows with their lines, or every mistake in it. Source: RFC 4180, and what spreadsheets make of it. */
import { CsvError, parse } from "csv-parse/sync";
import type { Issue } from "../domain/error.ts";
import { quote } from "../config/quote.ts";

/** The signs that may part cells. */
export const DELIMITERS = [",", ";", "\t"] as const;

/** One of them. */
export type Delimiter = (typeof DELIMITERS)[number];

/** A row; `line` is the 1-based line on which it begins. It has as many cells as the header. */
export interface CsvRow {
  readonly line: number;
  readonly cells: readonly string[];
}

/** A table, with the mistakes in it; rows that have any are not among `rows`. */
export interface CsvReading {
  readonly header: readonly string[];
  readonly rows: readonly CsvRow[];
  readonly issues: readonly Issue[];
  readonly delimiter: Delimiter;
}

/**
 * Reads a table with a header row. Line breaks may be those of any system and stand inside quotes; blank lines are passed over.
 * A row with more or fewer cells than the header is an issue, each of them; a misplaced quote is the last, since what follows it
 * would be guesswork.
 *
 * @param delimiter Absent = the one that the header has most of, outside of quotes.
 */
export function readCsv(
  text: string,
  file: string,
  delimiter: Delimiter = detectDelimiter(text),
): CsvReading {
  const bytes = new TextEncoder().encode(text);
  const lineAt = lineCounter(bytes);
  const issues: Issue[] = [];
  const rows: CsvRow[] = [];
  let header: readonly string[] | undefined;
  let end = 0;
  const add = (
    { record: cells, info }: { readonly record: string[]; readonly info: { readonly bytes: number } },
  ) => {
    const line = lineAt(end);
    end = info.bytes;
    if (header === undefined) header = cells;
    else if (cells.length === header.length) rows.push({ line, cells });
    else issues.push(raggedRow(cells, header, { file, line, delimiter }));
  };
  try {
    parse(bytes, {
      delimiter,
      info: true,
      relax_column_count: true,
      skip_empty_lines: true,
      // Rows are taken as they come, so that those before a mistake are known, and none is held twice.
      on_record: (record: unknown) => void add(record as Parameters<typeof add>[0]),
    });
  } catch (cause) {
    if (!(cause instanceof CsvError)) throw cause;
    issues.push({
      code: "invalid_csv",
      message: `${csvMistake(cause)} in the row that begins here`,
      file,
      line: lineAt(end),
    });
  }
  return { header: header ?? [], rows, issues, delimiter };
}

function csvMistake({ code }: CsvError): string {
  switch (code) {
    case "CSV_QUOTE_NOT_CLOSED":
      return "A quote is never closed";
    case "CSV_INVALID_CLOSING_QUOTE":
      return "Text follows a closing quote; a quote inside a quoted cell is written twice,";
    case "INVALID_OPENING_QUOTE":
      return "A quote stands inside a cell that does not begin with one; quote the cell and write the quote twice,";
    default:
      return `CSV that cannot be read (${code})`;
  }
}

function raggedRow(
  cells: readonly string[],
  header: readonly string[],
  { file, line, delimiter }: { readonly file: string; readonly line: number; readonly delimiter: Delimiter },
): Issue {
  return {
    code: "ragged_row",
    message: `The row has ${counted(cells.length, "cell")}, the header ${header.length}; it begins ${
      quote(cells[0] ?? "")
    }`,
    file,
    line,
    hint: `cells are parted by ${
      quote(delimiter)
    } here; a cell that holds one, or a line break, stands in quotes`,
  };
}

function counted(count: number, thing: string): string {
  return `${count} ${thing}${count === 1 ? "" : "s"}`;
}

/** The delimiter that the first line has most of, outside of quotes; a comma when there is none. */
export function detectDelimiter(text: string): Delimiter {
  const counts = new Map<string, number>();
  let quoted = false;
  for (const character of text) {
    if (character === '"') quoted = !quoted;
    else if (!quoted && (character === "\n" || character === "\r")) {
      if (counts.size > 0) break;
    } else if (!quoted) counts.set(character, (counts.get(character) ?? 0) + 1);
  }
  const [first] = DELIMITERS.toSorted((a, b) => (counts.get(b) ?? 0) - (counts.get(a) ?? 0));
  return first ?? ",";
}

const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;

/** Finds the line of the row that begins at or after an offset; offsets only grow. */
function lineCounter(bytes: Uint8Array): (offset: number) => number {
  let line = 1;
  let at = 0;
  const step = () => {
    const ends = bytes[at] === LINE_FEED || (bytes[at] === CARRIAGE_RETURN && bytes[at + 1] !== LINE_FEED);
    if (ends) line++;
    at++;
  };
  return (offset) => {
    while (at < offset) step();
    while (bytes[at] === LINE_FEED || bytes[at] === CARRIAGE_RETURN) step();
    return line;
  };
}
