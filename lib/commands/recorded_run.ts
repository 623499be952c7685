/** A run of the store that is gone on with: found, asked for with the same options, and nothing of the project changed. */
import { OloproofError } from "../domain/error.ts";
import type { Store } from "../domain/ports.ts";
import type { Project } from "../domain/project.ts";
import type { RunHeader, RunRequest } from "../domain/run.ts";
import { checkUnchanged, type GoingOn } from "./check_unchanged.ts";
import { findRun } from "./find_run.ts";
import { parseSettings, type Preparation, prepareRun } from "./prepare_run.ts";
import { describeSelection } from "./run_header.ts";
import type { RunOptions } from "./run_options.ts";
import { dottedSettings } from "./setting_changes.ts";
import type { Surroundings } from "./surroundings.ts";

/** The header of a run that can be gone on with. */
export type RecordedHeader = RunHeader & { readonly request: RunRequest };

/**
 * Finds the run that is to be resumed or retried. Options that it was begun with may be repeated, other ones not: name and
 * refresh of a retry are its own.
 *
 * @throws {OloproofError} What finding a run throws; `wrong_kind`, `not_resumable`, `resume_differs`.
 */
export async function findRecorded(
  store: Store,
  id: string,
  verb: GoingOn,
  options: RunOptions,
): Promise<{ readonly number: number; readonly header: RecordedHeader }> {
  const { header, number } = await findRun(store, id);
  const { run_id, request } = header;
  if (header.kind !== "run") {
    throw new OloproofError(`Cannot ${verb} ${run_id}: it re-executes cases for a diagnosis`, {
      code: "wrong_kind",
      kind: "configuration",
      hint: "diagnose again: a diagnosis is made as a whole",
    });
  }
  if (request === undefined) {
    throw new OloproofError(`Cannot ${verb} ${run_id}: it was not made by running this project`, {
      code: "not_resumable",
      kind: "configuration",
      hint: "run again; what is recorded here is found in the cache",
    });
  }
  const recorded = { ...header, request };
  checkAsked(recorded, verb, options);
  return { number, header: recorded };
}

/** Prepares what the run was asked for. @throws {OloproofError} As `prepareRun` and `checkUnchanged`. */
export async function prepareRecorded(
  project: Project,
  header: RecordedHeader,
  verb: GoingOn,
  surroundings: Surroundings,
): Promise<Preparation> {
  const { request: { set, select }, repeats } = header;
  const prepared = await prepareRun(project, { set, select, repeats }, surroundings);
  checkUnchanged(header, project, prepared, verb);
  return prepared;
}

function checkAsked({ run_id, name, repeats, request }: RecordedHeader, verb: GoingOn, options: RunOptions) {
  const { set, select = {}, refresh = [] } = options;
  const asked: readonly (readonly [option: string, now: string | undefined, then: string | undefined])[] = [
    ["--set", settingsText(parseSettings(set)), settingsText(request.set)],
    ["--case", textOf(select.ids), textOf(request.select.ids)],
    ["--where", whereText(select), whereText(request.select)],
    ["--limit", select.limit?.toString(), request.select.limit?.toString()],
    ["--repeats", options.repeats?.toString(), repeats.toString()],
    ...(verb === "retry" ? [] : [
      ["--refresh", textOf(refresh), textOf(request.refresh)],
      ["--name", options.name, name],
    ] as const),
  ];
  const other = asked.find(([, now, then]) => now !== undefined && now !== then);
  if (other === undefined) return;
  const [option, now, then] = other;
  const before = then === undefined ? "was not given" : `was ${then}`;
  throw new OloproofError(`Cannot ${verb} ${run_id}: ${option} is ${now} now and ${before} when it began`, {
    code: "resume_differs",
    kind: "configuration",
    hint: "leave it out: the run keeps what it was begun with; for something else, run again",
  });
}

function settingsText(set: RunRequest["set"]): string | undefined {
  return textOf(dottedSettings(set).map(([key, value]) => `${key}=${value}`));
}

function whereText({ where = [] }: RunRequest["select"]): string | undefined {
  return textOf(describeSelection({ where }).map((text) => text.replace("--where ", "")));
}

/** Options that may be given several times, in any order. */
function textOf(values: readonly string[] | undefined): string | undefined {
  return values === undefined || values.length === 0 ? undefined : [...new Set(values)].sort().join(", ");
}
