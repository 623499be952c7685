/** What is written of a run before its first case. */
import type { CaseSelection } from "../domain/case_selection.ts";
import type { Project } from "../domain/project.ts";
import type { Refresh, RunHeader } from "../domain/run.ts";
import { VERSION } from "../version.ts";
import { evaluatorVersions } from "./judging_evaluators.ts";
import type { Preparation } from "./prepare_run.ts";
import type { Surroundings } from "./surroundings.ts";

/** What a header holds besides project and preparation. */
export interface HeaderParts {
  readonly name?: string | undefined;
  readonly refresh: readonly Refresh[];
  /** The run that this one retries. */
  readonly retry_of?: string;
}

/** The header of a new run. */
export function describeRun(
  project: Project,
  { system, cases, set, select, repeats, functions, cases_digest }: Preparation,
  { name, refresh, retry_of }: HeaderParts,
  { clock, newId }: Surroundings,
): RunHeader {
  const { settings, source_digest } = system.identity;
  return {
    run_id: `run_${newId()}`,
    kind: "run",
    ...(name === undefined ? {} : { name }),
    status: "running",
    started_at: new Date(clock.now()).toISOString(),
    oloproof_version: VERSION,
    system: settings,
    source_digest,
    evaluators: project.evaluators,
    slices: project.slices,
    min_slice_support: project.min_slice_support,
    relevance_unit: project.relevance_unit,
    selection: describeSelection(select),
    cases,
    repeats,
    ...(retry_of === undefined ? {} : { retry_of }),
    request: { set, select, refresh, cases_digest },
    function_digests: Object.fromEntries(functions.sources),
    evaluator_versions: evaluatorVersions(project.evaluators),
  };
}

/** A selection in words of the command line; empty = all cases. */
export function describeSelection({ ids = [], where = [], limit }: CaseSelection): readonly string[] {
  return [
    ...ids.map((id) => `--case ${id}`),
    ...where.map(({ path, value }) => `--where ${path}=${value}`),
    ...(limit === undefined ? [] : [`--limit ${limit}`]),
  ];
}
