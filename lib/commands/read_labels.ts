/** Labels of people: each with the record that it is about, checked before any judge is asked. */
import { resolve } from "node:path";
import { stat } from "node:fs/promises";
import { didYouMean } from "../config/nearest.ts";
import { type Label, parseLabelLine } from "../config/parse_label.ts";
import type { PassOrFail } from "../domain/calibration.ts";
import { type Issue, issuesError, OloproofError } from "../domain/error.ts";
import { identityOf } from "../domain/identity.ts";
import type { JsonObject } from "../domain/json.ts";
import type { CaseRecord } from "../domain/record.ts";
import { InvalidOutput, readWholeAnswer } from "../stages/read_output.ts";
import { readLines } from "./read_lines.ts";
import { showPath } from "./show_path.ts";

/** A record with what people say of it. */
export interface LabelledRecord {
  /** The id of the case, or `line 7`; unique. */
  readonly row: string;
  readonly label: PassOrFail;
  readonly record: CaseRecord;
}

/** The records of a run by the ids of their cases. */
export interface LabelledRun {
  readonly run_id: string;
  readonly records: ReadonlyMap<string, CaseRecord>;
}

/** A label and where it stands. */
interface PlacedLabel {
  readonly label: Label;
  readonly line: number;
}

/** A file of labels whose lines are right by themselves. */
export interface LabelFile {
  readonly labels: readonly PlacedLabel[];
  /** The file as messages name it. */
  readonly shown: string;
}

/** The hash of what a judge may read of a record. */
export function digestOf(
  { case: { input, expected }, candidates, context, output, error }: CaseRecord,
): string {
  return identityOf({ input, expected, candidates, context, output, failed: error !== undefined });
}

/** Mistakes that are reported at once. */
const MAX_ISSUES = 50;

/** What may stand in a record; the second line is what an export has besides, and is not read. */
const RECORD_KEYS = ["case_id", "input", "output", "context", "candidates", "expected"];
const EXPORTED_KEYS = ["repeat", "query", "metadata", "dropped", "error", "judgments", "usage"];

/**
 * Reads a file of labels, `{ case_id | record, label }` a line: relative to the current folder, else to the project's.
 *
 * @throws {OloproofError} Every mistake with file and line; `unreadable_file`, `no_labels`.
 */
export async function readLabels(path: string, root: string, cwd: string): Promise<LabelFile> {
  const here = resolve(cwd, path);
  const isHere = await stat(here).then((found) => found.isFile(), () => false);
  const file = isHere ? here : resolve(root, path);
  const shown = showPath(isHere ? file : await exists(file) ? file : here, cwd);
  const hint = 'a file of labels holds {"case_id": "…", "label": "pass"} a line';
  const labels: PlacedLabel[] = [];
  const issues: Issue[] = [];
  for await (const { number: line, text } of readLines(isHere ? here : file, shown, hint)) {
    const parsed = parseLabelLine(text, { file: shown, line });
    if (parsed === undefined) continue;
    if (parsed.ok) labels.push({ label: parsed.label, line });
    else issues.push(...parsed.issues);
    if (issues.length >= MAX_ISSUES) throw issuesError("Cannot read the labels", issues, false);
  }
  if (issues.length > 0) throw issuesError("Cannot read the labels", issues);
  if (labels.length > 0) return { labels, shown };
  throw new OloproofError("Cannot read the labels: the file holds none", {
    code: "no_labels",
    kind: "configuration",
    where: shown,
    hint,
  });
}

async function exists(path: string): Promise<boolean> {
  return await stat(path).then(() => true, () => false);
}

/** The ids of the cases that labels are about. */
export function labelledCases({ labels }: LabelFile): ReadonlySet<string> {
  return new Set(labels.flatMap(({ label: { case_id } }) => case_id ?? []));
}

/**
 * Puts each label to its record.
 *
 * @param run The run whose cases labels name; absent when none does.
 * @throws {OloproofError} Every mistake with file and line: unknown cases, records that do not fit, two labels of one, and equal
 *   records under several names: a judge says the same of each, so that together they are one label.
 */
export function pairLabels(
  { labels, shown }: LabelFile,
  run: LabelledRun | undefined,
): readonly LabelledRecord[] {
  const issues: Issue[] = [];
  const firsts = new Map<string, number>();
  const records = new Map<string, number>();
  const rows = labels.flatMap(({ label, line }) => {
    const at = { file: shown, line };
    const found = label.case_id === undefined ? readRecord(label.record, line) : findCase(label.case_id, run);
    if ("issue" in found) {
      issues.push({ ...found.issue, ...at });
      return [];
    }
    const first = firsts.get(found.row);
    firsts.set(found.row, first ?? line);
    const digest = digestOf(found.record);
    const equal = records.get(digest);
    records.set(digest, equal ?? line);
    if (first === undefined && equal === undefined) return [{ ...found, label: label.label }];
    const row = JSON.stringify(found.row);
    const message = first === undefined
      ? `${row} is the same record as the one on line ${equal}, and would count twice`
      : `${row} has a label on line ${first} already`;
    issues.push({ code: "duplicate_label", message, ...at, hint: "one label a record: settle on one first" });
    return [];
  });
  if (issues.length > 0) throw issuesError("Cannot use the labels", issues.slice(0, MAX_ISSUES));
  return rows;
}

type Found =
  | { readonly row: string; readonly record: CaseRecord }
  | { readonly issue: Pick<Issue, "code" | "message" | "hint"> };

function findCase(case_id: string, run: LabelledRun | undefined): Found {
  const record = run?.records.get(case_id);
  if (record !== undefined) return { row: case_id, record };
  const ids = [...run?.records.keys() ?? []];
  return {
    issue: {
      code: "unknown_case",
      message: `${run?.run_id ?? "the run"} has no finished case ${JSON.stringify(case_id)}`,
      ...didYouMean(case_id, ids),
    },
  };
}

function readRecord(given: JsonObject, line: number): Found {
  const problem = (message: string): Found => ({ issue: { code: "invalid_record", message } });
  const strange = Object.keys(given).find((key) => ![...RECORD_KEYS, ...EXPORTED_KEYS].includes(key));
  if (strange !== undefined) {
    return problem(
      `The record has the unknown key ${JSON.stringify(strange)}; allowed: ${RECORD_KEYS.join(", ")}`,
    );
  }
  const { case_id, input = null, output, context = null, candidates = null, expected, error = null } = given;
  if (error !== null) {
    return problem("The record is of an execution that failed: there is no answer to label");
  }
  const row = typeof case_id === "string" && case_id !== "" ? case_id : `line ${line}`;
  try {
    const answer = readWholeAnswer({
      ...(output === undefined ? {} : { output }),
      ...(context === null ? {} : { context }),
      ...(candidates === null ? {} : { candidates }),
    }, { depth: null, reports: ["candidates", "context"] });
    return {
      row,
      record: { case: { id: row, input, ...(expected === undefined ? {} : { expected }) }, ...answer },
    };
  } catch (cause) {
    if (!(cause instanceof InvalidOutput)) throw cause;
    return problem(`The record does not fit: ${cause.message.replace(/^answer /, "it ")}`);
  }
}
