/** Everything that is ready before the first case of a run. */
import { evaluatorsBeyondDepth } from "../config/check_depth.ts";
import { assignmentsFromObject } from "../config/parse_assignments.ts";
import type { Case } from "../domain/case.ts";
import type { CaseSelection } from "../domain/case_selection.ts";
import { issuesError, OloproofError } from "../domain/error.ts";
import { identityOf } from "../domain/identity.ts";
import type { JsonObject } from "../domain/json.ts";
import { ENTRIES_PER_RUN } from "../domain/ports.ts";
import type { Project } from "../domain/project.ts";
import type { PartialSettings } from "../domain/settings.ts";
import type { RunnableSystem } from "../stages/case_execution.ts";
import { type GoldFiller, readProjectGold } from "./fill_gold.ts";
import { loadRunnable } from "./load_runnable.ts";
import { loadFunctions, type UserFunctions } from "./load_functions.ts";
import { checkCases } from "./read_cases.ts";
import type { Surroundings } from "./surroundings.ts";

/** What is to be run, as far as it differs from the project. */
export interface AskedRun {
  readonly set: PartialSettings;
  readonly select: CaseSelection;
  readonly repeats: number;
}

/** A run whose system is loaded and whose cases are checked. */
export interface Preparation extends AskedRun {
  readonly system: RunnableSystem;
  readonly functions: UserFunctions;
  /** How many cases are selected. */
  readonly cases: number;
  /** These, in their order. @throws {OloproofError} `cases_changed`, while they are read. */
  readonly streamCases: () => AsyncIterable<Case>;
  /** sha256 over the selected cases in their order, and over the gold contexts that a corpus gives them. */
  readonly cases_digest: string;
  /** Fills gold contexts; absent without a corpus. */
  readonly gold?: GoldFiller;
}

/** An execution has a retrieval, a generation and judgments, each under a number of its own. */
const MAX_EXECUTIONS = Math.floor(ENTRIES_PER_RUN / 3);

/**
 * Checks the cases, loads the system and the user's functions; calls no stage.
 *
 * @throws {OloproofError} What makes a run impossible: mistakes of the project, its cases or its system.
 */
export async function prepareRun(
  project: Project,
  asked: AskedRun,
  surroundings: Surroundings,
): Promise<Preparation> {
  const { set, select, repeats } = asked;
  const { selected: cases, digest, stream } = await checkCases(project, select, surroundings.cwd);
  if (cases * repeats > MAX_EXECUTIONS) {
    throw new OloproofError(`Cannot run ${cases} cases ${repeats} times: that is more than one run holds`, {
      code: "too_many_executions",
      kind: "configuration",
      hint: `a run holds ${MAX_EXECUTIONS} executions; lower repeats, or run the cases in parts`,
    });
  }
  const system = await loadRunnable(project, set, surroundings);
  checkDepth(project, system);
  checkRepeats(system, repeats);
  const functions = await loadFunctions(project, surroundings);
  const gold = await readProjectGold(project, stream(), surroundings);
  const prepared = { ...asked, system, functions, cases, streamCases: stream };
  if (gold === undefined) return { ...prepared, cases_digest: digest };
  return { ...prepared, gold, cases_digest: identityOf([digest, gold.digest]) };
}

/** The system by repeat, less one: different repeats have different identities, and share no work. */
export function systemsOf({ system, repeats }: Preparation): readonly RunnableSystem[] {
  return Array.from(
    { length: repeats },
    (_, index) => index === 0 ? system : { ...system, identity: { ...system.identity, repeat: index + 1 } },
  );
}

function checkDepth(project: Project, { identity }: RunnableSystem): void {
  const { depth } = identity.settings;
  if (depth === null) return;
  const beyond = evaluatorsBeyondDepth(project.evaluators, depth);
  if (beyond.length === 0) return;
  const named = beyond.map(({ criterion, k }) => `${criterion} (k ${k})`).join(", ");
  throw new OloproofError(`Cannot judge beyond the depth ${depth}: ${named}`, {
    code: "k_beyond_depth",
    kind: "configuration",
    hint: "raise the system's depth or lower k: positions beyond the depth are never seen",
  });
}

/** What was recorded once comes out the same however often it is read. */
function checkRepeats({ identity }: RunnableSystem, repeats: number): void {
  if (repeats === 1 || identity.settings.recorded === undefined) return;
  throw new OloproofError(`Cannot run recorded outputs ${repeats} times: they hold one output a case`, {
    code: "records_do_not_repeat",
    kind: "configuration",
    hint: "leave repeats out, or run the system itself",
  });
}

/** The settings that a caller assigns. @throws {OloproofError} Every mistake in them at once. */
export function parseSettings(set: JsonObject = {}): PartialSettings {
  const parsed = assignmentsFromObject(set);
  if (!parsed.ok) throw issuesError("Cannot set the settings", parsed.issues);
  return parsed.settings;
}
