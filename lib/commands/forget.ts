/** `forget`: takes runs or cases out of a store for good. */
import { didYouMean } from "../config/nearest.ts";
import { OloproofError } from "../domain/error.ts";
import type { Erased, Erasure } from "../domain/erasure.ts";
import type { Store } from "../domain/ports.ts";
import { isRemoteStore } from "../domain/store_location.ts";
import { openStore, TOKEN_VARIABLE } from "../store/open_store.ts";
import { findRun } from "./find_run.ts";
import { parseInstant } from "./parse_instant.ts";
import type { Surroundings } from "./surroundings.ts";

/** What is to be forgotten: exactly one of runs, cases and a time. */
export interface ForgetOptions {
  /** Ids of runs (or prefixes, names, `latest`); child runs and documents go with them. */
  readonly runs?: readonly string[];
  /** Exact ids of cases, forgotten in all runs. */
  readonly cases?: readonly string[];
  /** An ISO date or date-time, UTC where it says no offset: runs that started before it are forgotten. */
  readonly before?: string;
  /** Whether to tell only what would go. */
  readonly dry_run?: boolean;
  /** On a server: whether runs marked as running are taken for dead. */
  readonly force?: boolean;
}

/** What was forgotten, or would be. */
export interface Forgetting extends Erased {
  /** Whether it was only told what would go. */
  readonly dry_run: boolean;
  /** The ids of the cases that were asked for. */
  readonly case_ids: readonly string[];
  /** The time that was asked for, ISO 8601, UTC. */
  readonly before: string | null;
}

/**
 * Forgets. A store file must be used by no other process: then whatever is marked as running was killed.
 *
 * @throws {OloproofError} `usage`, `invalid_date`, `unknown_run`, `unknown_case` (with the nearest), `wrong_kind` (a child run),
 *   `store_in_use`, `run_in_progress` (on a server), and what opening a store throws.
 */
export async function forget(
  location: string,
  options: ForgetOptions,
  surroundings: Surroundings,
): Promise<Forgetting> {
  const { dry_run = false, force = false } = options;
  const asked = readQuestion(options);
  const token = surroundings.env(TOKEN_VARIABLE);
  const store = await openStore(location, { mode: dry_run ? "read" : "erase", token });
  try {
    const erasure = await findErasure(store, asked);
    if (!dry_run) await refuseLiveRuns(store, location, force);
    const erased = await store.erase(erasure, { dry_run });
    return {
      dry_run,
      case_ids: asked.what === "cases" ? asked.ids : [],
      before: asked.what === "before" ? new Date(asked.instant).toISOString() : null,
      ...erased,
    };
  } finally {
    store.close();
  }
}

type Question =
  | { readonly what: "runs" | "cases"; readonly ids: readonly string[] }
  | { readonly what: "before"; readonly instant: number };

function readQuestion({ runs = [], cases = [], before }: ForgetOptions): Question {
  const asked: Question[] = [
    ...(runs.length > 0 ? [{ what: "runs", ids: runs } as const] : []),
    ...(cases.length > 0 ? [{ what: "cases", ids: [...new Set(cases)] } as const] : []),
    ...(before === undefined ? [] : [{ what: "before", instant: parseInstant(before, "--before") } as const]),
  ];
  const [only, second] = asked;
  if (only !== undefined && second === undefined) return only;
  throw new OloproofError(
    only === undefined
      ? "Nothing to forget was named"
      : "--run, --case and --before exclude each other: a case is forgotten in all runs",
    {
      code: "usage",
      kind: "configuration",
      hint: "name runs (--run, repeatable), cases (--case, repeatable) or a date (--before 2026-09-17)",
    },
  );
}

async function findErasure(store: Store, asked: Question): Promise<Erasure> {
  switch (asked.what) {
    case "runs":
      return { what: "runs", run_ids: await findRuns(store, asked.ids) };
    case "cases":
      await refuseUnknownCases(store, asked.ids);
      return { what: "cases", case_ids: asked.ids };
    case "before": {
      const runs = await store.listRuns();
      const early = runs.filter(({ header }) => Date.parse(header.started_at) < asked.instant);
      return { what: "runs", run_ids: early.map(({ header }) => header.run_id) };
    }
  }
}

async function findRuns(store: Store, typed: readonly string[]): Promise<readonly string[]> {
  const ids = new Set<string>();
  for (const id of typed) {
    const { header: { run_id, kind, parent } } = await findRun(store, id);
    if (kind !== "run") {
      throw new OloproofError(`Cannot forget ${run_id} alone: it is part of a diagnosis`, {
        code: "wrong_kind",
        kind: "configuration",
        hint: parent === undefined ? "forget the diagnosed run" : `forget the diagnosed run: --run ${parent}`,
      });
    }
    ids.add(run_id);
  }
  return [...ids];
}

async function refuseUnknownCases(store: Store, ids: readonly string[]): Promise<void> {
  const known = new Set(await store.caseIds());
  const unknown = ids.find((id) => !known.has(id));
  if (unknown === undefined) return;
  const { hint = `the store has ${known.size} cases; \`oloproof export RUN_ID\` writes those of a run` } =
    didYouMean(unknown, [...known]);
  throw new OloproofError(`Cannot find the case ${JSON.stringify(unknown)} in any run`, {
    code: "unknown_case",
    kind: "configuration",
    hint,
  });
}

/**
 * A file is locked while it is used. Of a server nobody can tell whether a run that is marked as running still is: its evidence must
 * not vanish under it.
 *
 * @throws {OloproofError} `run_in_progress`.
 */
export async function refuseLiveRuns(store: Store, location: string, force: boolean): Promise<void> {
  if (force || !isRemoteStore(location)) return;
  const running = (await store.listRuns()).find(({ header }) => header.status === "running");
  if (running === undefined) return;
  throw new OloproofError(`Cannot erase from the store: ${running.header.run_id} is marked as running`, {
    code: "run_in_progress",
    kind: "configuration",
    hint: "wait for it; if its process died, say --force",
  });
}
