/** One line of a case file → a case, or every mistake in the line. */
import type { Case } from "../domain/case.ts";
import type { Issue } from "../domain/error.ts";
import { isJsonObject, type Json, type JsonObject, toJson } from "../domain/json.ts";
import type { RelevanceUnit } from "../domain/relevance.ts";
import { checkForCase } from "./case_schema.ts";
import { jsonIssue } from "./json_issue.ts";
import { type JsonFault, type JsonScan, scanJson } from "./json_text.ts";
import { noPlaces, Places, sortIssues } from "./place.ts";
import { shorten } from "./quote.ts";
import { schemaIssues } from "./schema_issues.ts";

/** Where a line stands; `line` is 1-based. */
export interface LinePlace {
  /** The file as messages name it. */
  readonly file: string;
  readonly line: number;
}

/** A case, or all mistakes in it, sorted by place. */
export type CaseParsing =
  | { readonly ok: true; readonly case: Case }
  | { readonly ok: false; readonly issues: readonly Issue[] };

/**
 * Parses one line of JSONL; `undefined` when it is blank. A carriage return at its end and, on line 1, a
 * byte-order mark at its start are no part of it. Columns are 1-based and count UTF-16 code units.
 *
 * Beyond the shape it refuses what JSON.parse would take in silence: equal keys in one object, the key
 * `__proto__`, numbers beyond the range of a double, text with half a surrogate pair, and more than 500
 * levels. With unit `chunk` every label needs a chunk_id. The values are those of the line; a label without
 * a grade stays without one.
 */
export function parseCaseLine(line: string, place: LinePlace, unit: RelevanceUnit): CaseParsing | undefined {
  const parsed = parseJsonLine(line, place);
  if (parsed === undefined || !parsed.ok) return parsed;
  const { value, scan } = parsed;
  return checkCase(
    value,
    unit,
    () => new Places(place.file, scan.root, (offset) => ({ line: place.line, column: offset + 1 })),
  );
}

/** A line of JSONL as its value, or the mistake in it; `undefined` when it is blank. See {@link parseCaseLine}. */
export function parseJsonLine(line: string, place: LinePlace):
  | { readonly ok: true; readonly value: Json; readonly scan: Extract<JsonScan, { readonly ok: true }> }
  | { readonly ok: false; readonly issues: readonly Issue[] }
  | undefined {
  const text = place.line === 1 && line.startsWith("\ufeff") ? line.slice(1) : line;
  if (text.trim() === "") return undefined;
  const scan = scanJson(text);
  if (!scan.ok) return { ok: false, issues: [invalidJson(text, scan.fault, place)] };
  return { ok: true, value: JSON.parse(text), scan };
}

/** The case of a line that {@link parseCaseLine} took before, without white space around it: nothing is checked again. */
export function readCheckedLine(text: string): Case {
  const value: JsonObject & Pick<Case, "id"> = JSON.parse(text);
  return caseOf(value, value.id);
}

/** Checks a case that a calling program gives as a value. `origin` is how messages name it: `cases[3]`. */
export function parseCaseObject(value: unknown, origin: string, unit: RelevanceUnit): CaseParsing {
  const reading = toJson(value, "case");
  if (reading.ok) return checkCase(reading.value, unit, () => noPlaces(origin));
  const message = `A case must be a JSON value; ${shorten(reading.path)}: ${reading.problem}`;
  return { ok: false, issues: [{ code: "invalid_value", message, file: origin }] };
}

function checkCase(value: Json, unit: RelevanceUnit, findPlaces: () => Places): CaseParsing {
  const { schema, guide } = checkForCase(isJsonObject(value) ? value.expected : undefined, unit);
  const checked = schema.safeParse(value);
  if (!checked.success || !isJsonObject(value)) {
    const context = { whole: "A case", value, places: findPlaces(), guide };
    return { ok: false, issues: sortIssues(schemaIssues(checked.error?.issues ?? [], context)) };
  }
  // The value as it was written, not zod's copy of it: nothing is added and nothing can be lost.
  return { ok: true, case: caseOf(value, checked.data.id) };
}

function caseOf({ input = null, expected, metadata }: JsonObject, id: string): Case {
  return {
    id,
    input,
    ...(expected === undefined ? {} : { expected }),
    ...(isJsonObject(metadata) ? { metadata } : {}),
  };
}

function invalidJson(text: string, fault: JsonFault, { file, line }: LinePlace): Issue {
  return {
    ...jsonIssue(text, fault, { file, line, column: fault.offset + 1 }),
    ...(isWholeObject(text) ? {} : { hint: "the file holds one JSON object a line (JSONL)" }),
  };
}

/** Whether a line looks like an object from end to end; a part of a larger layout does not. */
function isWholeObject(text: string): boolean {
  return /^\s*\{.*\}\s*$/su.test(text);
}
