/** The work of one run: cases in, rows and figures out. */
import type { Case } from "../domain/case.ts";
import { ENTRIES_PER_RUN, type Store } from "../domain/ports.ts";
import type { Project } from "../domain/project.ts";
import type { Batch, CaseCache, CasePlace, Refresh, StoredCase } from "../domain/run.ts";
import type { Notice } from "../domain/run_report.ts";
import type { RunnableSystem } from "../stages/case_execution.ts";
import { hitsOf, runCase } from "../stages/run_case.ts";
import { Slots } from "../stages/slots.ts";
import { isCarried, outcomesOfCarried } from "./carried_cases.ts";
import { forEachConcurrently } from "./for_each_concurrently.ts";
import { JudgeCalls } from "./judge_calls.ts";
import { CaseJudge } from "./judge_case.ts";
import { PlaceSet } from "./place_set.ts";
import { type Preparation, systemsOf } from "./prepare_run.ts";
import type { RunRecorder } from "./run_recorder.ts";
import { StoreCache } from "./store_cache.ts";
import type { Surroundings } from "./surroundings.ts";
import { unfinishedCases } from "./unfinished_cases.ts";

/** What is to be done. */
export interface RunTask {
  readonly project: Project;
  readonly prepared: Preparation;
  readonly store: Store;
  readonly refresh: readonly Refresh[];
  /** Calls of the system under way at once; absent = as the project says. */
  readonly concurrency?: number | undefined;
  /** A run that this one would only repeat: what finished in it is taken over. */
  readonly equal_run?: string | undefined;
}

/** Cases under way for each call that may be made at once: what they ask of the store goes out together. */
const LOOK_AHEAD = 16;

/** Cases that are carried in one batch. Nothing was executed that a lost batch would lose, so that it may be large. */
const CARRIED_AT_ONCE = 4_000;

/** The work of one run, whether it begins or goes on. */
export class RunWork {
  readonly #cache: StoreCache;
  readonly #judge: CaseJudge;
  readonly #slots: Slots;
  readonly #judgeCalls: JudgeCalls | undefined;
  readonly #systems: readonly RunnableSystem[];
  readonly #finished: PlaceSet;
  /** How many retrievals were reused, by the number of the run that made them. */
  readonly #reused = new Map<number, number>();
  #failed = 0;

  constructor(
    private readonly task: RunTask,
    private readonly recorder: RunRecorder,
    private readonly surroundings: Surroundings,
    resumed: boolean,
  ) {
    const { prepared, project, store } = task;
    const { writer, newEntryId, orphans } = recorder;
    const refresh = new Set(task.refresh);
    const { concurrency = project.run.concurrency } = task;
    this.#slots = new Slots(concurrency);
    this.#cache = new StoreCache(store, refresh, recorder);
    const isOwn = (id: number) => runOf(id) === recorder.number;
    const refreshed = refresh.has("judge") || refresh.has("all");
    const { judges } = prepared.functions;
    this.#judgeCalls = judges === undefined ? undefined : new JudgeCalls(judges, {
      store,
      clock: surroundings.clock,
      run_id: recorder.run_id,
      refresh: refreshed,
      ...(resumed ? { resumed: isOwn } : {}),
    });
    this.#judge = new CaseJudge(project.evaluators, prepared.functions.sources, {
      store,
      ports: prepared.functions.ports,
      writer,
      newEntryId,
      // Not those of the stages: what is finished is judged, however long the next call takes.
      slots: new Slots(concurrency),
      system: prepared.system.identity.settings,
      judgeCalls: this.#judgeCalls,
      mayReuse: refreshed ? isOwn : () => true,
      orphans: orphans.judgments,
    });
    this.#systems = systemsOf(prepared);
    this.#finished = new PlaceSet(prepared.cases, prepared.repeats);
  }

  /** Forgets work under way that the store has. */
  landed(batch: Batch): void {
    this.#cache.landed(batch);
    this.#judge.landed(batch.judgments);
  }

  /** Takes up what earlier attempts finished. */
  async recallAll(): Promise<void> {
    for await (const stored of this.recorder.recall()) this.#add(stored);
    this.#tell();
  }

  /** Carries what had not failed in another run. @param told Whether the report shall tell of it. */
  async carryAll(from: string, told: boolean): Promise<void> {
    const { store, project, prepared } = this.task;
    const found = outcomesOfCarried(project.evaluators.length, hitsOf(prepared.system.stages));
    const cache: CaseCache = told ? { ...found, carried: true } : found;
    const written: Promise<void>[] = [];
    let places: CasePlace[] = [];
    const write = () => {
      const writing = this.recorder.writeCarried({ from, places, cache });
      // A failure is told at the end: until then the next cases are read.
      writing.catch(() => undefined);
      written.push(writing);
      places = [];
    };
    try {
      for await (const stored of store.readCases(from)) {
        this.surroundings.stop.throwIfAborted();
        const { ordinal, repeat } = stored;
        if (!isCarried(stored) || this.#finished.has({ ordinal, repeat })) continue;
        this.#add(this.recorder.carry(stored, cache));
        places.push({ ordinal, repeat });
        if (places.length === CARRIED_AT_ONCE) write();
      }
    } finally {
      write();
      await Promise.all(written);
      this.#tell();
    }
  }

  /** Executes every case as often as the run says, but for what is finished. */
  async executeAll(): Promise<void> {
    const { project, prepared, concurrency = project.run.concurrency } = this.task;
    const left = prepared.cases * prepared.repeats - this.#finished.size;
    if (left === 0) return;
    const unfinished = unfinishedCases(prepared, this.#finished);
    await forEachConcurrently(
      unfinished,
      // The slots say how many calls are made at once. One at a time is one case after the other.
      Math.min(concurrency === 1 ? 1 : LOOK_AHEAD * concurrency, left),
      ([place, testCase]) => this.#execute(place, testCase),
    );
    await this.keepVerdicts();
  }

  /** Writes what judges said and is not written yet. */
  async keepVerdicts(): Promise<void> {
    await this.#judgeCalls?.flush();
  }

  async #execute(place: CasePlace, testCase: Case): Promise<void> {
    const { surroundings, task: { project, prepared } } = this;
    // A case that the cache answers calls nothing that would notice.
    surroundings.stop.throwIfAborted();
    const result = await runCase(testCase, this.#systems[place.repeat - 1] ?? prepared.system, {
      limits: project.run,
      cache: this.#cache,
      clock: surroundings.clock,
      stop: surroundings.stop,
      slots: this.#slots,
    });
    const judged = await this.#judge.judge(result, place.repeat);
    this.#add(await this.recorder.record(place, testCase, result, judged));
    this.#tell();
  }

  #add({ ordinal, repeat, record, cache, retrieval_id }: StoredCase): void {
    this.#finished.add({ ordinal, repeat });
    if (record.error !== undefined) this.#failed++;
    if (cache.retrieve !== "hit" || retrieval_id === undefined) return;
    const run = runOf(retrieval_id);
    if (run !== this.recorder.number) this.#reused.set(run, (this.#reused.get(run) ?? 0) + 1);
  }

  #tell(): void {
    const { cases, repeats } = this.task.prepared;
    this.surroundings.onProgress?.({
      done: this.#finished.size,
      total: cases * repeats,
      failed: this.#failed,
      unit: repeats === 1 ? "cases" : "executions",
    });
  }

  /** Says, once, how many retrievals were reused that other code had made. */
  async reuseNotices(): Promise<readonly Notice[]> {
    const firstOf = (run: number) => run * ENTRIES_PER_RUN;
    const digests = await this.task.store.sourceDigests([...this.#reused.keys()].map(firstOf));
    const now = this.task.prepared.system.identity.source_digest;
    const count = (fits: (digest: string | null | undefined) => boolean) =>
      [...this.#reused].filter(([run]) => fits(digests.get(firstOf(run))))
        .reduce((sum, [, hits]) => sum + hits, 0);
    return [
      ...otherCode(
        count((digest) => digest !== undefined && digest !== now),
        "under another version of the code",
      ),
      ...otherCode(
        count((digest) => digest === undefined),
        "by a run that was forgotten: under which code is not known",
      ),
    ];
  }
}

function otherCode(hits: number, made: string): readonly Notice[] {
  if (hits === 0) return [];
  return [{
    severity: "notice",
    code: "retrievals_of_other_code",
    message: `${hits} of the reused retrievals were made ${made}`,
    hint: "if the retriever or the index changed, change index_version, or run with --refresh retrieve",
  }];
}

/** The number of the run that made an entry. */
function runOf(entry_id: number): number {
  return Math.floor(entry_id / ENTRIES_PER_RUN);
}
