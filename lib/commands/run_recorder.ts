/** Keeps the finished cases of one run: entry ids, rows, and the figures that grow with them. */
import type { Case } from "../domain/case.ts";
import { caseText, sha256 } from "../domain/identity.ts";
import {
  type CarriedCases,
  type Clock,
  ENTRIES_PER_RUN,
  type ResumedRun,
  type Store,
} from "../domain/ports.ts";
import type {
  Batch,
  CaseCache,
  CasePlace,
  CaseRow,
  RunHeader,
  RunStatus,
  StoredCase,
} from "../domain/run.ts";
import { RunFold } from "../metrics/run_fold.ts";
import type { CaseResult } from "../stages/case_execution.ts";
import { costsOf } from "../stages/run_case.ts";
import { EvidenceWriter } from "./evidence_writer.ts";
import type { Judged } from "./judge_case.ts";

/** A run that is being written. */
export class RunRecorder {
  readonly fold: RunFold;
  readonly writer: EvidenceWriter;
  readonly number: number;
  /** Entries that an earlier attempt made and that nobody counted yet. */
  readonly orphans: {
    readonly retrievals: Set<number>;
    readonly generations: Set<number>;
    readonly judgments: Set<number>;
  };
  readonly #attempt: number;
  #entries: number;

  private constructor(
    private readonly store: Store,
    private readonly header: RunHeader,
    { number, attempt, next_entry, orphans }: ResumedRun,
    private readonly clock: Clock,
    onLanded: (batch: Batch) => void,
  ) {
    this.fold = new RunFold(header);
    this.writer = new EvidenceWriter(store, number, clock, onLanded, attempt);
    this.number = number;
    this.#attempt = attempt;
    this.#entries = next_entry;
    const { retrievals, generations, judgments } = orphans;
    this.orphans = {
      retrievals: new Set(retrievals),
      generations: new Set(generations),
      judgments: new Set(judgments),
    };
  }

  /** Adds the run to the store. `onLanded` is told of every batch that the store has. */
  static async begin(
    store: Store,
    header: RunHeader,
    clock: Clock,
    onLanded: (batch: Batch) => void = () => {},
  ): Promise<RunRecorder> {
    const number = await store.beginRun(header);
    const orphans = { retrievals: [], generations: [], judgments: [] };
    return new RunRecorder(store, header, { number, attempt: 1, next_entry: 0, orphans }, clock, onLanded);
  }

  /** Goes on with a run of the store; whoever wrote it until now cannot any more. @throws {OloproofError} `run_gone`. */
  static async resume(
    store: Store,
    header: RunHeader,
    clock: Clock,
    onLanded: (batch: Batch) => void,
  ): Promise<RunRecorder> {
    return new RunRecorder(store, header, await store.resumeRun(header.run_id), clock, onLanded);
  }

  get run_id(): string {
    return this.header.run_id;
  }

  readonly newEntryId = (): number => {
    if (this.#entries >= ENTRIES_PER_RUN) {
      throw new RangeError(`a run holds ${ENTRIES_PER_RUN} entries at most`);
    }
    return this.number * ENTRIES_PER_RUN + this.#entries++;
  };

  /** Keeps a finished case; waits for the disk when much is pending. */
  async record(place: CasePlace, testCase: Case, result: CaseResult, judged: Judged): Promise<StoredCase> {
    const row = rowOf(place, testCase, result, judged);
    await this.writer.addCase(row);
    const stored: StoredCase = {
      ...place,
      ...(row.retrieval_id === undefined ? {} : { retrieval_id: row.retrieval_id }),
      record: result.record,
      judgments: judged.entry.judgments,
      cache: row.cache,
      ...(row.judge_calls === undefined ? {} : { judge_calls: row.judge_calls }),
      costs: costsOf(result.evidence),
    };
    this.fold.add(stored);
    return stored;
  }

  /** What earlier attempts finished: its figures are this run's. */
  async *recall(): AsyncGenerator<StoredCase> {
    for await (const stored of this.store.readCases(this.run_id)) {
      this.fold.add(stored);
      yield stored;
    }
  }

  /** Counts a finished case of another run, which is taken over as it is; {@link writeCarried} keeps it. */
  carry(stored: StoredCase, cache: CaseCache): StoredCase {
    const found = asFound(stored, cache);
    this.fold.add(found);
    return found;
  }

  /** Takes over finished cases of another run as they are. */
  async writeCarried(carried: CarriedCases): Promise<void> {
    await this.store.carryCases(this.number, carried, this.#attempt);
  }

  /**
   * Keeps what can still be kept of a run that cannot go on, and marks it as interrupted. The store may be what failed, so trouble
   * here is not told: the error that ended the run is.
   */
  async abandon(): Promise<void> {
    await this.finish("interrupted").catch(() => undefined);
  }

  /** Writes what is pending, and how the run ended. */
  async finish(status: RunStatus): Promise<void> {
    await this.writer.flush();
    const now = new Date(this.clock.now()).toISOString();
    await this.store.finishRun(this.header.run_id, status, now, this.#attempt);
  }
}

/** A case as a run tells it that took it over: nothing was asked again. */
function asFound({ judge_calls: calls, ...stored }: StoredCase, cache: CaseCache): StoredCase {
  return {
    ...stored,
    cache,
    ...(calls === undefined ? {} : { judge_calls: { hit: calls.hit + calls.miss, miss: 0 } }),
  };
}

function rowOf(place: CasePlace, testCase: Case, result: CaseResult, judged: Judged): CaseRow {
  const { retrieval, assembly, generation, error } = result.evidence;
  const case_text = caseText(testCase);
  return {
    ...place,
    case: testCase,
    case_text,
    case_digest: sha256(case_text),
    execution: result.execution,
    ...(retrieval === undefined
      ? {}
      : { retrieval_id: retrieval.id, candidates: retrieval.retrieval.candidates }),
    ...(assembly === undefined ? {} : { assembly }),
    ...(generation === undefined ? {} : { generation_id: generation.id }),
    judgments_id: judged.entry.id,
    ...(error === undefined ? {} : { error }),
    cache: { ...result.cache, judgment: { hit: judged.hit, miss: judged.miss } },
    ...(judged.calls === undefined ? {} : { judge_calls: judged.calls }),
  };
}
