/** Recorded outputs in a file: checked as a whole first, then read record by record. */
import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { open } from "node:fs/promises";
import { parseJsonLine } from "../config/parse_case.ts";
import { type Issue, issuesError, OloproofError } from "../domain/error.ts";
import type { Json } from "../domain/json.ts";
import type { ReportedPart } from "../domain/settings.ts";
import { InvalidOutput } from "../stages/read_output.ts";
import { partsOf, readRecord, type RecordedOutput, type RecordedOutputs } from "../stages/read_record.ts";
import { namedBy, readLines } from "./read_lines.ts";

/** Mistakes that are reported at once. */
const MAX_ISSUES = 50;

/** Where a record stands in its file. */
interface RecordPlace {
  readonly line: number;
  /** In bytes from the beginning of the file. */
  readonly start: number;
  readonly length: number;
}

/** The records of a file. Memory grows with their number, not with what they hold. */
export interface FileOfRecords extends RecordedOutputs {
  /** The parts that any of the records tells, or those that were declared. */
  readonly reports: readonly ReportedPart[];
  /** sha256 of the file. */
  readonly digest: string;
  /** How many records there are. */
  readonly count: number;
  /** The cases that they are of, in their order. */
  ids(): readonly string[];
}

/**
 * Opens a file of records: `{ case_id, output | error, candidates?, context?, usage? }` a line.
 *
 * @param declared The parts that the records tell; absent = whatever any of them does.
 * @throws {OloproofError} Every mistake with file and line; `unreadable_file`, `no_records`.
 */
export async function readRecords(
  path: string,
  shown: string,
  declared?: readonly ReportedPart[],
): Promise<FileOfRecords> {
  const everything: readonly ReportedPart[] = ["candidates", "context"];
  const places = new Map<string, RecordPlace>();
  const issues: Issue[] = [];
  const told = new Set<ReportedPart>();
  const digest = createHash("sha256");
  for await (const { number: line, text, start, length } of readLines(path, shown, namedBy("records"))) {
    digest.update(text).update("\n");
    const parsed = parseJsonLine(text, { file: shown, line });
    if (parsed === undefined) continue;
    if (!parsed.ok) issues.push(...parsed.issues);
    else {
      const checked = check(parsed.value, declared ?? everything, { file: shown, line });
      if ("issue" in checked) issues.push(checked.issue);
      else {
        const first = places.get(checked.case_id);
        if (first === undefined) places.set(checked.case_id, { line, start, length });
        else issues.push(duplicate(checked.case_id, first.line, { file: shown, line }));
        for (const part of partsOf(parsed.value)) told.add(part);
      }
    }
    if (issues.length >= MAX_ISSUES) throw issuesError("Cannot read the records", issues, false);
  }
  if (issues.length > 0) throw issuesError("Cannot read the records", issues);
  if (places.size === 0) {
    throw new OloproofError("Cannot read the records: there are none", {
      code: "no_records",
      kind: "configuration",
      where: shown,
      hint: 'a record is one line of JSON: {"case_id": "…", "output": …}',
    });
  }
  const reports = declared ?? everything.filter((part) => told.has(part));
  return {
    reports,
    digest: digest.digest("hex"),
    count: places.size,
    ids: () => [...places.keys()],
    async recorded(case_id) {
      const place = places.get(case_id);
      return place === undefined ? undefined : await readAt(path, shown, place, case_id, reports);
    },
  };
}

interface LineOf {
  readonly file: string;
  readonly line: number;
}

function check(
  value: Json,
  reports: readonly ReportedPart[],
  at: LineOf,
): { readonly case_id: string } | { readonly issue: Issue } {
  try {
    return readRecord(value, reports);
  } catch (cause) {
    if (!(cause instanceof InvalidOutput)) throw cause;
    return { issue: { code: "invalid_record", message: `The record does not fit: ${cause.message}`, ...at } };
  }
}

function duplicate(case_id: string, first: number, at: LineOf): Issue {
  return {
    code: "duplicate_id",
    message: `The case ${JSON.stringify(case_id)} has a record on line ${first} already`,
    ...at,
    hint: "recorded outputs hold one output a case",
  };
}

async function readAt(
  path: string,
  shown: string,
  { start, length, line }: RecordPlace,
  case_id: string,
  reports: readonly ReportedPart[],
): Promise<RecordedOutput> {
  const file = await open(path, "r");
  try {
    const buffer = Buffer.alloc(length);
    await file.read(buffer, 0, length, start);
    const parsed = parseJsonLine(buffer.toString("utf8"), { file: shown, line });
    const record = parsed?.ok === true ? readRecord(parsed.value, reports) : undefined;
    if (record?.case_id === case_id) return record;
  } catch (cause) {
    if (!(cause instanceof InvalidOutput)) throw cause;
  } finally {
    await file.close();
  }
  throw new OloproofError("Cannot go on: the records changed after they were checked", {
    code: "records_changed",
    kind: "surroundings",
    where: `${shown}:${line}`,
    hint: "run again",
  });
}
