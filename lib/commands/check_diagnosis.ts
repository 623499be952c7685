/** What a diagnosis refuses: options, criteria and code that could not answer its question. */
import { didYouMean } from "../config/nearest.ts";
import { OloproofError } from "../domain/error.ts";
import type { RunHeader } from "../domain/run.ts";
import type { SystemSettings } from "../domain/settings.ts";
import { evaluatorTypes } from "../evaluators/table.ts";
import type { RunnableSystem } from "../stages/case_execution.ts";
import type { Intervention } from "../domain/diagnosis.ts";
import type { UserFunctions } from "./load_functions.ts";

interface CheckedOptions {
  readonly intervention: Intervention;
  readonly repeats?: number;
  readonly limit?: number;
}

/** @throws {OloproofError} `wrong_kind`, `invalid_intervention`, `not_diagnosable`. */
export function checkOptions(
  { intervention, repeats = 1, limit = 1 }: CheckedOptions,
  header: RunHeader,
): void {
  const refuse = (message: string, hint: string) => {
    throw new OloproofError(message, { code: "invalid_intervention", kind: "configuration", hint });
  };
  if (header.kind !== "run") {
    throw new OloproofError(`Cannot diagnose ${header.run_id}: it is itself part of a diagnosis`, {
      code: "wrong_kind",
      kind: "configuration",
      hint: header.parent === undefined ? "diagnose a run" : `diagnose the run ${header.parent}`,
    });
  }
  if (!Number.isInteger(repeats) || repeats < 1 || repeats % 2 === 0) {
    refuse(`Cannot diagnose with ${repeats} repeats`, "an odd number, so that more than half is never a tie");
  }
  if (!Number.isInteger(limit) || limit < 1) {
    refuse(`Cannot diagnose with the limit ${limit}`, "a whole number from 1");
  }
  checkSystem(header, intervention);
  if (intervention.kind === "top-k") checkTopK(intervention.top_k, header.system, refuse);
}

function checkTopK(
  wanted: number,
  { depth, top_k }: SystemSettings,
  refuse: (message: string, hint: string) => void,
): void {
  // A system of one stage may state neither: then any number of the reported candidates is a wider cut.
  const least = (top_k ?? 0) + 1;
  const most = depth ?? Infinity;
  if (Number.isInteger(wanted) && wanted >= least && wanted <= most) return;
  refuse(
    `Cannot replay with top-k ${wanted}: the run had top_k ${top_k} and depth ${depth}`,
    least > most
      ? "the run's top_k is its depth already: run again with a larger depth"
      : `allowed: ${least} ${depth === null ? "or more" : `to ${depth}`}`,
  );
}

/** Whether a system can be given another context than its own. */
export function isDiagnosable({ reports, accepts_context }: SystemSettings): boolean {
  return reports === undefined || accepts_context === true;
}

/** What cannot be re-executed under a change cannot be diagnosed. */
function checkSystem({ run_id, system }: RunHeader, intervention: Intervention): void {
  const refuse = (reason: string, hint: string) => {
    throw new OloproofError(`Cannot diagnose ${run_id}: ${reason}`, {
      code: "not_diagnosable",
      kind: "configuration",
      hint,
    });
  };
  if (system.recorded) {
    refuse(
      "its outputs were recorded; nothing can be executed again",
      "run the system itself; `oloproof inspect` shows what was recorded",
    );
  }
  if (!isDiagnosable(system)) {
    refuse(
      "the system answers in one stage and accepts no context, so none can be put in the place of its own",
      "let answer() use tools.context where it is given, and state accepts_context: true",
    );
  }
  if (system.reports === undefined || intervention.kind === "gold-context") return;
  if (!system.reports.includes("candidates")) {
    refuse(
      "a replay needs the candidates, which the system does not report",
      "--intervention gold-context needs none",
    );
  }
  const needsTopK = intervention.kind === "reranker" || !system.reports.includes("context");
  if (needsTopK && system.top_k === null) {
    refuse(
      "how many candidates enter its context is not known",
      "state top_k in the system's settings, or --intervention gold-context",
    );
  }
}

/**
 * The index of a criterion that can be diagnosed.
 *
 * @throws {OloproofError} `unknown_criterion`, `not_diagnosable`.
 */
export function findCriterion({ evaluators, run_id }: RunHeader, criterion: string): number {
  const index = evaluators.findIndex((evaluator) => evaluator.criterion === criterion);
  const evaluator = evaluators[index];
  if (evaluator === undefined) {
    const names = evaluators.map((other) => other.criterion);
    const { hint = `the run has ${names.join(", ")}` } = didYouMean(criterion, names);
    throw new OloproofError(`Cannot find the criterion ${JSON.stringify(criterion)} in ${run_id}`, {
      code: "unknown_criterion",
      kind: "configuration",
      hint,
    });
  }
  const type = evaluatorTypes.get(evaluator.type);
  const problem = type === undefined
    ? `this version knows no evaluator ${JSON.stringify(evaluator.type)}`
    : type.observes === "number"
    ? "its values are numbers; only a pass/fail criterion has failures"
    : type.reads === "retrieval" || type.reads === "execution"
    ? "it does not read the answer, so another context cannot change it"
    : undefined;
  if (problem === undefined) return index;
  throw new OloproofError(`Cannot diagnose ${JSON.stringify(criterion)}: ${problem}`, {
    code: "not_diagnosable",
    kind: "configuration",
    hint: "choose a criterion that judges the answer, for example one of type contains",
  });
}

/**
 * The code must be that of the run: the labels would otherwise mix two systems.
 *
 * @throws {OloproofError} `source_changed`.
 */
export function checkSource(
  header: RunHeader,
  { identity }: RunnableSystem,
  { sources }: UserFunctions,
  allowed: boolean,
): void {
  // A system whose version stands for its code is another one when the version is.
  const otherVersion = header.source_digest === null && identity.settings.version !== header.system.version;
  const changed = otherVersion || identity.source_digest !== header.source_digest ||
    [...sources].some(([object, digest]) => header.function_digests[object] !== digest);
  if (!changed || allowed) return;
  throw new OloproofError(`Cannot diagnose ${header.run_id}: the project's code is not the one that it ran`, {
    code: "source_changed",
    kind: "configuration",
    hint: "run again and diagnose that run, or say --allow-changed-source if the change cannot matter",
  });
}
