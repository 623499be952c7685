/** What is known of the judges behind a policy's rules, and what they may therefore decide. */
import type { CalibratedJudge } from "../domain/calibration.ts";
import type { JudgeLicence } from "../domain/comparison.ts";
import { judgeModelOf, judgeName } from "../domain/judge.ts";
import type { Policy } from "../domain/policy.ts";
import type { Store } from "../domain/ports.ts";
import type { EvaluatorSpec } from "../domain/project.ts";
import { licenceOf, ratesAt } from "../judges/licence.ts";
import { findCalibration, type FoundCalibration, type FunctionDigests, judgeOf } from "./find_calibration.ts";

/** The evaluators of a run or of a project, and the code of the functions that they call. */
export interface JudgedRun {
  readonly evaluators: readonly EvaluatorSpec[];
  readonly function_digests: FunctionDigests;
  /** Under which versions they judged, by criterion. */
  readonly evaluator_versions: { readonly [criterion: string]: number };
}

/**
 * The licence of every judge behind a criterion of the rules, in the rules' order.
 *
 * @param stores Where calibrations are looked for: the first that knows the judge has its newest one.
 */
export async function licencesOf(
  policy: Policy | null,
  { evaluators, function_digests, evaluator_versions }: JudgedRun,
  stores: readonly Store[],
): Promise<readonly JudgeLicence[]> {
  const criteria = new Set((policy?.rules ?? []).map(({ criterion }) => criterion));
  const licences: JudgeLicence[] = [];
  for (const criterion of criteria) {
    const evaluator = evaluators.find((one) => one.criterion === criterion);
    const judge = evaluator === undefined
      ? undefined
      : judgeOf(evaluator, function_digests, evaluator_versions[criterion]);
    if (judge === undefined || policy === null) continue;
    licences.push(describe(criterion, judge, await newest(stores, judge), policy));
  }
  return licences;
}

async function newest(
  stores: readonly Store[],
  judge: CalibratedJudge,
): Promise<FoundCalibration | undefined> {
  for (const store of stores) {
    const found = await findCalibration(store, judge);
    if (found !== undefined) return found;
  }
  return undefined;
}

function describe(
  criterion: string,
  { type, parameters }: CalibratedJudge,
  found: FoundCalibration | undefined,
  { judges = {}, level }: Policy,
): JudgeLicence {
  const model = judgeModelOf(parameters);
  const named = { criterion, judge: model === undefined ? type : judgeName(model) };
  const terms = Object.hasOwn(judges, criterion) ? judges[criterion] : undefined;
  const problemOf = (problem: string) => ({ problem, margin_factor: null });
  const unmeasured = { ...named, calibration_id: null, labels: 0, sensitivity: null, specificity: null };
  if (found === undefined) {
    return {
      ...unmeasured,
      ...problemOf("this very judge (provider, model, parameters, prompt and code) was never measured"),
    };
  }
  const { calibration, genuine } = found;
  if (!genuine) {
    return {
      ...unmeasured,
      ...problemOf(
        "its stored calibration was changed since it was made, and is none; `oloproof judge calibrate` makes another",
      ),
    };
  }
  const { figures } = calibration.content;
  const licence = terms === undefined ? undefined : licenceOf(terms, figures, level);
  return {
    ...named,
    calibration_id: calibration.calibration_id,
    labels: figures.labels,
    ...ratesAt(figures, level),
    ...(licence === undefined
      ? problemOf(
        `the policy states no terms for it (judges: {${criterion}: {min_sensitivity, min_specificity, min_labels}})`,
      )
      : licence.qualified
      ? { problem: null, margin_factor: licence.margin_factor }
      : problemOf(licence.problem)),
  };
}
