/** A table of cases: a header row, and a case a row. */
import type { Case } from "../domain/case.ts";
import type { Issue } from "../domain/error.ts";
import type { JsonObject } from "../domain/json.ts";
import { didYouMean } from "../config/nearest.ts";
import { quote } from "../config/quote.ts";
import { CaseRows } from "./case_rows.ts";
import { type CsvRow, type Delimiter, readCsv } from "./csv_text.ts";
import { type Importer, issue, type SourceFile } from "./imported.ts";
import { Remarks } from "./remarks.ts";
import { columnIssues } from "./table.ts";

/** Which column is what; all others are metadata. */
export interface CsvColumns {
  /** At least one; the input is an object with their names as keys. */
  readonly input: readonly string[];
  /** The expectation is an object with their names as keys. */
  readonly expected: readonly string[];
  /** Absent = ids are made from the rows' content. */
  readonly id?: string | undefined;
  /** Absent = the one that the header has most of. */
  readonly delimiter?: Delimiter | undefined;
}

/** What a column becomes; the key is its name, dots replaced, since a dot leads into an object in every path of a project. */
interface Column {
  readonly index: number;
  readonly name: string;
  readonly key: string;
  readonly role: "input" | "expected" | "id" | "metadata";
}

/**
 * One case a row. Cells stay text; an empty one is absent, and one of an input column or of the id column is a mistake. With one
 * expected column, answers are judged by `contains`.
 */
export async function* importCsv(file: SourceFile, name: string, given: CsvColumns): Importer {
  const remarks = new Remarks();
  const table = readCsv(await file.text(), file.shown, given.delimiter);
  const columns = columnsOf(table.header, given, remarks);
  const mistakes = [
    ...columnIssues(table.header, file.shown),
    ...unknownColumns(table.header, given, file.shown),
    ...sameKeys(columns, file.shown),
  ];
  for (const mistake of [...mistakes, ...table.issues]) yield issue(mistake);
  // Without its columns nothing can be said of a row.
  const rows = new CaseRows(remarks);
  for (const row of mistakes.length > 0 ? [] : table.rows) {
    const place = { file: file.shown, line: row.line };
    const empty = columns.filter(({ index, role }) =>
      (role === "input" || role === "id") && row.cells[index] === ""
    );
    for (const column of empty) yield issue(emptyCell(column, place));
    if (empty.length > 0) continue;
    const content = contentOf(row, columns);
    const id = columns.find(({ role }) => role === "id");
    const added = rows.add({ content, named_by: content, id: id && row.cells[id.index], place });
    if (added.status === "issue") yield issue(added.issue);
    if (added.status === "added") yield { kind: "case", case: { id: added.id, ...content }, place };
  }
  const [expected, ...further] = columns.filter(({ role }) => role === "expected");
  return {
    name,
    evaluators: expected === undefined || further.length > 0
      ? []
      : [{ type: "contains", criterion: "answer_correct", field: "answer", expected_field: expected.key }],
    slices: [],
    notices: remarks.notices(),
  };
}

function columnsOf(header: readonly string[], given: CsvColumns, remarks: Remarks): readonly Column[] {
  return header.flatMap((name, index): readonly Column[] => {
    if (name === "") {
      remarks.add(NO_NAME, `the ${index + 1}.`);
      return [];
    }
    const key = name.replaceAll(".", "_");
    if (key !== name) remarks.add(RENAMED, `${quote(name)} is ${quote(key)}`);
    const role = name === given.id
      ? "id"
      : given.input.includes(name)
      ? "input"
      : given.expected.includes(name)
      ? "expected"
      : "metadata";
    return [{ index, name, key, role }];
  });
}

function contentOf({ cells }: CsvRow, columns: readonly Column[]): Omit<Case, "id"> {
  const part = (role: Column["role"]): JsonObject =>
    Object.fromEntries(
      columns.filter((column) => column.role === role && cells[column.index] !== "")
        .map(({ key, index }) => [key, cells[index] ?? ""]),
    );
  const [expected, metadata] = [part("expected"), part("metadata")];
  return {
    input: part("input"),
    ...(Object.keys(expected).length === 0 ? {} : { expected }),
    ...(Object.keys(metadata).length === 0 ? {} : { metadata }),
  };
}

function unknownColumns(
  header: readonly string[],
  { input, expected, id }: CsvColumns,
  file: string,
): readonly Issue[] {
  const asked = [
    ...input.map((name) => ["--input", name] as const),
    ...expected.map((name) => ["--expected", name] as const),
    ...(id === undefined ? [] : [["--id", id] as const]),
  ];
  if (header.length === 0) {
    return [{
      code: "no_header",
      message: "The file is empty; its first row names the columns",
      file,
      line: 1,
    }];
  }
  return asked.flatMap(([option, name], index): readonly Issue[] => {
    if (!header.includes(name)) {
      const message = `${option} names no column: ${quote(name)}; the columns are ${
        header.map(quote).join(", ")
      }`;
      return [{ code: "unknown_column", message, file, line: 1, ...didYouMean(name, header) }];
    }
    const [first] = asked.find(([, other]) => other === name) ?? [];
    if (asked.findIndex(([, other]) => other === name) === index) return [];
    const message = `The column ${quote(name)} is given twice, to ${first} and to ${option}`;
    return [{ code: "column_given_twice", message, file, line: 1 }];
  });
}

/** Two columns that differ in dots alone. */
function sameKeys(columns: readonly Column[], file: string): readonly Issue[] {
  return columns.flatMap(({ key, name }, index): readonly Issue[] => {
    const first = columns.findIndex((other) => other.key === key);
    const other = columns[first];
    if (first === index || other === undefined || other.name === name) return [];
    const message = `The columns ${quote(other.name)} and ${quote(name)} would have one key, ${quote(key)}`;
    return [{ code: "duplicate_column", message, file, line: 1 }];
  });
}

function emptyCell({ name, role }: Column, place: { readonly file: string; readonly line: number }): Issue {
  const what = role === "id" ? "id" : "input";
  return {
    code: "empty_cell",
    message: `The column ${quote(name)}, of the ${what}, is empty here`,
    ...place,
  };
}

const NO_NAME = { code: "column_without_name", message: "Left out: columns without a name" };
const RENAMED = {
  code: "renamed_column",
  message: "Dots in names of columns are underscores in the cases, since paths of a project have dots",
};
