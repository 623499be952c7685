/** Which judge stands behind a criterion, and how it was measured last. */
import type { CalibratedJudge, Calibration } from "../domain/calibration.ts";
import { canonicalJson, identityOf } from "../domain/identity.ts";
import { judgeModelOf } from "../domain/judge.ts";
import type { Store, StoredDocument } from "../domain/ports.ts";
import type { EvaluatorSpec } from "../domain/project.ts";
import type { RunHeader } from "../domain/run.ts";
import { measureJudge } from "../judges/calibration.ts";
import { identifyingParameters } from "../stages/identities.ts";
import { calibrationOf } from "./find_document.ts";

/** Digests of the user's functions, by their `module:export`. */
export type FunctionDigests = { readonly [object: string]: string };

/** No evaluator has it. */
const UNKNOWN_VERSION = 0;

/**
 * The judge of an evaluator; undefined for one that asks none.
 *
 * @param version Under which it judged: that of a recorded run, which may be another one than this program's. Undefined = not known,
 *   which no calibration fits.
 */
export function judgeOf(
  { type, parameters }: EvaluatorSpec,
  digests: FunctionDigests,
  version: number | undefined,
): CalibratedJudge | undefined {
  const model = judgeModelOf(parameters);
  if (model === undefined) return undefined;
  return {
    type,
    version: version ?? UNKNOWN_VERSION,
    parameters: identifyingParameters(parameters),
    source_digest: model.object === undefined ? null : digests[model.object] ?? null,
  };
}

/** The question that calibrations of a judge answer: any change of it asks about another judge. */
export function calibrationQuestion(judge: CalibratedJudge): string {
  return canonicalJson({ kind: "calibration", judge });
}

/** A calibration that was found, and whether it is what its id says: a store can be edited. */
export interface FoundCalibration {
  readonly calibration: Calibration;
  readonly genuine: boolean;
}

/** The newest calibration of a judge, good or bad; undefined when it was never measured. */
export async function findCalibration(
  store: Store,
  judge: CalibratedJudge,
): Promise<FoundCalibration | undefined> {
  const found = await newestDocument(store, judge);
  return found === undefined ? undefined : { calibration: calibrationOf(found), genuine: isGenuine(found) };
}

async function newestDocument(
  store: Store,
  judge: CalibratedJudge,
): Promise<CalibrationDocument | undefined> {
  const [newest] = await store.documentsAnswering(calibrationQuestion(judge));
  return newest?.kind === "calibration" ? newest : undefined;
}

/** A calibration as a store keeps it. */
export type CalibrationDocument = Extract<StoredDocument, { readonly kind: "calibration" }>;

/**
 * The newest calibrations of the judges of a run, as they are stored: what a copy of the run needs to gate elsewhere. One that is not
 * genuine gates nowhere and stays behind.
 */
export async function calibrationsOf(
  { evaluators, function_digests, evaluator_versions }: Pick<
    RunHeader,
    "evaluators" | "function_digests" | "evaluator_versions"
  >,
  store: Store,
): Promise<readonly CalibrationDocument[]> {
  const judges = evaluators.flatMap((evaluator) =>
    judgeOf(evaluator, function_digests, evaluator_versions[evaluator.criterion]) ?? []
  );
  const found = await Promise.all(judges.map((judge) => newestDocument(store, judge)));
  return found.filter((document) => document !== undefined).filter(isGenuine);
}

/** Whether a calibration is what it says: its id is that of its content, and its figures those of its rows. */
export function isGenuine({ id, content, question }: CalibrationDocument): boolean {
  return id === `sha256:${identityOf(content)}` && question === calibrationQuestion(content.judge) &&
    canonicalJson(measureJudge(content.rows, content.level)) === canonicalJson(content.figures);
}
