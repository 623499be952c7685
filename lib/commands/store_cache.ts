/** The caches of a run: what the store remembers, and equal work under way. */
import { setImmediate } from "node:timers";
import DataLoader from "dataloader";
import type { Json } from "../domain/json.ts";
import type { Retrieval } from "../domain/passage.ts";
import type { Store } from "../domain/ports.ts";
import type { StageCost, StageFailure } from "../domain/record.ts";
import type { Batch, CacheOutcome, GenerationEntry, Refresh, RetrievalEntry } from "../domain/run.ts";
import type { StageResult } from "../stages/call_stage.ts";
import type { Answer } from "../stages/read_output.ts";
import type { AnswerEvidence, CaseExecution, EvidenceCache, Kept } from "../stages/case_execution.ts";
import { type Made, SingleFlight } from "../stages/single_flight.ts";
import type { EvidenceWriter } from "./evidence_writer.ts";
import { keepAnswer } from "./keep_answer.ts";

const NOTHING = Promise.resolve(undefined);

/**
 * Looks up one key at a time in queries for many: those asked for at one moment go out together.
 *
 * @param surelyLacks Whether a key need not be looked up.
 */
export function batchLookup<V>(
  find: (keys: readonly string[]) => Promise<ReadonlyMap<string, V>>,
  surelyLacks: (key: string) => boolean = () => false,
): (key: string) => Promise<V | undefined> {
  const loader = new DataLoader<string, V | undefined>(async (keys) => {
    const found = await find([...new Set(keys)]);
    return keys.map((key) => found.get(key));
  }, {
    cache: false,
    // After all that can go on went on: cases that once waited for different things would ask one by one from then on.
    batchScheduleFn: setImmediate,
  });
  return (key) => surelyLacks(key) ? NOTHING : loader.load(key);
}

/** The run that a cache serves: what it makes is that run's. */
export interface CachedRun {
  readonly number: number;
  readonly newEntryId: () => number;
  readonly writer: EvidenceWriter;
  /** Entries that the run made before it was resumed and that nobody counted yet: their first user does. */
  readonly orphans: { readonly retrievals: Set<number>; readonly generations: Set<number> };
}

/**
 * {@link EvidenceCache} over a store. New entries go to the writer as they are made. Of a part that is refreshed only what the run
 * itself has made is reused.
 */
export class StoreCache implements EvidenceCache {
  readonly #executions: SingleFlight<CaseExecution>;
  readonly #retrievals: SingleFlight<RetrievalEntry | StageFailure>;
  readonly #generations: SingleFlight<GenerationEntry | StageFailure>;

  constructor(store: Store, refresh: ReadonlySet<Refresh>, private readonly run: CachedRun) {
    const madeBy = (...parts: readonly Refresh[]) =>
      parts.some((part) => refresh.has(part)) ? run.number : undefined;
    const executions = madeBy("retrieve", "generate", "judge", "all");
    const retrievals = madeBy("retrieve", "all");
    const generations = madeBy("generate", "all");
    const lacks = (identity: string) => store.surelyLacks(identity);
    const execution = batchLookup((keys) => store.findExecutions(keys, executions), lacks);
    const findExecution = async (identity: string): Promise<CaseExecution | undefined> => {
      const found = await execution(identity);
      return found === undefined ? undefined : { ...found, stages: {} };
    };
    this.#executions = new SingleFlight(findExecution);
    this.#retrievals = new SingleFlight(batchLookup((keys) => store.findRetrievals(keys, retrievals), lacks));
    this.#generations = new SingleFlight(
      batchLookup((keys) => store.findGenerations(keys, generations), lacks),
    );
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
    if (kept.outcome === "miss") return kept;
    const { retrieval, generation } = kept.value;
    const retrieve = this.#claim("retrievals", retrieval?.id);
    const generate = this.#claim("generations", generation?.id);
    // An equal case was written and the one that did the work was not: this is the one.
    if (retrieve === "miss" || generate === "miss") {
      return { value: { ...kept.value, stages: { retrieve, generate } }, outcome: "miss" };
    }
    return kept;
  }

  async retrieval(
    identity: string,
    make: () => Promise<StageResult<Retrieval>>,
  ): Promise<Kept<RetrievalEntry | StageFailure>> {
    const kept = await this.#retrievals.get(identity, async () => {
      const made = await make();
      if (!made.ok) return { value: made.failure, shareable: false };
      const entry = { id: this.run.newEntryId(), identity, retrieval: made.value, cost: made.cost };
      this.run.writer.addRetrieval(entry);
      return { value: entry, shareable: true };
    });
    return kept.outcome === "hit" && "id" in kept.value
      ? { ...kept, outcome: this.#claim("retrievals", kept.value.id) }
      : kept;
  }

  async generation(
    identity: string,
    make: () => Promise<StageResult<Json>>,
  ): Promise<Kept<GenerationEntry | StageFailure>> {
    const kept = await this.#generations.get(identity, async () => {
      const made = await make();
      if (!made.ok) return { value: made.failure, shareable: false };
      const entry = { id: this.run.newEntryId(), identity, output: made.value, cost: made.cost };
      this.run.writer.addGeneration(entry);
      return { value: entry, shareable: true };
    });
    return kept.outcome === "hit" && "id" in kept.value
      ? { ...kept, outcome: this.#claim("generations", kept.value.id) }
      : kept;
  }

  keepAnswer(identity: string, answer: Answer, cost: StageCost): AnswerEvidence {
    return keepAnswer(identity, answer, cost, this.run);
  }

  /** The outcome of finding an entry: the miss that it was, for the first who finds an orphan. */
  #claim(kind: keyof CachedRun["orphans"], id: number | undefined): CacheOutcome {
    return id !== undefined && this.run.orphans[kind].delete(id) ? "miss" : "hit";
  }
}
