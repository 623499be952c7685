/** The evaluators of a run as judging needs them, and what is known of their judgments. */
import { isJsonObject } from "../domain/json.ts";
import { isLasting, type Judgment } from "../domain/judgment.ts";
import type { EvaluatorSpec } from "../domain/project.ts";
import type { JudgmentEntry } from "../domain/run.ts";
import type { BoundEvaluator } from "../evaluators/evaluator.ts";
import { evaluatorTypes } from "../evaluators/table.ts";
import { evaluatorIdentity } from "../stages/identities.ts";

/** An evaluator that is ready to judge. */
export interface JudgingEvaluator {
  /** The identity of the evaluator with its parameters: the same key, the same judgment of the same record. */
  readonly key: string;
  /** Whether it asks a judge. */
  readonly judged: boolean;
  readonly bound: BoundEvaluator;
}

/** @param sources Digests of the user's code that an evaluator calls, by its `module:export`. */
export function bindEvaluators(
  specs: readonly EvaluatorSpec[],
  sources: ReadonlyMap<string, string>,
): readonly JudgingEvaluator[] {
  return specs.map((spec) => bindEvaluator(spec, sources));
}

/** The versions that evaluators have in this program, by criterion; a type that it does not have has none. */
export function evaluatorVersions(specs: readonly EvaluatorSpec[]): { readonly [criterion: string]: number } {
  return Object.fromEntries(specs.flatMap(({ type, criterion }) => {
    const version = evaluatorTypes.get(type)?.version;
    return version === undefined ? [] : [[criterion, version]];
  }));
}

/** Whether any evaluator is a function of the user's: it may read all of a case. */
export function callsUserCode(specs: readonly EvaluatorSpec[]): boolean {
  return specs.some(({ parameters }) => parameters.object !== undefined);
}

/** The judgments of one record that may be reused, by the keys of their evaluators. Entries come newest first, and the newest wins. */
export function knownJudgments(entries: readonly JudgmentEntry[]): ReadonlyMap<string, Judgment> {
  const known = new Map<string, Judgment>();
  for (const entry of entries) {
    for (const [index, key] of entry.evaluators.entries()) {
      const judgment = entry.judgments[index];
      if (judgment !== undefined && isLasting(judgment) && !known.has(key)) known.set(key, judgment);
    }
  }
  return known;
}

/** Whether a judge was asked for a judgment: what has no value, or says itself that nobody was, was decided without one. */
export function wasAsked(judgment: Judgment): boolean {
  if (judgment.status !== "observed") return false;
  return !(isJsonObject(judgment.details) && judgment.details.asked === 0);
}

function bindEvaluator(spec: EvaluatorSpec, sources: ReadonlyMap<string, string>): JudgingEvaluator {
  const type = evaluatorTypes.get(spec.type);
  if (type === undefined) throw new TypeError(`there is no evaluator of type ${spec.type}`);
  const object = spec.parameters.object;
  const source_digest = typeof object === "string" ? sources.get(object) : undefined;
  const key = evaluatorIdentity({
    type: type.type,
    version: type.version,
    parameters: spec.parameters,
    ...(source_digest === undefined ? {} : { source_digest }),
  });
  return { key, judged: type.judged ?? false, bound: type.bind(spec.parameters) };
}
