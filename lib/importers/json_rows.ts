/** JSON of a source: lines of objects, or a document with a list of them. */
import type { Issue } from "../domain/error.ts";
import { isJsonObject, type Json, type JsonObject } from "../domain/json.ts";
import { jsonIssue } from "../config/json_issue.ts";
import { scanJson } from "../config/json_text.ts";
import { locateIn, type Path, Places } from "../config/place.ts";
import { quote } from "../config/quote.ts";
import type { SourceFile, SourcePlace } from "./imported.ts";

/** One object of a source. */
export interface SourceRow {
  readonly value: JsonObject;
  /** Where the row begins. */
  readonly place: SourcePlace;
  /** Where the value of a key begins; the row where there is none. */
  readonly placeOf: (key: string) => SourcePlace;
}

/** A row, or what is wrong with it. */
export type RowReading =
  | { readonly ok: true; readonly row: SourceRow }
  | { readonly ok: false; readonly issue: Issue };

/** A whole JSON document, with the places of its parts. */
export type DocumentReading =
  | { readonly ok: true; readonly value: Json; readonly places: Places }
  | { readonly ok: false; readonly issue: Issue };

/** What to do about numbers that JSON does not have; Python's `json.dumps` writes them all the same. */
const NOT_A_NUMBER_HINT =
  'JSON has no NaN and no Infinity; in Python, df.to_json(orient="records", lines=True) writes null';

/** Reads a JSON document. */
export async function readDocument(file: SourceFile): Promise<DocumentReading> {
  const text = await file.text();
  const scan = scanJson(text, "text");
  const locate = locateIn(text);
  if (!scan.ok) {
    const place = { file: file.shown, ...locate(scan.fault.offset) };
    return { ok: false, issue: withHint(jsonIssue(text, scan.fault, place)) };
  }
  return { ok: true, value: JSON.parse(text), places: new Places(file.shown, scan.root, locate) };
}

/** The objects of a file of JSONL, a line each; blank lines are passed over. */
export async function* readJsonLines(file: SourceFile): AsyncGenerator<RowReading> {
  for await (const { number: line, text } of file.lines()) {
    if (text.trim() === "") continue;
    const scan = scanJson(text);
    if (!scan.ok) {
      const place = { file: file.shown, line, column: scan.fault.offset + 1 };
      yield { ok: false, issue: withHint(jsonIssue(text, scan.fault, place)) };
      continue;
    }
    const places = new Places(file.shown, scan.root, (offset) => ({ line, column: offset + 1 }));
    yield rowOf(JSON.parse(text), places, []);
  }
}

/** The objects of a list that stands at a path of a document. */
export function* rowsOfList(list: readonly Json[], places: Places, at: Path): Generator<RowReading> {
  for (const [index, value] of list.entries()) yield rowOf(value, places, [...at, index]);
}

function rowOf(value: Json, places: Places, at: Path): RowReading {
  const place = { file: places.file, ...places.value(at) };
  if (!isJsonObject(value)) {
    const message = `A row must be an object, not ${quote(value)}`;
    return { ok: false, issue: { code: "invalid_type", message, ...place } };
  }
  const placeOf = (key: string) => ({ file: places.file, ...places.value([...at, key]) });
  return { ok: true, row: { value, place, placeOf } };
}

function withHint(issue: Issue): Issue {
  return /\bis not a JSON number\b/.test(issue.message) ? { ...issue, hint: NOT_A_NUMBER_HINT } : issue;
}
