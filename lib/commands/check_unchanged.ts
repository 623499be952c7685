/** Whether a recorded run can be gone on with: half of it under other conditions would be two runs under one name. */
import { OloproofError } from "../domain/error.ts";
import { canonicalJson } from "../domain/identity.ts";
import type { EvaluatorSpec, Project } from "../domain/project.ts";
import type { RunHeader, RunRequest } from "../domain/run.ts";
import { VERSION } from "../version.ts";
import { evaluatorVersions } from "./judging_evaluators.ts";
import type { Preparation } from "./prepare_run.ts";
import { changesBetween, dottedSettings } from "./setting_changes.ts";

/** What is done with a recorded run. */
export type GoingOn = "resume" | "retry";

type Recorded = RunHeader & { readonly request: RunRequest };

interface Difference {
  readonly code: string;
  readonly problem: string;
  readonly hint?: string;
}

/**
 * Compares what a run recorded with what the project says now.
 *
 * @throws {OloproofError} `cases_changed`, `settings_changed`, `source_changed`, `evaluators_changed`, `project_changed`,
 *   `version_changed`: the first that applies, with both values.
 */
export function checkUnchanged(
  header: Recorded,
  project: Project,
  prepared: Preparation,
  verb: GoingOn,
): void {
  const found = differenceOf(header, project, prepared);
  if (found === undefined) return;
  const { code, problem, hint = "undo the change, or run again: what was finished is found in the cache" } =
    found;
  throw new OloproofError(`Cannot ${verb} ${header.run_id}: ${problem}`, {
    code,
    kind: "configuration",
    hint,
  });
}

/** Whether a run is of the same cases, system, evaluators and program as one that is prepared now. */
export function isUnchanged(header: Recorded, project: Project, prepared: Preparation): boolean {
  return differenceOf(header, project, prepared) === undefined;
}

function differenceOf(header: Recorded, project: Project, prepared: Preparation): Difference | undefined {
  return casesDifference(header, prepared) ?? settingsDifference(header, prepared) ??
    sourceDifference(header, prepared) ?? evaluatorsDifference(header.evaluators, project.evaluators) ??
    evaluatorVersionsDifference(header, project) ?? projectDifference(header, project) ??
    versionDifference(header);
}

function casesDifference(
  { cases, request }: Recorded,
  prepared: Preparation,
): Difference | undefined {
  if (prepared.cases_digest === request.cases_digest) return undefined;
  const how = prepared.cases === cases
    ? `${cases} as before, in another order or with other contents`
    : `${cases} when it began, ${prepared.cases} now`;
  return { code: "cases_changed", problem: `its cases changed: ${how}` };
}

function settingsDifference({ system }: RunHeader, prepared: Preparation): Difference | undefined {
  const dotted = (settings: RunHeader["system"]) => new Map(dottedSettings(settings));
  const now = prepared.system.identity.settings;
  if (canonicalJson(system) === canonicalJson(now)) return undefined;
  const code = "settings_changed";
  const [change] = changesBetween(dotted(system), dotted(now));
  // Objects without keys have no dotted name.
  if (change === undefined) return { code, problem: "its params are not those that it began with" };
  const { setting, baseline, candidate } = change;
  return {
    code,
    problem: `the setting ${setting} was ${baseline} when it began and is ${candidate} now`,
  };
}

function sourceDifference(header: RunHeader, prepared: Preparation): Difference | undefined {
  const { system, functions } = prepared;
  const hint = "undo the change, or run again";
  const code = "source_changed";
  if (system.identity.source_digest !== header.source_digest) {
    return { code, problem: "the code of the system is not the one that it began with", hint };
  }
  const digests = Object.fromEntries(functions.sources);
  const changed = [...new Set([...Object.keys(header.function_digests), ...Object.keys(digests)])].sort()
    .find((object) => header.function_digests[object] !== digests[object]);
  return changed === undefined
    ? undefined
    : { code, problem: `the code of the evaluator ${changed} is not the one that it began with`, hint };
}

function evaluatorsDifference(
  before: readonly EvaluatorSpec[],
  now: readonly EvaluatorSpec[],
): Difference | undefined {
  if (canonicalJson(before) === canonicalJson(now)) return undefined;
  const of = (list: readonly EvaluatorSpec[], name: string) =>
    list.find(({ criterion }) => criterion === name);
  const names = [...new Set([...before, ...now].map(({ criterion }) => criterion))];
  const changed = names.find((name) =>
    canonicalJson(of(before, name) ?? null) !== canonicalJson(of(now, name) ?? null)
  );
  const code = "evaluators_changed";
  if (changed === undefined) return { code, problem: "its evaluators stand in another order now" };
  const show = (spec: EvaluatorSpec | undefined) =>
    spec === undefined ? "absent" : canonicalJson({ type: spec.type, ...spec.parameters });
  return {
    code,
    problem: `the evaluator of ${changed} was ${show(of(before, changed))} when it began and is ${
      show(of(now, changed))
    } now`,
  };
}

/** An evaluator of another version may judge otherwise. */
function evaluatorVersionsDifference(
  { evaluator_versions: before }: RunHeader,
  { evaluators }: Project,
): Difference | undefined {
  const now = evaluatorVersions(evaluators);
  const changed = Object.keys(now).find((criterion) => now[criterion] !== before[criterion]);
  if (changed === undefined) return undefined;
  return {
    code: "evaluators_changed",
    problem: `the evaluator of ${changed} had version ${before[changed]} when it began and has ${
      now[changed]
    } now`,
  };
}

function projectDifference(header: RunHeader, project: Project): Difference | undefined {
  const key = (["slices", "min_slice_support", "relevance_unit"] as const)
    .find((key) => canonicalJson(header[key]) !== canonicalJson(project[key]));
  if (key === undefined) return undefined;
  const [before, now] = [JSON.stringify(header[key]), JSON.stringify(project[key])];
  return { code: "project_changed", problem: `${key} was ${before} when it began and is ${now} now` };
}

/** Evaluators of another version may judge otherwise. */
function versionDifference({ oloproof_version }: RunHeader): Difference | undefined {
  if (oloproof_version === VERSION) return undefined;
  return {
    code: "version_changed",
    problem: `it was begun by oloproof ${oloproof_version}; this is ${VERSION}`,
    hint: "run again: what was finished is found in the cache",
  };
}
