/** `run --dry-run`: what a run would do. No stage is called and nothing is written. */
import type { DryRun } from "../domain/dry_run.ts";
import { OloproofError } from "../domain/error.ts";
import type { Store } from "../domain/ports.ts";
import type { Project } from "../domain/project.ts";
import type { Refresh } from "../domain/run.ts";
import { MemoryStore } from "../store/memory_store.ts";
import { openStore, TOKEN_VARIABLE } from "../store/open_store.ts";
import { isCarried } from "./carried_cases.ts";
import { callsOf, ForecastFold } from "./forecast.ts";
import { OpenSystems } from "./open_systems.ts";
import { PlaceSet } from "./place_set.ts";
import { type Preparation, prepareRun } from "./prepare_run.ts";
import { findRecorded, prepareRecorded, type RecordedHeader } from "./recorded_run.ts";
import { askedOf, checkRunOptions, type RunOptions } from "./run_options.ts";
import { unfinishedCases } from "./unfinished_cases.ts";
import type { Surroundings } from "./surroundings.ts";

/** Executions that are looked up at once. */
const CHUNK = 200;

/** What would be run, and what of it is there. */
interface Plan {
  readonly run_id: string | null;
  readonly prepared: Preparation;
  readonly finished: PlaceSet;
  readonly refresh: readonly Refresh[];
  /** The run that goes on: what it made is reused even where its part is refreshed. 0 = none. */
  readonly number: number;
}

/**
 * Checks everything that a run checks and says what it would do. The user's code is loaded, and asked for token counts where a
 * context depends on them; no stage is called.
 *
 * @returns Undefined when it was interrupted.
 * @throws {OloproofError} What `run` with the same options would throw before its first case.
 */
export async function dryRun(
  project: Project,
  options: RunOptions,
  outside: Surroundings,
): Promise<DryRun | undefined> {
  checkRunOptions(options);
  await using systems = new OpenSystems();
  const surroundings = { ...outside, systems };
  const store = await openForReading(project, options, surroundings);
  try {
    const plan = await planOf(project, store, options, surroundings);
    return "prepared" in plan ? await forecast(project, plan, store, surroundings) : plan;
  } catch (cause) {
    if (surroundings.stop.aborted && cause === surroundings.stop.reason) return undefined;
    throw cause;
  } finally {
    store.close();
  }
}

/** The store as it is; an empty one where a new run would make it. */
async function openForReading(
  project: Project,
  { resume, retry_failed }: RunOptions,
  { env }: Surroundings,
): Promise<Store> {
  try {
    return await openStore(project.store, { mode: "read", token: env(TOKEN_VARIABLE) });
  } catch (cause) {
    const isNew = resume === undefined && retry_failed === undefined;
    if (isNew && cause instanceof OloproofError && cause.code === "no_store") return new MemoryStore();
    throw cause;
  }
}

async function planOf(
  project: Project,
  store: Store,
  options: RunOptions,
  surroundings: Surroundings,
): Promise<Plan | DryRun> {
  const { resume, retry_failed, refresh = [] } = options;
  const id = resume ?? retry_failed;
  if (id === undefined) {
    const prepared = await prepareRun(project, askedOf(project, options), surroundings);
    const finished = new PlaceSet(prepared.cases, prepared.repeats);
    return { run_id: null, prepared, finished, refresh, number: 0 };
  }
  const verb = resume === undefined ? "retry" : "resume";
  const { number, header } = await findRecorded(store, id, verb, options);
  if (verb === "resume" && header.status === "complete") return nothingLeft(header);
  const prepared = await prepareRecorded(project, header, verb, surroundings);
  const finished = await finishedOf(store, header, verb === "retry");
  return verb === "retry"
    ? { run_id: header.run_id, prepared, finished, refresh, number: 0 }
    : { run_id: header.run_id, prepared, finished, refresh: header.request.refresh, number };
}

/** A complete run is only told again, whatever has become of its project. */
function nothingLeft({ run_id, system, source_digest, cases, repeats }: RecordedHeader): DryRun {
  const total = cases * repeats;
  return {
    system: { ...system, source_digest },
    run_id,
    cases,
    repeats,
    executions: { total, finished: total, cached: 0, shared: 0, to_execute: 0 },
    calls: callsOf(system, NO_CALLS, false),
    judgments: { total: 0, known: 0, at_least: false },
  };
}

const NO_CALLS = { retrieve: 0, generate: 0, answer: 0 };

async function finishedOf(store: Store, header: RecordedHeader, carriedAlone: boolean): Promise<PlaceSet> {
  const finished = new PlaceSet(header.cases, header.repeats);
  for await (const stored of store.readCases(header.run_id)) {
    if (!carriedAlone || isCarried(stored)) finished.add(stored);
  }
  return finished;
}

async function forecast(
  project: Project,
  { run_id, prepared, finished, refresh, number }: Plan,
  store: Store,
  surroundings: Surroundings,
): Promise<DryRun> {
  const { system, cases, repeats } = prepared;
  const fold = new ForecastFold({ project, prepared, store, refresh, number }, surroundings);
  let chunk: Parameters<typeof fold.add>[0][number][] = [];
  for await (const unfinished of unfinishedCases(prepared, finished)) {
    chunk.push(unfinished);
    if (chunk.length < CHUNK) continue;
    await fold.add(chunk);
    chunk = [];
  }
  await fold.add(chunk);
  const { settings, source_digest } = system.identity;
  const { executions, ...rest } = fold.forecast();
  const total = cases * repeats;
  return {
    system: { ...settings, source_digest },
    run_id,
    cases,
    repeats,
    executions: { total, finished: finished.size, ...executions },
    ...rest,
  };
}
