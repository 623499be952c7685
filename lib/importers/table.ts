/** A source of rows, whatever its form: CSV, JSONL or a JSON document with a list. */
import type { Issue } from "../domain/error.ts";
import { isJsonObject } from "../domain/json.ts";
import { quote } from "../config/quote.ts";
import { type Delimiter, readCsv } from "./csv_text.ts";
import type { SourceFile } from "./imported.ts";
import { readDocument, readJsonLines, type RowReading, rowsOfList } from "./json_rows.ts";

/** The rows of a file, by the ending of its name. Cells of CSV are text; an empty one is absent. */
export async function* readTable(file: SourceFile, delimiter?: Delimiter): AsyncGenerator<RowReading> {
  if (/\.(?:csv|tsv)$/i.test(file.shown)) yield* readCsvRows(await file.text(), file.shown, delimiter);
  else if (/\.(?:jsonl|ndjson)$/i.test(file.shown)) yield* readJsonLines(file);
  else yield* readList(file);
}

async function* readList(file: SourceFile): AsyncGenerator<RowReading> {
  const document = await readDocument(file);
  if (!document.ok) yield document;
  else if (Array.isArray(document.value)) yield* rowsOfList(document.value, document.places, []);
  else {
    const message = `The file must hold a list of rows, not ${quote(document.value)}`;
    const hint = isJsonObject(document.value)
      ? 'a data frame writes rows with to_json(orient="records"); JSONL is told by its ending, .jsonl'
      : "rows are objects: [{…}, {…}]";
    yield { ok: false, issue: { code: "invalid_type", message, file: file.shown, line: 1, hint } };
  }
}

/** The rows of a table; columns are named by the header. */
export function* readCsvRows(text: string, file: string, delimiter?: Delimiter): Generator<RowReading> {
  const table = readCsv(text, file, delimiter);
  const issues = [...columnIssues(table.header, file), ...table.issues];
  for (const issue of issues) yield { ok: false, issue };
  for (const { cells, line } of table.rows) {
    const entries = table.header.map((name, index) => [name, cells[index] ?? ""] as const);
    const value = Object.fromEntries(entries.filter(([name, cell]) => name !== "" && cell !== ""));
    const place = { file, line };
    yield { ok: true, row: { value, place, placeOf: () => place } };
  }
}

/** A column without a name (a data frame's index) is passed over; two of one name would be a guess. */
export function columnIssues(header: readonly string[], file: string): readonly Issue[] {
  return header.flatMap((name, index): readonly Issue[] => {
    if (name === "__proto__") {
      return [{
        code: "invalid_value",
        message: 'The column name "__proto__" is not allowed',
        file,
        line: 1,
      }];
    }
    if (name === "" || header.indexOf(name) === index) return [];
    const message = `Two columns are named ${quote(name)}: the ${header.indexOf(name) + 1}. and the ${
      index + 1
    }.`;
    return [{ code: "duplicate_column", message, file, line: 1 }];
  });
}
