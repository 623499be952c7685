/** The caches of a run: what the store remembers, and equal work under way. */
import DataLoader from "dataloader";
import type { Json } from "../domain/json.ts";
import type { Retrieval } from "../domain/passage.ts";
import { ENTRIES_PER_RUN, type Store } from "../domain/ports.ts";
import type { StageFailure } from "../domain/record.ts";
import type { Batch, GenerationEntry, Refresh, RetrievalEntry } from "../domain/run.ts";
import type { StageResult } from "../stages/call_stage.ts";
import type { CaseExecution, EvidenceCache, Kept } from "../stages/run_case.ts";
import { type Made, SingleFlight } from "../stages/single_flight.ts";
import type { EvidenceWriter } from "./evidence_writer.ts";

/** Looks up one key at a time in queries for many: those asked for at one moment go out together. */
export function batchLookup<V>(
  find: (keys: readonly string[]) => Promise<ReadonlyMap<string, V>>,
): (key: string) => Promise<V | undefined> {
  const loader = new DataLoader<string, V | undefined>(async (keys) => {
    const found = await find([...new Set(keys)]);
    return keys.map((key) => found.get(key));
  }, { cache: false });
  return (key) => loader.load(key);
}

/** {@link EvidenceCache} over a store. New entries go to the writer as they are made. */
export class StoreCache implements EvidenceCache {
  readonly #executions: SingleFlight<CaseExecution>;
  readonly #retrievals: SingleFlight<RetrievalEntry | StageFailure>;
  readonly #generations: SingleFlight<GenerationEntry | StageFailure>;
  readonly #reused = new Map<number, number>();

  constructor(
    store: Store,
    refresh: ReadonlySet<Refresh>,
    private readonly newEntryId: () => number,
    private readonly writer: EvidenceWriter,
  ) {
    const ignores = (...parts: readonly Refresh[]) => parts.some((part) => refresh.has(part));
    const execution = batchLookup((keys) => store.findExecutions(keys));
    const findExecution = async (identity: string): Promise<CaseExecution | undefined> => {
      const found = await execution(identity);
      return found === undefined ? undefined : { ...found, stages: {} };
    };
    this.#executions = new SingleFlight(
      ignores("retrieve", "generate", "judge", "all") ? undefined : findExecution,
    );
    this.#retrievals = new SingleFlight(
      ignores("retrieve", "all") ? undefined : batchLookup((keys) => store.findRetrievals(keys)),
    );
    this.#generations = new SingleFlight(
      ignores("generate", "all") ? undefined : batchLookup((keys) => store.findGenerations(keys)),
    );
  }

  /** How many retrievals were reused from other runs, by run number. */
  get reusedRetrievals(): ReadonlyMap<number, number> {
    return this.#reused;
  }

  /** Forgets work under way that the store holds now. */
  landed(batch: Batch): void {
    for (const entry of batch.retrievals) this.#retrievals.landed(entry.identity);
    for (const entry of batch.generations) this.#generations.landed(entry.identity);
    // A failed execution was never shared: the flight under its identity, if any, is another case's.
    for (const row of batch.cases) if (row.error === undefined) this.#executions.landed(row.execution);
  }

  async execution(
    identity: string,
    make: () => Promise<Made<CaseExecution>>,
  ): Promise<Kept<CaseExecution>> {
    const kept = await this.#executions.get(identity, make);
    if (kept.outcome === "hit") this.#countReuse(kept.value.retrieval);
    return kept;
  }

  async retrieval(
    identity: string,
    make: () => Promise<StageResult<Retrieval>>,
  ): Promise<Kept<RetrievalEntry | StageFailure>> {
    const kept = await this.#retrievals.get(identity, async () => {
      const made = await make();
      if (!made.ok) return { value: made.failure, shareable: false };
      const entry = { id: this.newEntryId(), identity, retrieval: made.value, cost: made.cost };
      this.writer.addRetrieval(entry);
      return { value: entry, shareable: true };
    });
    if (kept.outcome === "hit" && "id" in kept.value) this.#countReuse(kept.value);
    return kept;
  }

  async generation(
    identity: string,
    make: () => Promise<StageResult<Json>>,
  ): Promise<Kept<GenerationEntry | StageFailure>> {
    return await this.#generations.get(identity, async () => {
      const made = await make();
      if (!made.ok) return { value: made.failure, shareable: false };
      const entry = { id: this.newEntryId(), identity, output: made.value, cost: made.cost };
      this.writer.addGeneration(entry);
      return { value: entry, shareable: true };
    });
  }

  #countReuse(entry: RetrievalEntry | undefined): void {
    if (entry === undefined) return;
    const run = Math.floor(entry.id / ENTRIES_PER_RUN);
    this.#reused.set(run, (this.#reused.get(run) ?? 0) + 1);
  }
}
