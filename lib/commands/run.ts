/** `run`: executes a project's cases, judges them, and keeps everything. */
import { assignmentsFromObject } from "../config/parse_assignments.ts";
import { evaluatorsBeyondDepth } from "../config/check_depth.ts";
import { issuesError, OloproofError } from "../domain/error.ts";
import type { Case } from "../domain/case.ts";
import type { JsonObject } from "../domain/json.ts";
import { ENTRIES_PER_RUN, type Store } from "../domain/ports.ts";
import type { Project } from "../domain/project.ts";
import type { Batch, RunHeader, RunStatus } from "../domain/run.ts";
import type { Notice, RunReport } from "../domain/run_report.ts";
import { isRemoteStore } from "../domain/store_location.ts";
import type { PartialSettings } from "../domain/settings.ts";
import type { RunnableSystem } from "../stages/case_execution.ts";
import { runCase } from "../stages/run_case.ts";
import { openStore, TOKEN_VARIABLE } from "../store/open_store.ts";
import { VERSION } from "../version.ts";
import { type GoldFiller, readProjectGold } from "./fill_gold.ts";
import { forEachConcurrently } from "./for_each_concurrently.ts";
import { CaseJudge } from "./judge_case.ts";
import { loadRunnable } from "./load_runnable.ts";
import { loadFunctions, type UserFunctions } from "./load_functions.ts";
import { OpenSystems } from "./open_systems.ts";
import { type CaseSelection, checkCases, streamCases } from "./read_cases.ts";
import { policyNotices } from "./policy_notice.ts";
import { RunRecorder } from "./run_recorder.ts";
import { type Refresh, StoreCache } from "./store_cache.ts";
import type { Surroundings } from "./surroundings.ts";

/** How a run differs from what the project says. */
export interface RunOptions {
  /** Settings that take the place of the project's, as data: `{ token_budget: 120 }`. */
  readonly set?: JsonObject;
  /** Which of the project's cases are run; absent = all. */
  readonly select?: CaseSelection;
  /** Parts of the caches whose entries are ignored. */
  readonly refresh?: readonly Refresh[];
  /** Cases under way at once, an integer ≥ 1; absent = as the project says. */
  readonly concurrency?: number;
  /** A label for lists and reports; need not be unique, absent = none. */
  readonly name?: string;
}

/** Everything that is ready before the first case. */
interface Preparation {
  readonly system: RunnableSystem;
  readonly functions: UserFunctions;
  readonly cases: number;
  readonly fingerprints: readonly number[];
  readonly select: CaseSelection;
  /** Fills gold contexts; absent without a corpus. */
  readonly gold?: GoldFiller;
}

/**
 * Runs a project. Whatever happens to a case is recorded and stops no other; an interruption (`stop`) keeps what is finished and
 * answers with status `interrupted`.
 *
 * @throws {OloproofError} What makes a run impossible: mistakes of the project, its cases or its system; a store that fails.
 */
export async function run(
  project: Project,
  options: RunOptions,
  outside: Surroundings,
): Promise<RunReport> {
  await using systems = new OpenSystems();
  const surroundings = { ...outside, systems };
  const prepared = await prepare(project, options, surroundings);
  const token = surroundings.env(TOKEN_VARIABLE);
  const store = await openStore(project.store, { mode: "write", token });
  try {
    return await runPrepared(project, prepared, store, options, surroundings);
  } finally {
    store.close();
  }
}

async function prepare(
  project: Project,
  options: RunOptions,
  surroundings: Surroundings,
): Promise<Preparation> {
  const select = options.select ?? {};
  for (const [option, value] of [["concurrency", options.concurrency], ["limit", select.limit]] as const) {
    if (value === undefined || (Number.isInteger(value) && value >= 1)) continue;
    throw new OloproofError(`Cannot run with the ${option} ${value}`, {
      code: "invalid_option",
      kind: "configuration",
      hint: "it is a whole number from 1",
    });
  }
  const count = await checkCases(project, select, surroundings.cwd);
  const system = await loadRunnable(project, parseSettings(options.set), surroundings);
  const { depth } = system.identity.settings;
  const beyond = depth === null ? [] : evaluatorsBeyondDepth(project.evaluators, depth);
  if (beyond.length > 0) {
    const named = beyond.map(({ criterion, k }) => `${criterion} (k ${k})`).join(", ");
    throw new OloproofError(`Cannot judge beyond the depth ${depth}: ${named}`, {
      code: "k_beyond_depth",
      kind: "configuration",
      hint: "raise the system's depth or lower k: positions beyond the depth are never seen",
    });
  }
  const functions = await loadFunctions(project, surroundings);
  const gold = await readProjectGold(
    project,
    streamCases(project, select, count.fingerprints, surroundings.cwd),
    surroundings,
  );
  return {
    system,
    functions,
    cases: count.selected,
    fingerprints: count.fingerprints,
    select,
    ...(gold === undefined ? {} : { gold }),
  };
}

function parseSettings(set: JsonObject = {}): PartialSettings {
  const parsed = assignmentsFromObject(set);
  if (!parsed.ok) throw issuesError("Cannot set the settings", parsed.issues);
  return parsed.settings;
}

async function runPrepared(
  project: Project,
  prepared: Preparation,
  store: Store,
  options: RunOptions,
  surroundings: Surroundings,
): Promise<RunReport> {
  const header = describeRun(project, prepared, options, surroundings);
  const recorder = await RunRecorder.begin(store, header, surroundings.clock, (batch) => work.landed(batch));
  const work = new RunWork(recorder, project, prepared, store, options, surroundings);
  let status: RunStatus;
  try {
    await work.executeAll();
    status = "complete";
  } catch (cause) {
    if (!surroundings.stop.aborted || cause !== surroundings.stop.reason) {
      await recorder.abandon();
      throw cause;
    }
    status = "interrupted";
  }
  await recorder.finish(status);
  const report = recorder.fold.report(status);
  const present = new Map(report.metrics.map(({ criterion, observed }) => [criterion, observed]));
  const notices = [
    ...remoteNotices(project.store),
    ...(surroundings.systems?.notices() ?? []),
    ...await work.reuseNotices(),
    ...report.notices,
    ...(status === "complete" ? await policyNotices(project, present, surroundings.cwd) : []),
  ];
  return { ...report, notices };
}

/** Names the host that receives what a run records. */
function remoteNotices(store: string): readonly Notice[] {
  if (!isRemoteStore(store)) return [];
  return [{
    severity: "notice",
    code: "remote_store",
    message: `Inputs, passages and answers are kept at ${new URL(store).host}`,
  }];
}

function describeRun(
  project: Project,
  { system, cases, select, functions }: Preparation,
  options: RunOptions,
  surroundings: Surroundings,
): RunHeader {
  const { settings, source_digest } = system.identity;
  return {
    run_id: `run_${surroundings.newId()}`,
    kind: "run",
    ...(options.name === undefined ? {} : { name: options.name }),
    status: "running",
    started_at: isoNow(surroundings),
    oloproof_version: VERSION,
    system: settings,
    source_digest,
    evaluators: project.evaluators,
    slices: project.slices,
    min_slice_support: project.min_slice_support,
    relevance_unit: project.relevance_unit,
    selection: describeSelection(select),
    cases,
    repeats: 1,
    function_digests: Object.fromEntries(functions.sources),
  };
}

function describeSelection({ ids = [], where = [], limit }: CaseSelection): readonly string[] {
  return [
    ...ids.map((id) => `--case ${id}`),
    ...where.map(({ path, value }) => `--where ${path}=${value}`),
    ...(limit === undefined ? [] : [`--limit ${limit}`]),
  ];
}

function isoNow({ clock }: Surroundings): string {
  return new Date(clock.now()).toISOString();
}

/** The work of one run: cases in, rows and figures out. */
class RunWork {
  readonly #cache: StoreCache;
  readonly #judge: CaseJudge;
  #done = 0;
  #failed = 0;

  constructor(
    readonly recorder: RunRecorder,
    private readonly project: Project,
    private readonly prepared: Preparation,
    private readonly store: Store,
    private readonly options: RunOptions,
    private readonly surroundings: Surroundings,
  ) {
    const refresh = new Set(options.refresh ?? []);
    const { writer, newEntryId } = recorder;
    this.#cache = new StoreCache(store, refresh, newEntryId, writer);
    this.#judge = new CaseJudge(project.evaluators, prepared.functions.sources, {
      store,
      ports: prepared.functions.ports,
      writer,
      newEntryId,
      system: prepared.system.identity.settings,
      refresh: refresh.has("judge") || refresh.has("all"),
    });
  }

  /** Forgets work under way that the store has. */
  landed(batch: Batch): void {
    this.#cache.landed(batch);
    this.#judge.landed(batch.judgments);
  }

  async executeAll(): Promise<void> {
    const { project, prepared, surroundings } = this;
    const cases = numbered(streamCases(project, prepared.select, prepared.fingerprints, surroundings.cwd));
    const concurrency = Math.min(this.options.concurrency ?? project.run.concurrency, prepared.cases);
    await forEachConcurrently(cases, concurrency, ([ordinal, testCase]) => this.#execute(ordinal, testCase));
  }

  /** Says, once, how many retrievals were reused that other code had made. */
  async reuseNotices(): Promise<readonly Notice[]> {
    // What one stage told was made by the code that the execution's identity holds.
    if (this.prepared.system.identity.settings.reports !== undefined) return [];
    const reused = [...this.#cache.reusedRetrievals].filter(([run]) => run !== this.recorder.number);
    const digests = await this.store.sourceDigests(reused.map(([run]) => run * ENTRIES_PER_RUN));
    const now = this.prepared.system.identity.source_digest;
    const count = reused
      .filter(([run]) => (digests.get(run * ENTRIES_PER_RUN) ?? null) !== now)
      .reduce((sum, [, hits]) => sum + hits, 0);
    if (count === 0) return [];
    return [{
      severity: "notice",
      code: "retrievals_of_other_code",
      message: `${count} of the reused retrievals were made under another version of the code`,
      hint: "if the retriever or the index changed, change index_version, or run with --refresh retrieve",
    }];
  }

  async #execute(ordinal: number, testCase: Case): Promise<void> {
    const { surroundings, project, prepared } = this;
    const filled = prepared.gold?.fill(testCase) ?? testCase;
    const result = await runCase(filled, prepared.system, {
      limits: project.run,
      cache: this.#cache,
      clock: surroundings.clock,
      stop: surroundings.stop,
    });
    const judged = await this.#judge.judge(result);
    await this.recorder.record({ ordinal, repeat: 1 }, filled, result, judged);
    this.#done++;
    if (result.record.error !== undefined) this.#failed++;
    surroundings.onProgress?.({ done: this.#done, total: prepared.cases, failed: this.#failed });
  }
}

async function* numbered<T>(items: AsyncIterable<T>): AsyncGenerator<readonly [number, T]> {
  let ordinal = 0;
  for await (const item of items) yield [ordinal++, item];
}
