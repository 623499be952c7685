/** Which judge stands behind a criterion, and how it was measured last. */
import type { CalibratedJudge, Calibration } from "../domain/calibration.ts";
import { canonicalJson } from "../domain/identity.ts";
import { judgeModelOf } from "../domain/judge.ts";
import type { Store } from "../domain/ports.ts";
import type { EvaluatorSpec } from "../domain/project.ts";
import { evaluatorTypes } from "../evaluators/table.ts";
import { identifyingParameters } from "../stages/identities.ts";
import { calibrationOf } from "./find_document.ts";

/** Digests of the user's functions, by their `module:export`. */
export type FunctionDigests = { readonly [object: string]: string };

/** The judge of an evaluator; undefined for one that asks none. */
export function judgeOf(
  { type, parameters }: EvaluatorSpec,
  digests: FunctionDigests,
): CalibratedJudge | undefined {
  const model = judgeModelOf(parameters);
  const known = evaluatorTypes.get(type);
  if (model === undefined || known?.judged !== true) return undefined;
  return {
    type,
    version: known.version,
    parameters: identifyingParameters(parameters),
    source_digest: model.object === undefined ? null : digests[model.object] ?? null,
  };
}

/** The question that calibrations of a judge answer: any change of it asks about another judge. */
export function calibrationQuestion(judge: CalibratedJudge): string {
  return canonicalJson({ kind: "calibration", judge });
}

/** The newest calibration of a judge, good or bad; undefined when it was never measured. */
export async function findCalibration(
  store: Store,
  judge: CalibratedJudge,
): Promise<Calibration | undefined> {
  const [newest] = await store.documentsAnswering(calibrationQuestion(judge));
  return newest?.kind === "calibration" ? calibrationOf(newest) : undefined;
}
