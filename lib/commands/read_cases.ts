/** Reads a project's cases: all of them checked first, then streamed. */
import { CaseIds } from "../config/case_ids.ts";
import { type CaseParsing, parseCaseLine, parseCaseObject, readCheckedLine } from "../config/parse_case.ts";
import { matchesFilter } from "../config/parse_filter.ts";
import { didYouMean } from "../config/nearest.ts";
import type { Case } from "../domain/case.ts";
import type { CaseFilter, CaseSelection } from "../domain/case_selection.ts";
import { type Issue, issuesError, OloproofError } from "../domain/error.ts";
import { readPath } from "../domain/json.ts";
import { canonicalJson, sha256 } from "../domain/identity.ts";
import type { Project } from "../domain/project.ts";
import type { RelevanceUnit } from "../domain/relevance.ts";
import { readLines } from "./read_lines.ts";
import { showPath } from "./show_path.ts";

/** Cases that were checked. */
export interface CheckedCases {
  /** Cases of the project. */
  readonly total: number;
  /** Cases that the selection leaves. */
  readonly selected: number;
  /** sha256 over fingerprints of these: the same cases in the same order have the same digest. */
  readonly digest: string;
  /**
   * The selected cases in the order of the files, as they were checked: kept in memory where they are small, else read again.
   *
   * @throws {OloproofError} `cases_changed` when a file that is read again is no longer what was checked.
   */
  stream(): AsyncIterable<Case>;
}

/** Cases whose text is longer together, in characters, are read again when they are needed. */
const KEPT_SIZE = 8_000_000;

/** Mistakes that are reported at once; a file of the wrong kind would have one a line. */
const MAX_ISSUES = 50;

/**
 * Checks every case before any stage runs. Of many cases memory grows with the ids, not with the cases.
 *
 * @throws {OloproofError} Every mistake with file:line:column; `no_cases`; `no_case_selected`; `unknown_case` with the nearest.
 */
export async function checkCases(
  project: Project,
  selection: CaseSelection,
  cwd: string,
): Promise<CheckedCases> {
  const unit = strictestUnit(project);
  const ids = new CaseIds();
  const issues: Issue[] = [];
  let selected = 0;
  const fingerprints: number[] = [];
  const kept = new KeptCases();
  const limit = selection.limit ?? Infinity;
  const seen = new Set<string>();
  const { where = [] } = selection;
  const paths = new Set<string>();
  for await (const { file, line, text, parsing } of parseAll(project, unit, cwd)) {
    if (!parsing.ok) issues.push(...parsing.issues);
    else {
      const duplicate = ids.add(parsing.case.id, { file, line });
      if (duplicate !== undefined) issues.push(duplicate);
      if (isSelected(parsing.case, selection)) {
        if (fingerprints.length < limit) {
          fingerprints.push(fingerprintOf(text));
          kept.add(parsing.case, text.length);
        }
        selected++;
      }
      if (selection.ids?.includes(parsing.case.id)) seen.add(parsing.case.id);
      for (const { path } of where) if (hasPath(parsing.case, path)) paths.add(path);
    }
    if (issues.length >= MAX_ISSUES) throw issuesError("Cannot read the cases", issues, false);
  }
  if (issues.length > 0) throw issuesError("Cannot read the cases", issues);
  if (ids.count === 0) throw noCases(project, cwd);
  for (const id of selection.ids ?? []) if (!seen.has(id)) throw unknownCase(id, ids);
  if (selected === 0) {
    throw new OloproofError(`Cannot select cases: none of ${ids.count} is left by the filters`, {
      code: "no_case_selected",
      kind: "configuration",
      hint: hintForNone(where, paths),
    });
  }
  const digest = sha256(fingerprints.join("\n"));
  return {
    total: ids.count,
    selected: Math.min(selected, limit),
    digest,
    stream: () => kept.all() ?? readAgain(project, selection, fingerprints, cwd),
  };
}

/** Cases that are small enough together to be kept. */
class KeptCases {
  #cases: Case[] | undefined = [];
  #size = 0;

  add(testCase: Case, size: number): void {
    this.#size += size;
    if (this.#size > KEPT_SIZE) this.#cases = undefined;
    this.#cases?.push(testCase);
  }

  /** All that were added, as a stream; absent when they are too large. */
  all(): AsyncIterable<Case> | undefined {
    const cases = this.#cases;
    return cases === undefined ? undefined : (async function* () {
      yield* cases;
    })();
  }
}

/** @param fingerprints Those of the check: what is run must be what was checked. */
async function* readAgain(
  project: Project,
  selection: CaseSelection,
  fingerprints: readonly number[],
  cwd: string,
): AsyncGenerator<Case> {
  let index = 0;
  if (fingerprints.length === 0) return;
  const isNext = (text: string) => fingerprintOf(text) === fingerprints[index];
  for await (
    const { file, line, checked, parsing } of parseAll(project, strictestUnit(project), cwd, isNext)
  ) {
    if (!parsing.ok) throw casesChanged(`${file}:${line}`);
    if (!isSelected(parsing.case, selection)) continue;
    if (!checked) throw casesChanged(`${file}:${line}`);
    yield parsing.case;
    if (++index === fingerprints.length) return;
  }
  throw casesChanged(undefined);
}

/** 48 bits of the sha256 of a case's text: enough to see that a file was edited, small enough to keep for every case. */
function fingerprintOf(text: string): number {
  return Number.parseInt(sha256(text).slice(0, 12), 16);
}

function casesChanged(where: string | undefined): OloproofError {
  return new OloproofError("Cannot go on: the cases changed after they were checked", {
    code: "cases_changed",
    kind: "surroundings",
    ...(where === undefined ? {} : { where }),
    hint: "run again; cases that were finished are found in the cache",
  });
}

interface ParsedLine {
  readonly file: string;
  readonly line: number;
  /** The line as it is written, white space around it aside; of an object of the calling program, its canonical JSON. */
  readonly text: string;
  /** Whether this very text was checked before. */
  readonly checked: boolean;
  readonly parsing: CaseParsing;
}

/** @param isChecked Whether a text was checked before: then it is only read. */
async function* parseAll(
  project: Project,
  unit: RelevanceUnit,
  cwd: string,
  isChecked: (text: string) => boolean = () => false,
): AsyncGenerator<ParsedLine> {
  if (project.cases.kind === "inline") {
    for (const [index, value] of project.cases.cases.entries()) {
      const origin = `cases[${index}]`;
      const parsing = parseCaseObject({ ...value }, origin, unit);
      const text = parsing.ok ? canonicalJson(parsing.case) : origin;
      yield { file: origin, line: index + 1, text, checked: isChecked(text), parsing };
    }
    return;
  }
  for (const path of project.cases.paths) {
    const file = showPath(path, cwd);
    for await (const { number, text } of readLines(path, file)) {
      const place = { file, line: number };
      const written = text.trim();
      const checked = isChecked(written);
      const parsing = checked
        ? { ok: true, case: readCheckedLine(written) } as const
        : parseCaseLine(text, place, unit);
      if (parsing !== undefined) yield { ...place, text: written, checked, parsing };
    }
  }
}

/** Labels need a chunk_id as soon as anything counts chunks. */
function strictestUnit(project: Project): RelevanceUnit {
  const chunks = project.relevance_unit === "chunk" ||
    project.evaluators.some(({ parameters }) => parameters.relevance_unit === "chunk");
  return chunks ? "chunk" : "document";
}

function isSelected(testCase: Case, { ids, where = [] }: CaseSelection): boolean {
  if (ids !== undefined && !ids.includes(testCase.id)) return false;
  return where.every((filter) => matchesFilter(testCase, filter));
}

function hintForNone(where: readonly CaseFilter[], paths: ReadonlySet<string>): string {
  const absent = where.find(({ path }) => !paths.has(path));
  return absent === undefined
    ? "--where compares text exactly: metadata.topic=billing"
    : `no case has ${absent.path}`;
}

function hasPath({ input, metadata = {} }: Case, path: string): boolean {
  return readPath({ input, metadata }, path) !== undefined;
}

function noCases(project: Project, cwd: string): OloproofError {
  const where = project.cases.kind === "files"
    ? project.cases.paths.map((path) => showPath(path, cwd)).join(", ")
    : "cases";
  return new OloproofError("Cannot run: there are no cases", {
    code: "no_cases",
    kind: "configuration",
    where,
    hint: 'a case is one line of JSON: {"id": "…", "input": …, "expected": …}',
  });
}

function unknownCase(id: string, ids: CaseIds): OloproofError {
  return new OloproofError(`Cannot select cases: there is no case ${JSON.stringify(id)}`, {
    code: "unknown_case",
    kind: "configuration",
    ...didYouMean(id, ids.ids()),
  });
}
