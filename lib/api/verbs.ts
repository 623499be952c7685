/** The verbs of the command line as functions over plain data. */
import process from "node:process";
import { inspect as inspectStored, type Inspection, type InspectOptions } from "../commands/inspect.ts";
import { list as listStored } from "../commands/list.ts";
import { openProject as openProjectFile } from "../commands/open_project.ts";
import { run as runProject, type RunOptions } from "../commands/run.ts";
import { validate as validateProject } from "../commands/validate.ts";
import { exportCases } from "../commands/export.ts";
import { type CaseLine, caseLine } from "../report/case_line.ts";
import type { Project } from "../domain/project.ts";
import type { RunReport, RunSummary, Validation } from "../domain/run_report.ts";
import { type CallOptions, realSurroundings } from "./surroundings.ts";

/**
 * Opens the project in a folder (its `oloproof.yaml`), or the one that a path to a YAML file names; loads none of its code.
 *
 * @throws {OloproofError} `no_project`, or every mistake in the file at once (`issues`).
 */
export function openProject(path = ".", options: { readonly store?: string } = {}): Promise<Project> {
  return openProjectFile(path, { cwd: process.cwd(), store: options.store });
}

/** Checks a project and its cases, and counts the cases that each evaluator can judge; runs nothing. */
export function validate(project: Project): Promise<Validation> {
  return validateProject(project, realSurroundings());
}

/**
 * Runs a project and answers with its figures: estimates and bounds are fractions in [0, 1], null where nothing was observed.
 *
 * A stage that fails is recorded and counted (`failures`, `missing`), never thrown. With a `signal`, an interruption keeps
 * what is finished and answers with status `interrupted`.
 *
 * @throws {OloproofError} What makes a run impossible: mistakes in the project or its cases, a system that cannot be loaded, a
 *   store that fails.
 *
 * @example Run, then look at what failed
 * ```ts
 * import { inspect, openProject, run } from "oloproof";
 *
 * const project = await openProject("examples/support_rag", { store: await Deno.makeTempDir() + "/store.db" });
 * const baseline = await run(project);
 * const looked = await inspect(project, baseline.run_id, { failed: "answer_correct" });
 * if (looked.kind === "failed") looked.failed.map(({ case_id, got }) => [case_id, got]);
 * ```
 */
export function run(project: Project, options: RunOptions & CallOptions = {}): Promise<RunReport> {
  return runProject(project, options, realSurroundings(options));
}

/**
 * Looks behind the figures of a stored run: the run, one case (`case`), or the failures of a criterion (`failed`).
 *
 * @param id A run id, a unique prefix of one, `latest` or `latest~1`.
 * @throws {OloproofError} `unknown_run`, `ambiguous_run`, `no_runs`, `no_store`, `unknown_case`, `unknown_criterion`.
 */
export function inspect(project: Project, id = "latest", options: InspectOptions = {}): Promise<Inspection> {
  return inspectStored(project.store, id, options, realSurroundings());
}

/** The runs of the project's store, the newest first. @throws {OloproofError} `no_store`. */
export function list(
  project: Project,
  options: { readonly limit?: number } = {},
): Promise<readonly RunSummary[]> {
  return listStored(project.store, options, realSurroundings());
}

/** The finished cases of a run, one by one in the order of its cases: what `export --format jsonl` writes a line each. */
export async function* cases(project: Project, id = "latest"): AsyncGenerator<CaseLine> {
  for await (const { run, stored } of exportCases(project.store, id, realSurroundings())) {
    yield caseLine(run.evaluators, stored);
  }
}
