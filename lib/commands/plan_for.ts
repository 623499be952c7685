/** The plan of a policy for the cases that there are: of a run, or of the project. */
import { issuesError } from "../domain/error.ts";
import type { Project } from "../domain/project.ts";
import type { Plan } from "../domain/plan.ts";
import { locateStore, openProject } from "./open_project.ts";
import { findSource } from "./find_source.ts";
import { licencesOf } from "./judge_licences.ts";
import { projectLicences } from "./project_licences.ts";
import { planPolicy } from "./plan.ts";
import { knownCriteria, numberCriteria, type PolicyFile } from "./read_policy.ts";
import { summarizeRun } from "./summarize_run.ts";
import type { Surroundings } from "./surroundings.ts";
import { validate } from "./validate.ts";
import { withStore } from "./with_store.ts";

/** What is planned for. */
export interface PlanOptions {
  /** The project's folder. */
  readonly project: string;
  /** A store in the place of the project's. */
  readonly store?: string | undefined;
  /** A run whose observed cases count; absent = the project's cases do. */
  readonly run?: string | undefined;
  /** Shares of changed verdicts. */
  readonly churns?: readonly number[] | undefined;
}

/**
 * Plans a policy.
 *
 * @throws {OloproofError} Mistakes of the policy against the criteria, and what opening the project or the run throws.
 */
export async function planFor(
  file: PolicyFile,
  options: PlanOptions,
  surroundings: Surroundings,
): Promise<Plan> {
  const { run, churns } = options;
  if (run === undefined) {
    const project = await openProject(options.project, { cwd: surroundings.cwd, store: options.store });
    return await planProject(file, project, churns, surroundings);
  }
  const location = options.store === undefined
    ? (await openProject(options.project, { cwd: surroundings.cwd })).store
    : locateStore(options.store, surroundings.cwd);
  return await withStore(location, surroundings, async (store) => {
    const source = await findSource(store, run, surroundings.cwd);
    check(file, knownCriteria(source.header));
    const { metrics } = await summarizeRun(source);
    const present = new Map(metrics.map((one) => [one.criterion, one.observed]));
    const means = metrics.flatMap(({ criterion, kind }) => kind === "mean" ? [criterion] : []);
    const judges = await licencesOf(file.policy, source.header, [store, source.store]);
    const numbers = numberCriteria(source.header).union(new Set(means));
    return planPolicy(file.policy, present, numbers, churns, judges);
  });
}

/** Plans a policy for the cases of a project that each criterion can judge. */
export async function planProject(
  file: PolicyFile,
  project: Project,
  churns: readonly number[] | undefined,
  surroundings: Surroundings,
): Promise<Plan> {
  const planned = { ...project, repeats: project.run.repeats };
  check(file, knownCriteria(planned));
  const { evaluators } = await validate(project, surroundings);
  const present = new Map(evaluators.map((one) => [one.criterion, one.applies_to]));
  const judges = await projectLicences(file.policy, project, surroundings);
  return planPolicy(file.policy, present, numberCriteria(planned), churns, judges);
}

function check({ checkCriteria }: PolicyFile, known: ReturnType<typeof knownCriteria>): void {
  const issues = checkCriteria(known);
  if (issues.length > 0) throw issuesError("Cannot apply the policy", issues);
}
