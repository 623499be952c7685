/** The verbs of the command line as functions over plain data. */
import process from "node:process";
import { calibrate as calibrateJudge, type CalibrateOptions } from "../commands/calibrate.ts";
import { compareRuns } from "../commands/compare_runs.ts";
import { planProject } from "../commands/plan_for.ts";
import { readPolicy } from "../commands/read_policy.ts";
import { diagnose as diagnoseRun, type DiagnoseOptions } from "../commands/diagnose.ts";
import { dryRun as dryRunProject } from "../commands/dry_run.ts";
import { interventionOf, type InterventionOptions } from "../commands/intervention.ts";
import { inspect as inspectStored, type Inspection, type InspectOptions } from "../commands/inspect.ts";
import { list as listStored } from "../commands/list.ts";
import { openProject as openProjectFile } from "../commands/open_project.ts";
import { run as runProject } from "../commands/run.ts";
import type { RunOptions } from "../commands/run_options.ts";
import { sweep as sweepRun, type SweepOptions } from "../commands/sweep.ts";
import { validate as validateProject } from "../commands/validate.ts";
import { exportCases } from "../commands/export.ts";
import { type DiagnosisDocument, diagnosisJson } from "../report/diagnosis_json.ts";
import { type CalibrationDocument, calibrationJson } from "../report/calibration_json.ts";
import { type ComparisonDocument, comparisonJson } from "../report/comparison_json.ts";
import { type SweepDocument, sweepJson } from "../report/sweep_json.ts";
import type { Plan } from "../domain/plan.ts";
import { type CaseLine, caseLine } from "../report/case_line.ts";
import type { DryRun } from "../domain/dry_run.ts";
import type { Project } from "../domain/project.ts";
import type { RunReport, RunSummary, Validation } from "../domain/run_report.ts";
import { withinCall } from "./interactive.ts";
import {
  shownCalibration,
  shownComparison,
  shownDiagnosis,
  shownInspection,
  shownPlan,
  shownRun,
  shownSweep,
} from "./notebook.ts";
import { type CallOptions, realSurroundings } from "./surroundings.ts";

/**
 * Opens the project in a folder (its `oloproof.yaml`), or the one that a path to a YAML file names; loads
 * none of its code.
 *
 * Defaults are filled in and paths are made absolute. The cases are not read yet: `validate` and `run` check
 * them.
 *
 * @param path A folder, or a file that ends in `.yaml` or `.yml`; relative to the current folder, which is
 *   the default.
 * @param options `store`: a path, relative to the current folder, or a libsql://, https:// or http:// URL
 *   that takes the place of the project's own store. It is not opened here.
 * @returns The checked project, for all other functions.
 * @throws {OloproofError} `no_project`, `unreadable_file`, or every mistake in the file at once (`issues`,
 *   with line and column).
 *
 * @example Open a project with a store of its own
 * ```ts
 * import assert from "node:assert/strict";
 * import { openProject } from "oloproof";
 *
 * const store = await Deno.makeTempDir() + "/store.db";
 * const project = await openProject("examples/support_rag", { store });
 *
 * assert.equal(project.store, store);
 * assert.equal(project.evaluators[0]?.criterion, "answer_correct");
 * assert.equal(project.run.timeout_seconds, 60);
 * ```
 */
export function openProject(path = ".", options: { readonly store?: string } = {}): Promise<Project> {
  return openProjectFile(path, { cwd: process.cwd(), store: options.store });
}

/**
 * Checks a project and all its cases, and counts the cases that each evaluator can judge; runs nothing and
 * loads no code.
 *
 * So a system that cannot be loaded, or settings that only the system states, are found by `run` alone. What
 * is suspect but no mistake (no evaluators, cases that none can judge) is in `notices`.
 *
 * @returns Counts of cases; for each evaluator `applies_to + excluded` is `cases`.
 * @throws {OloproofError} Every mistake of the cases at once (`issues`, at most about 50), `no_cases` when
 *   there are none, or an unreadable case file.
 *
 * @example How many cases can be judged by what
 * ```ts
 * import assert from "node:assert/strict";
 * import { openProject, validate } from "oloproof";
 *
 * const { cases, evaluators } = await validate(await openProject("examples/support_rag"));
 *
 * assert.equal(cases, 13);
 * assert.deepEqual(evaluators[0], {
 *   criterion: "answer_correct",
 *   type: "contains",
 *   applies_to: 13,
 *   excluded: 0,
 * });
 * ```
 */
export function validate(project: Project): Promise<Validation> {
  return validateProject(project, realSurroundings());
}

/**
 * Runs a project and answers with its figures: estimates and bounds are fractions in [0, 1], null where
 * nothing was observed.
 *
 * A stage that fails is recorded and counted (`failures`, `missing`), never thrown. With a `signal`, an
 * interruption keeps what is finished and answers with status `interrupted`. The run is kept in the project's
 * store, which is made when it is absent; work that equals recorded work is not done again unless `refresh`
 * asks for it. Latencies are in milliseconds.
 *
 * With `repeats` each case is executed several times, and its values are averaged before anything is counted:
 * a repeated pass/fail is a mean. `resume` goes on with a run that was killed or interrupted and answers with
 * the whole; a complete one is only told again. `retry_failed` executes again, in a new run, what failed in
 * one; where nothing failed, that one is told again. Both refuse a project whose cases, settings, code or
 * evaluators are no longer those of the run.
 *
 * @param options What differs from the project (`set`, `select`, `repeats`, `refresh`, `concurrency`, `name`),
 *   the run to go on with (`resume`, `retry_failed`), and `signal` and `onProgress`.
 * @throws {OloproofError} What makes a run impossible: mistakes in the project or its cases, a system that
 *   cannot be loaded, a store that fails. Of `resume` and `retry_failed`: `unknown_run`, `wrong_kind`,
 *   `resume_differs`, `cases_changed`, `settings_changed`, `source_changed`, `evaluators_changed`,
 *   `project_changed`, `version_changed`; `run_taken_over` when another process resumes the run meanwhile.
 *
 * @example Run, then look at what failed
 * ```ts
 * import assert from "node:assert/strict";
 * import { inspect, openProject, run } from "oloproof";
 *
 * const store = await Deno.makeTempDir() + "/store.db";
 * const project = await openProject("examples/support_rag", { store });
 * const baseline = await run(project);
 * const looked = await inspect(project, baseline.run_id, { failed: "answer_correct" });
 *
 * assert.equal(baseline.metrics[0]?.estimate, 9 / 13);
 * assert.equal(looked.kind, "failed");
 * assert.equal(looked.failed[0]?.case_id, "money_back");
 * ```
 */
export async function run(project: Project, options: RunOptions & CallOptions = {}): Promise<RunReport> {
  return shownRun(
    await withinCall(options, (surroundings) => runProject(project, options, surroundings)),
  );
}

/**
 * Says what `run` with the same options would do: how many executions the cache answers, how many calls the
 * others take, how many judgments are known. Calls no stage and writes nothing; makes no store.
 *
 * The system is loaded, and its `countTokens` is called where a context depends on it. Counts of calls hold if
 * none fails; `at_most` stands where it may be fewer, since what a stage would be given is not known before the
 * stage before it was called.
 *
 * @returns Counts; undefined when `signal` interrupted it.
 * @throws {OloproofError} What `run` would throw before its first case.
 *
 * @example What a larger budget would cost
 * ```ts
 * import assert from "node:assert/strict";
 * import { dryRun, openProject, run } from "oloproof";
 *
 * const store = await Deno.makeTempDir() + "/store.db";
 * const project = await openProject("examples/support_rag", { store });
 * await run(project);
 * const planned = await dryRun(project, { set: { token_budget: 120 } });
 *
 * assert.deepEqual(planned?.calls.retrieve, { calls: 0, at_most: false });
 * assert.deepEqual(planned?.calls.generate, { calls: 6, at_most: false });
 * ```
 */
export function dryRun(
  project: Project,
  options: RunOptions & CallOptions = {},
): Promise<DryRun | undefined> {
  return dryRunProject(project, options, realSurroundings(options));
}

/**
 * Looks behind the figures of a stored run: the run, one case (`case`), or the failures of a criterion
 * (`failed`).
 *
 * The answer's `kind` says which of them it is. Nothing is executed and no code of the project is loaded:
 * what is shown is what was recorded. `failed` lists observed failures alone, `[]` when there are none; a
 * missing judgment is no failure.
 *
 * @param id A run id, a unique prefix of one, `latest` (the default), `latest~1` for the one before.
 * @param options `case`: a case id; `failed`: a pass/fail criterion; with both, `case` holds; with neither,
 *   the run's report.
 * @throws {OloproofError} `no_store`, `no_runs`, `unknown_run`, `ambiguous_run`, `unknown_case` (also a case
 *   that has not finished), `unknown_criterion`, `not_pass_fail` (a criterion whose values are numbers has no
 *   failures).
 *
 * @example Why a passage did not reach the generator
 * ```ts
 * import assert from "node:assert/strict";
 * import { inspect, openProject, run } from "oloproof";
 *
 * const store = await Deno.makeTempDir() + "/store.db";
 * const project = await openProject("examples/support_rag", { store });
 * await run(project);
 * const looked = await inspect(project, "latest", { case: "refund_review" });
 *
 * assert.equal(looked.kind, "case");
 * assert.equal(looked.found.record.dropped?.[0]?.reason, "over_token_budget");
 * assert.equal(looked.found.entry[0]?.setting, "token_budget");
 * ```
 */
export async function inspect(
  project: Project,
  id = "latest",
  options: InspectOptions = {},
): Promise<Inspection> {
  return shownInspection(await inspectStored(project.store, id, options, realSurroundings()));
}

/**
 * Diagnoses why the failed cases of a stored run failed: each is executed again under an intervention and, beside it, unchanged.
 * Nothing is called a cause; what recovers points to a stage.
 *
 * `gold-context` puts the gold passages in the place of the retrieved ones. `top-k` and `reranker` replay the recorded retrieval
 * under a wider cut or in another order, without calling the retriever; they carry the labels of the gold-context diagnosis, which
 * is made first where there is none.
 *
 * @param id A run id, a unique prefix of one, a run's name, `latest` or `latest~1`.
 * @returns Counts, a label for each selected case, candidate experiments; undefined when `signal` interrupted it.
 * @throws {OloproofError} `unknown_run`, `unknown_criterion`, `not_diagnosable`, `source_changed` (the project's code is not the
 *   one that the run recorded), `invalid_intervention`, and what loading the system throws.
 *
 * @example The labels of the failed cases
 * ```ts
 * import { diagnose, openProject, run } from "oloproof";
 * import assert from "node:assert/strict";
 *
 * const project = await openProject("examples/support_rag", { store: await Deno.makeTempDir() + "/store.db" });
 * const { run_id } = await run(project);
 * const why = await diagnose(project, run_id, { intervention: "gold-context", criterion: "answer_correct" });
 * assert.deepEqual(why?.labels, [
 *   { label: "RETRIEVAL_MISS", cases: 1 },
 *   { label: "CONTEXT_ASSEMBLY_LOSS", cases: 2 },
 *   { label: "GENERATION_FAILURE", cases: 1 },
 * ]);
 * ```
 */
export async function diagnose(
  project: Project,
  id: string,
  options: InterventionOptions & Omit<DiagnoseOptions, "intervention"> & CallOptions,
): Promise<DiagnosisDocument | undefined> {
  const { signal: _signal, onProgress: _onProgress, top_k, reranker, intervention, ...rest } = options;
  const changed = interventionOf({ intervention, top_k, reranker });
  const report = await withinCall(
    options,
    (surroundings) => diagnoseRun(project, id, { ...rest, intervention: changed }, surroundings),
  );
  return report === undefined ? undefined : shownDiagnosis(diagnosisJson(report), report);
}

/**
 * Compares a candidate run with a baseline, case by case, and decides by a policy. Differences are candidate minus baseline, as
 * fractions in [-1, 1]; null where no pair was observed.
 *
 * @param candidate A run id, a name, `latest`, or the path of a bundle.
 * @param baseline Likewise.
 * @param options `policy`: the path of a policy file, relative to the current folder or to the project's.
 * @returns Differences, decisions and the gate (`PASS`, `BLOCK`, `NOT_BLOCKED`; null without a policy), with the exit code that it
 *   stands for.
 * @throws {OloproofError} Every mistake of the policy at once; `criterion_differs`, `no_common_criteria`, `same_run`, and what
 *   finding runs throws.
 *
 * @example A change that shows nothing either way
 * ```ts
 * import { compare, openProject, run } from "oloproof";
 * import assert from "node:assert/strict";
 *
 * const project = await openProject("examples/support_rag", { store: await Deno.makeTempDir() + "/store.db" });
 * const baseline = await run(project);
 * const candidate = await run(project, { set: { token_budget: 120 } });
 * const verdict = await compare(project, candidate.run_id, baseline.run_id, { policy: "compare.yaml" });
 * assert.deepEqual([verdict.gate, verdict.exit], ["BLOCK", 3]);
 * ```
 */
export async function compare(
  project: Project,
  candidate: string,
  baseline?: string,
  options: { readonly policy?: string } = {},
): Promise<ComparisonDocument> {
  const surroundings = realSurroundings();
  const policy = options.policy === undefined
    ? undefined
    : await readPolicy(options.policy, project.root, surroundings.cwd);
  const comparison = await compareRuns(project.store, { candidate, baseline, policy }, surroundings);
  return shownComparison(comparisonJson(comparison), comparison);
}

/**
 * Measures the judge of a criterion against people's labels and keeps the result: the 2×2 table, sensitivity, specificity and
 * agreement with exact intervals, prevalence, whether the judge says the same again, and kappa. Rates are fractions, null where no
 * label tells. Rules on the criterion may gate once the lower bounds meet the terms that a policy states.
 *
 * @param options `criterion`; `labels`, the path of a JSONL file (`{ case_id | record, label }` a line), relative to the current
 *   folder or to the project's; `run`, the run that labelled cases are of (`latest`); `repeats` of each judgment (2).
 * @returns The figures and every row; undefined when `signal` interrupted it.
 * @throws {OloproofError} `unknown_criterion`, `not_judged`, every mistake of the labels at once, `missing_api_key`, and what finding
 *   the run throws.
 *
 * @example A judge that needs no model, measured on a run
 * ```ts
 * import assert from "node:assert/strict";
 * import { calibrate, openProject, run } from "oloproof";
 *
 * const store = await Deno.makeTempDir() + "/store.db";
 * const project = await openProject("examples/judged_answers", { store });
 * await run(project);
 * const measured = await calibrate(project, { criterion: "grounded", labels: "labels.jsonl" });
 *
 * assert.equal(measured?.figures.labels, 54);
 * assert.deepEqual(measured?.disagreements, ["wheelchair_wrong"]);
 * ```
 */
export async function calibrate(
  project: Project,
  options: CalibrateOptions & CallOptions,
): Promise<CalibrationDocument | undefined> {
  const { signal: _signal, onProgress: _onProgress, ...rest } = options;
  const calibration = await withinCall(
    options,
    (surroundings) => calibrateJudge(project, rest, surroundings),
  );
  return calibration === undefined ? undefined : shownCalibration(calibrationJson(calibration), calibration);
}

/**
 * Plans a policy: how many cases each rule needs, without a changed verdict and with some, and whether it can pass with the cases
 * of the project.
 *
 * @param options `policy`: the path of a policy file; `churns`: shares of changed verdicts, 0.05 and 0.1 by default.
 * @throws {OloproofError} Every mistake of the policy and of the cases at once.
 */
export async function plan(
  project: Project,
  options: { readonly policy: string; readonly churns?: readonly number[] },
): Promise<Plan> {
  const surroundings = realSurroundings();
  const file = await readPolicy(options.policy, project.root, surroundings.cwd);
  return shownPlan(await planProject(file, project, options.churns, surroundings));
}

/**
 * Sweeps a run: every combination of some settings, from the retrieval that the run recorded, each compared with the run itself.
 *
 * No retriever is called, and answers are generated where no equal one is recorded. The combinations are kept in child runs, which
 * `latest` and `list` pass over; to adopt one, `run` with its settings finds every answer in the cache. Of many combinations the best
 * looks better than it is: confirm it on other cases.
 *
 * @param id A run id, a unique prefix of one, a run's name, `latest` or `latest~1`.
 * @param options `set`: lists of values by the dotted names of settings; `top_k`, `token_budget` and paths below `params.generate`.
 * @returns Metrics and paired differences of every combination, and the calls that were made and saved; undefined when `signal`
 *   interrupted it.
 * @throws {OloproofError} Every mistake in `set` at once; `not_sweepable` (one stage, recorded outputs), `unfinished_run`,
 *   `source_changed`, and what finding the run and loading the system throws.
 *
 * @example How much a larger budget and a wider cut would change
 * ```ts
 * import { openProject, run, sweep } from "oloproof";
 * import assert from "node:assert/strict";
 *
 * const project = await openProject("examples/support_rag", { store: await Deno.makeTempDir() + "/store.db" });
 * const { run_id } = await run(project);
 * const swept = await sweep(project, run_id, { set: { token_budget: [40, 80, 120], top_k: [2, 4] } });
 *
 * assert.equal(swept?.combinations.length, 6);
 * assert.equal(swept?.calls.retrieve.made, 0);
 * ```
 */
export async function sweep(
  project: Project,
  id: string,
  options: SweepOptions & CallOptions,
): Promise<SweepDocument | undefined> {
  const swept = await withinCall(options, (surroundings) => sweepRun(project, id, options, surroundings));
  return swept === undefined ? undefined : shownSweep(sweepJson(swept), swept);
}

/**
 * The runs of the project's store, the newest first; `[]` when the store holds none.
 *
 * @param options `limit`: at most so many runs, an integer ≥ 0; absent = all.
 * @returns Identity, status and numbers of cases of each; `inspect` has the figures.
 * @throws {OloproofError} `no_store` when nothing was ever run, or what else keeps the store from being read.
 *
 * @example The latest run
 * ```ts
 * import assert from "node:assert/strict";
 * import { list, openProject, run } from "oloproof";
 *
 * const store = await Deno.makeTempDir() + "/store.db";
 * const project = await openProject("examples/support_rag", { store });
 * await run(project, { name: "before" });
 * await run(project, { name: "after", set: { token_budget: 120 } });
 * const [latest] = await list(project, { limit: 1 });
 *
 * assert.equal(latest?.name, "after");
 * assert.equal(latest?.status, "complete");
 * assert.equal(latest?.cases, 13);
 * ```
 */
export function list(
  project: Project,
  options: { readonly limit?: number } = {},
): Promise<readonly RunSummary[]> {
  return listStored(project.store, options, realSurroundings());
}

/**
 * The finished cases of a run, one by one in the order of its cases: what `export --format jsonl` writes a
 * line each.
 *
 * Cases are read as they are consumed, so a run of any size fits into memory; the store stays open until the
 * loop ends or is left. Nothing is read, or thrown, before the first one is asked for. A run without finished
 * cases yields nothing.
 *
 * @param id A run id, a unique prefix of one, `latest` (the default), `latest~1` for the one before.
 * @throws {OloproofError} `no_store`, `no_runs`, `unknown_run`, `ambiguous_run`.
 *
 * @example The cases in which the token budget dropped a passage
 * ```ts
 * import assert from "node:assert/strict";
 * import { cases, openProject, run } from "oloproof";
 *
 * const store = await Deno.makeTempDir() + "/store.db";
 * const project = await openProject("examples/support_rag", { store });
 * const { run_id } = await run(project);
 * const over: string[] = [];
 * for await (const { case_id, dropped } of cases(project, run_id)) {
 *   if (dropped?.some(({ reason }) => reason === "over_token_budget")) over.push(case_id);
 * }
 *
 * assert.ok(over.includes("refund_review"));
 * ```
 */
export async function* cases(project: Project, id = "latest"): AsyncGenerator<CaseLine> {
  for await (const { run, stored } of exportCases(project.store, id, realSurroundings())) {
    yield caseLine(run, stored);
  }
}
