/** How a run differs from what the project says. */
import type { CaseSelection } from "../domain/case_selection.ts";
import { OloproofError } from "../domain/error.ts";
import type { JsonObject } from "../domain/json.ts";
import type { Project } from "../domain/project.ts";
import type { Refresh } from "../domain/run.ts";
import { type AskedRun, parseSettings } from "./prepare_run.ts";

/** How a run differs from what the project says. */
export interface RunOptions {
  /** Settings that take the place of the project's, as data: `{ token_budget: 120 }`. */
  readonly set?: JsonObject;
  /** Which of the project's cases are run; absent = all. */
  readonly select?: CaseSelection;
  /** How often each case is executed, an integer ≥ 1; absent = as the project says. */
  readonly repeats?: number;
  /** Parts of the caches whose entries are ignored. */
  readonly refresh?: readonly Refresh[];
  /** Calls of the system under way at once, an integer ≥ 1; absent = as the project says. */
  readonly concurrency?: number;
  /** A label for lists and reports; need not be unique, absent = none. */
  readonly name?: string;
  /**
   * A run that was killed or interrupted: it goes on, with its own `set`, `select`, `repeats`, `refresh` and `name` (another value
   * of these is refused), and answers with the report of the whole. Named as in `inspect`.
   */
  readonly resume?: string;
  /**
   * A run whose failures are executed again in a new run, with its `set`, `select` and `repeats`; what had not failed is carried
   * as it was. Named as in `inspect`.
   */
  readonly retry_failed?: string;
}

/** @throws {OloproofError} `invalid_option`. */
export function checkRunOptions({ concurrency, repeats, select, resume, retry_failed }: RunOptions): void {
  const refuse = (message: string, hint: string) =>
    new OloproofError(message, { code: "invalid_option", kind: "configuration", hint });
  for (const [option, value] of Object.entries({ concurrency, repeats, limit: select?.limit })) {
    if (value === undefined || (Number.isInteger(value) && value >= 1)) continue;
    throw refuse(`Cannot run with the ${option} ${value}`, "it is a whole number from 1");
  }
  if (resume === undefined || retry_failed === undefined) return;
  throw refuse(
    "Cannot resume a run and retry one at once",
    "resume it first; what has failed then can be retried",
  );
}

/** What options ask for, the project's own where they say nothing. */
export function askedOf(project: Project, { set, select = {}, repeats }: RunOptions): AskedRun {
  return { set: parseSettings(set), select, repeats: repeats ?? project.run.repeats };
}
