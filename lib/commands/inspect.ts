/** `inspect`: what is behind the figures of a run. No project code is loaded. */
import { didYouMean } from "../config/nearest.ts";
import { OloproofError } from "../domain/error.ts";
import type { Store } from "../domain/ports.ts";
import type { EvaluatorSpec } from "../domain/project.ts";
import type { RunHeader, StoredCase } from "../domain/run.ts";
import type { FailedCase, InspectedCase, RunReport } from "../domain/run_report.ts";
import { evaluatorTypes } from "../evaluators/table.ts";
import { entryConditions } from "../stages/entry_conditions.ts";
import { eachCase } from "./each_case.ts";
import type { RunSource } from "./run_source.ts";
import { isDiagnosable } from "./check_diagnosis.ts";
import { describeFailure } from "./describe_failure.ts";
import { namesDocument } from "./find_document.ts";
import { type DocumentInspection, inspectDocument } from "./inspect_document.ts";
import { findSource } from "./find_source.ts";
import { summarizeRun } from "./summarize_run.ts";
import type { Surroundings } from "./surroundings.ts";
import { withStore } from "./with_store.ts";

/** What can be looked at: a diagnosis, a comparison, a run as a whole, one case, or the failures of one criterion. */
export type Inspection =
  | DocumentInspection
  | { readonly kind: "run"; readonly report: RunReport }
  | {
    readonly kind: "case";
    readonly found: InspectedCase;
    /** The finished repeats of the case, `found` the first of them; it alone where each case is executed once. */
    readonly repeats: readonly InspectedCase[];
  }
  | {
    readonly kind: "failed";
    readonly run_id: string;
    readonly criterion: string;
    readonly failed: readonly FailedCase[];
    /** Executions whose judgment is missing: whether they failed is not known. */
    readonly missing: number;
    /** How often the run executes each case; of several, every repeat that failed is in `failed`. */
    readonly repeats: number;
    /** Whether the criterion judges the answer, so that another context could change it. */
    readonly diagnosable: boolean;
  };

/** Which of them; without any, the run. */
export interface InspectOptions {
  /** The exact id of one finished case; wins over `failed`. */
  readonly case?: string | undefined;
  /** A pass/fail criterion of the run, whose observed failures are listed in the order of the cases. */
  readonly failed?: string | undefined;
}

/**
 * Inspects a stored run or document.
 *
 * @param store The location of the store.
 * @param id A run id, a unique prefix of one, `latest` or `latest~n`; or `sha256:` and the beginning of a document id.
 * @throws {OloproofError} `unknown_run`, `ambiguous_run`, `no_runs`, `unknown_case`, `unknown_criterion`, `not_pass_fail`.
 */
export async function inspect(
  store: string,
  id: string,
  options: InspectOptions,
  surroundings: Surroundings,
): Promise<Inspection> {
  return await withStore(store, surroundings, async (opened): Promise<Inspection> => {
    if (namesDocument(id)) {
      refuseForDocument(id, options);
      return await inspectDocument(opened, id);
    }
    const source = await findSource(opened, id, surroundings.cwd);
    const run = source.header;
    if (options.case !== undefined) {
      const repeats = await inspectCase(source, options.case);
      return { kind: "case", found: repeats[0], repeats };
    }
    if (options.failed !== undefined) {
      const found = await failedCases(source, options.failed);
      const { run_id, repeats } = run;
      return { kind: "failed", run_id, criterion: options.failed, ...found, repeats };
    }
    return { kind: "run", report: await summarizeRun(source) };
  });
}

function refuseForDocument(id: string, options: InspectOptions): void {
  if (options.case === undefined && options.failed === undefined) return;
  throw new OloproofError(`Cannot look for cases in ${id}: it is a document, not a run`, {
    code: "wrong_kind",
    kind: "configuration",
    hint: "inspect it without --case and --failed: it lists its cases",
  });
}

async function inspectCase(
  { header, store }: RunSource,
  case_id: string,
): Promise<readonly [InspectedCase, ...InspectedCase[]]> {
  const [first, ...others] = await store.readCase(header.run_id, case_id);
  if (first === undefined) throw await unknownCase(store, header.run_id, case_id);
  return [describeCase(header, first), ...others.map((other) => describeCase(header, other))];
}

/** An execution as it is told. */
export function describeCase(header: RunHeader, stored: StoredCase): InspectedCase {
  const { record } = stored;
  return {
    relevance_unit: header.relevance_unit,
    run_id: header.run_id,
    ...(header.repeats === 1 ? {} : { repeat: stored.repeat }),
    record,
    entry: entryConditions(record, header.system),
    judgments: header.evaluators.flatMap(({ criterion }, index) => {
      const judgment = stored.judgments[index];
      return judgment === undefined ? [] : [{ criterion, judgment }];
    }),
    cache: stored.cache,
    costs: stored.costs,
  };
}

/** The error for a case that a run does not have, with the nearest id. */
export async function unknownCase(store: Store, run_id: string, case_id: string): Promise<OloproofError> {
  const ids: string[] = [];
  for await (const [{ record }] of eachCase(store.readCases(run_id))) ids.push(record.case.id);
  const { hint = `the run has ${ids.length} finished cases; \`oloproof export\` writes them all` } =
    didYouMean(case_id, ids);
  return new OloproofError(`Cannot find the case ${JSON.stringify(case_id)} in ${run_id}`, {
    code: "unknown_case",
    kind: "configuration",
    hint,
  });
}

async function failedCases(
  { header, store }: RunSource,
  criterion: string,
): Promise<{ failed: readonly FailedCase[]; missing: number; diagnosable: boolean }> {
  const index = header.evaluators.findIndex((evaluator) => evaluator.criterion === criterion);
  const evaluator = header.evaluators[index];
  if (evaluator === undefined) {
    const names = header.evaluators.map((other) => other.criterion);
    const known = names.length === 0 ? "the run has no evaluators" : `the run has ${names.join(", ")}`;
    const { hint } = didYouMean(criterion, names);
    throw new OloproofError(`Cannot find the criterion ${JSON.stringify(criterion)} in ${header.run_id}`, {
      code: "unknown_criterion",
      kind: "configuration",
      hint: hint === undefined ? known : `${hint} ${known}`,
    });
  }
  const failed: FailedCase[] = [];
  let missing = 0;
  for await (const stored of store.readCases(header.run_id)) {
    const judgment = stored.judgments[index];
    if (judgment?.status === "missing") missing++;
    if (judgment?.status !== "observed") continue;
    if (typeof judgment.value === "number") throw notPassFail(criterion);
    if (judgment.value) continue;
    const failure = describeFailure(stored, evaluator, judgment.details ?? null, header);
    const { case_id, ...rest } = failure;
    failed.push(header.repeats === 1 ? failure : { case_id, repeat: stored.repeat, ...rest });
  }
  return { failed, missing, diagnosable: judgesAnswer(evaluator) && isDiagnosable(header.system) };
}

function notPassFail(criterion: string): OloproofError {
  return new OloproofError(
    `Cannot list the failures of ${JSON.stringify(criterion)}: its values are numbers`,
    {
      code: "not_pass_fail",
      kind: "configuration",
      hint:
        "only a pass/fail criterion has failed cases; `inspect ID --case CASE` shows every value of a case",
    },
  );
}

function judgesAnswer({ type }: EvaluatorSpec): boolean {
  const reads = evaluatorTypes.get(type)?.reads;
  return reads === "output" || reads === "context";
}
