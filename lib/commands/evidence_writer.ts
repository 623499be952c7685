/** Writes finished work in batches: soon enough to be durable, seldom enough to be fast. */
import type { Clock, Store } from "../domain/ports.ts";
import type { Batch, CaseRow, GenerationEntry, JudgmentEntry, RetrievalEntry } from "../domain/run.ts";

/** A finished case waits no longer than this (0.2 s is promised; the write itself takes a part of it). */
const FLUSH_AFTER_MS = 100;
/** Nor for more cases than this. */
const FLUSH_AT_CASES = 500;

interface Pending {
  retrievals: RetrievalEntry[];
  generations: GenerationEntry[];
  judgments: JudgmentEntry[];
  cases: CaseRow[];
}

/**
 * Collects entries and case rows, and writes them by time or number, one batch after the other. `onLanded` is told of every
 * batch that the store has. A failed write is thrown at the next call, and ends the run.
 */
export class EvidenceWriter {
  #pending: Pending = empty();
  #writing: Promise<void> = Promise.resolve();
  #failure: { readonly cause: unknown } | undefined;
  #timer: AbortController | undefined;
  /** Cases that are not on the disk yet, pending or being written. */
  #waiting = 0;

  constructor(
    private readonly store: Store,
    private readonly runNumber: number,
    private readonly clock: Clock,
    private readonly onLanded: (batch: Batch) => void,
    private readonly attempt = 1,
  ) {}

  addRetrieval(entry: RetrievalEntry): void {
    this.#pending.retrievals.push(entry);
    this.#schedule();
  }

  addGeneration(entry: GenerationEntry): void {
    this.#pending.generations.push(entry);
    this.#schedule();
  }

  addJudgments(entry: JudgmentEntry): void {
    this.#pending.judgments.push(entry);
    this.#schedule();
  }

  /** Waits for the disk when many cases are pending, so that memory stays bounded. */
  async addCase(row: CaseRow): Promise<void> {
    this.#pending.cases.push(row);
    this.#schedule();
    this.#waiting++;
    if (this.#pending.cases.length >= FLUSH_AT_CASES) await this.flush();
    else if (this.#waiting > 2 * FLUSH_AT_CASES) await this.#writing;
    this.#throwFailure();
  }

  /** Writes all that is pending and waits for it. */
  async flush(): Promise<void> {
    this.#timer?.abort();
    this.#timer = undefined;
    const batch = this.#pending;
    this.#pending = empty();
    this.#writing = this.#writing.then(() => this.#write(batch));
    await this.#writing;
    this.#throwFailure();
  }

  async #write(batch: Batch): Promise<void> {
    if (this.#failure !== undefined) return;
    if (Object.values(batch).every((list) => list.length === 0)) return;
    try {
      await this.store.append(this.runNumber, batch, this.attempt);
    } catch (cause) {
      this.#failure = { cause };
      return;
    }
    this.#waiting -= batch.cases.length;
    this.onLanded(batch);
  }

  #schedule(): void {
    if (this.#timer !== undefined) return;
    const timer = new AbortController();
    this.#timer = timer;
    this.clock.wait(FLUSH_AFTER_MS, timer.signal).then(
      () => {
        this.#timer = undefined;
        const batch = this.#pending;
        this.#pending = empty();
        this.#writing = this.#writing.then(() => this.#write(batch));
      },
      (reason) => {
        // The wait was called off by flush, which writes the batch itself.
        if (!timer.signal.aborted) throw reason;
      },
    );
  }

  #throwFailure(): void {
    if (this.#failure !== undefined) throw this.#failure.cause;
  }
}

function empty(): Pending {
  return { retrievals: [], generations: [], judgments: [], cases: [] };
}
