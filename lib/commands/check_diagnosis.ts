/** What a diagnosis refuses: options, criteria and code that could not answer its question. */
import { didYouMean } from "../config/nearest.ts";
import { OloproofError } from "../domain/error.ts";
import type { RunHeader } from "../domain/run.ts";
import { evaluatorTypes } from "../evaluators/table.ts";
import type { RunnableSystem } from "../stages/run_case.ts";
import type { Intervention } from "../domain/diagnosis.ts";
import type { UserFunctions } from "./load_functions.ts";

interface CheckedOptions {
  readonly intervention: Intervention;
  readonly repeats?: number;
  readonly limit?: number;
}

/** @throws {OloproofError} `wrong_kind`, `invalid_intervention`. */
export function checkOptions(
  { intervention, repeats = 1, limit = 1 }: CheckedOptions,
  header: RunHeader,
): void {
  const { depth, top_k } = header.system;
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
  if (intervention.kind !== "top-k") return;
  if (!Number.isInteger(intervention.top_k) || intervention.top_k <= top_k || intervention.top_k > depth) {
    refuse(
      `Cannot replay with top-k ${intervention.top_k}: the run had top_k ${top_k} and depth ${depth}`,
      top_k >= depth
        ? "the run's top_k is its depth already: run again with a larger depth"
        : `allowed: ${top_k + 1} to ${depth}`,
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
