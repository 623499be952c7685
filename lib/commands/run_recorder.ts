/** Keeps the finished cases of one run: entry ids, rows, and the figures that grow with them. */
import type { Case } from "../domain/case.ts";
import { caseDigest } from "../domain/identity.ts";
import { type Clock, ENTRIES_PER_RUN, type Store } from "../domain/ports.ts";
import type { Batch, CaseRow, RunHeader, RunStatus } from "../domain/run.ts";
import { RunFold } from "../metrics/run_fold.ts";
import type { CaseResult } from "../stages/case_execution.ts";
import { costsOf } from "../stages/run_case.ts";
import { EvidenceWriter } from "./evidence_writer.ts";
import type { Judged } from "./judge_case.ts";

/** Which execution of which case a result is. */
export interface CasePlace {
  /** The 0-based place of the case among the run's cases. */
  readonly ordinal: number;
  /** The 1-based repeat. */
  readonly repeat: number;
}

/** A run that is being written. */
export class RunRecorder {
  readonly fold: RunFold;
  readonly writer: EvidenceWriter;
  #entries = 0;

  private constructor(
    private readonly store: Store,
    private readonly header: RunHeader,
    readonly number: number,
    private readonly clock: Clock,
    onLanded: (batch: Batch) => void,
  ) {
    this.fold = new RunFold(header);
    this.writer = new EvidenceWriter(store, number, clock, onLanded);
  }

  /** Adds the run to the store. `onLanded` is told of every batch that the store has. */
  static async begin(
    store: Store,
    header: RunHeader,
    clock: Clock,
    onLanded: (batch: Batch) => void = () => {},
  ): Promise<RunRecorder> {
    return new RunRecorder(store, header, await store.beginRun(header), clock, onLanded);
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
  async record(place: CasePlace, testCase: Case, result: CaseResult, judged: Judged): Promise<void> {
    const row = rowOf(place, testCase, result, judged);
    await this.writer.addCase(row);
    this.fold.add({
      ...place,
      ...(row.retrieval_id === undefined ? {} : { retrieval_id: row.retrieval_id }),
      record: result.record,
      judgments: judged.entry.judgments,
      cache: row.cache,
      costs: costsOf(result.evidence),
    });
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
    await this.store.finishRun(this.header.run_id, status, new Date(this.clock.now()).toISOString());
  }
}

function rowOf(place: CasePlace, testCase: Case, result: CaseResult, judged: Judged): CaseRow {
  const { retrieval, assembly, generation, error } = result.evidence;
  return {
    ...place,
    case: testCase,
    case_digest: caseDigest(testCase),
    execution: result.execution,
    ...(retrieval === undefined ? {} : { retrieval_id: retrieval.id }),
    ...(assembly === undefined ? {} : { assembly }),
    ...(generation === undefined ? {} : { generation_id: generation.id }),
    judgments_id: judged.entry.id,
    ...(error === undefined ? {} : { error }),
    cache: { ...result.cache, judgment: { hit: judged.hit, miss: judged.miss } },
  };
}
