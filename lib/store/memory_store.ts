/** The store in memory: the libSQL store's twin, for bundles and tests, held to the same contract. */
import {
  type CarriedCases,
  type CaseContent,
  type CaseOutcomes,
  ENTRIES_PER_RUN,
  type ResumedRun,
  type Store,
  type StoredDocument,
  type StoredRun,
} from "../domain/ports.ts";
import type {
  Batch,
  CasePlace,
  CaseRow,
  ExecutionEntry,
  GenerationEntry,
  JudgmentEntry,
  RetrievalEntry,
  RunHeader,
  RunStatus,
  StoredCase,
} from "../domain/run.ts";
import { fencedError } from "./fence.ts";

/** {@link Store} that forgets everything when it is let go. */
export class MemoryStore implements Store {
  readonly #runs: RunHeader[] = [];
  readonly #attempts: number[] = [];
  readonly #retrievals = new Map<number, RetrievalEntry>();
  readonly #generations = new Map<number, GenerationEntry>();
  readonly #judgments = new Map<number, JudgmentEntry>();
  readonly #cases = new Map<number, Map<string, CaseRow>>();
  readonly #contents = new Map<string, CaseContent>();
  readonly #documents: StoredDocument[] = [];

  beginRun(run: RunHeader): Promise<number> {
    if (this.#runs.some((other) => other.run_id === run.run_id)) {
      return Promise.reject(new Error(`run ${run.run_id} exists`));
    }
    const number = this.#runs.push(run);
    this.#attempts.push(1);
    this.#cases.set(number, new Map());
    return Promise.resolve(number);
  }

  resumeRun(run_id: string): Promise<ResumedRun> {
    const number = this.#numberOf(run_id);
    const run = this.#runs[number - 1];
    if (run === undefined) return Promise.reject(fencedError(false, undefined));
    const { finished_at: _, ...header } = run;
    this.#runs[number - 1] = { ...header, status: "running" };
    const attempt = (this.#attempts[number - 1] ?? 0) + 1;
    this.#attempts[number - 1] = attempt;
    const rows = [...this.#cases.get(number)?.values() ?? []];
    const own = (entries: ReadonlyMap<number, unknown>) =>
      [...entries.keys()].filter((id) => isOf(number, id));
    const tables = [this.#retrievals, this.#generations, this.#judgments];
    const last = tables.flatMap(own).reduce((most, id) => Math.max(most, id), number * ENTRIES_PER_RUN - 1);
    const found = ({ hit, miss }: CaseRow["cache"]["judgment"]) => hit > 0 && miss === 0;
    const retrieved = new Set(rows.flatMap((row) => row.cache.retrieve === "miss" ? [row.retrieval_id] : []));
    const generated = new Set(
      rows.flatMap((row) => row.cache.generate === "miss" ? [row.generation_id] : []),
    );
    const judged = new Set(rows.flatMap((row) => found(row.cache.judgment) ? [] : [row.judgments_id]));
    return Promise.resolve({
      number,
      attempt,
      next_entry: last - number * ENTRIES_PER_RUN + 1,
      orphans: {
        retrievals: own(this.#retrievals).filter((id) => !retrieved.has(id)),
        generations: own(this.#generations).filter((id) => !generated.has(id)),
        judgments: own(this.#judgments).filter((id) => !judged.has(id)),
      },
    });
  }

  finishRun(run_id: string, status: RunStatus, finished_at: string, attempt = 1): Promise<void> {
    const number = this.#numberOf(run_id);
    const fenced = this.#fence(number, attempt);
    if (fenced !== undefined) return fenced;
    const run = this.#runs[number - 1];
    if (run !== undefined) this.#runs[number - 1] = { ...run, status, finished_at };
    return Promise.resolve();
  }

  carryCases(run_number: number, { from, places, cache }: CarriedCases, attempt = 1): Promise<void> {
    const source = this.#cases.get(this.#numberOf(from));
    const cases = places.flatMap((place) => {
      const row = source?.get(keyOf(place));
      return row === undefined ? [] : [{ ...row, cache }];
    });
    return this.append(run_number, { retrievals: [], generations: [], judgments: [], cases }, attempt);
  }

  /** 0 for a run that is not there. */
  #numberOf(run_id: string): number {
    return this.#runs.findIndex((run) => run.run_id === run_id) + 1;
  }

  #fence(number: number, attempt: number): Promise<never> | undefined {
    const newest = this.#attempts[number - 1];
    if (newest === attempt) return undefined;
    return Promise.reject(fencedError(newest !== undefined, undefined));
  }

  append(run_number: number, batch: Batch, attempt = 1): Promise<void> {
    const fenced = this.#fence(run_number, attempt);
    if (fenced !== undefined) return fenced;
    const cases = this.#cases.get(run_number) ?? new Map<string, CaseRow>();
    const clash = clashes(batch.cases.map(keyOf), cases) ||
      clashes(batch.retrievals.map(({ id }) => id), this.#retrievals) ||
      clashes(batch.generations.map(({ id }) => id), this.#generations) ||
      clashes(batch.judgments.map(({ id }) => id), this.#judgments);
    if (clash) return Promise.reject(new Error("an entry or a case of the batch is there already"));
    for (const entry of batch.retrievals) this.#retrievals.set(entry.id, entry);
    for (const entry of batch.generations) this.#generations.set(entry.id, entry);
    for (const entry of batch.judgments) this.#judgments.set(entry.id, entry);
    for (const row of batch.cases) {
      const { id: _id, ...content } = row.case;
      this.#contents.set(row.case_digest, content);
      cases.set(keyOf(row), row);
    }
    this.#cases.set(run_number, cases);
    return Promise.resolve();
  }

  findExecutions(
    identities: readonly string[],
    of_run?: number,
  ): Promise<ReadonlyMap<string, ExecutionEntry>> {
    const found = new Map<string, ExecutionEntry>();
    for (const [number, cases] of this.#cases) {
      if (of_run !== undefined && number !== of_run) continue;
      for (const row of cases.values()) {
        if (row.error !== undefined || !identities.includes(row.execution)) continue;
        const retrieval = this.#retrievals.get(row.retrieval_id ?? -1);
        const generation = this.#generations.get(row.generation_id ?? -1);
        if (generation === undefined) continue;
        found.set(row.execution, {
          generation,
          ...(retrieval === undefined ? {} : { retrieval }),
          ...(row.assembly === undefined ? {} : { assembly: row.assembly }),
        });
      }
    }
    return Promise.resolve(found);
  }

  findRetrievals(
    identities: readonly string[],
    of_run?: number,
  ): Promise<ReadonlyMap<string, RetrievalEntry>> {
    return Promise.resolve(newest(this.#retrievals, identities, of_run));
  }

  findGenerations(
    identities: readonly string[],
    of_run?: number,
  ): Promise<ReadonlyMap<string, GenerationEntry>> {
    return Promise.resolve(newest(this.#generations, identities, of_run));
  }

  findJudgments(records: readonly string[]): Promise<ReadonlyMap<string, readonly JudgmentEntry[]>> {
    const found = [...this.#judgments.values()].filter((entry) => records.includes(entry.record));
    return Promise.resolve(Map.groupBy(found.sort((a, b) => b.id - a.id), (entry) => entry.record));
  }

  sourceDigests(entry_ids: readonly number[]): Promise<ReadonlyMap<number, string | null>> {
    return Promise.resolve(
      new Map(entry_ids.flatMap((id) => {
        const run = this.#runs[Math.floor(id / ENTRIES_PER_RUN) - 1];
        return run === undefined ? [] : [[id, run.source_digest] as const];
      })),
    );
  }

  listRuns(limit = Infinity): Promise<readonly StoredRun[]> {
    return Promise.resolve(this.#allRuns().filter(({ header }) => header.kind === "run").slice(0, limit));
  }

  matchRuns(prefix: string): Promise<readonly StoredRun[]> {
    return Promise.resolve(this.#allRuns().filter(({ header }) => header.run_id.startsWith(prefix)));
  }

  #allRuns(): readonly StoredRun[] {
    return this.#runs.map((header, index) => ({
      number: index + 1,
      header,
      finished_cases: [...Map.groupBy(this.#rows(header.run_id), ({ ordinal }) => ordinal).values()]
        .filter((rows) => rows.length >= header.repeats).length,
    })).reverse();
  }

  /** The rows of a run in the order of its cases and of their repeats. */
  #rows(run_id: string): readonly CaseRow[] {
    const rows = [...this.#cases.get(this.#numberOf(run_id))?.values() ?? []];
    return rows.sort((a, b) => a.ordinal - b.ordinal || a.repeat - b.repeat);
  }

  async *readCases(run_id: string): AsyncIterable<StoredCase> {
    for (const row of this.#rows(run_id)) yield this.#storedCase(row);
  }

  readCase(run_id: string, case_id: string): Promise<readonly StoredCase[]> {
    const rows = this.#rows(run_id).filter((row) => row.case.id === case_id);
    return Promise.resolve(rows.map((row) => this.#storedCase(row)));
  }

  async *readOutcomes(run_id: string): AsyncIterable<CaseOutcomes> {
    for (const row of this.#rows(run_id)) {
      const judgments = this.#judgments.get(row.judgments_id)?.judgments ?? [];
      yield { case_id: row.case.id, repeat: row.repeat, case_digest: row.case_digest, judgments };
    }
  }

  readContents(digests: readonly string[]): Promise<ReadonlyMap<string, CaseContent>> {
    return Promise.resolve(
      new Map(digests.flatMap((digest) => {
        const content = this.#contents.get(digest);
        return content === undefined ? [] : [[digest, content] as const];
      })),
    );
  }

  documentsOf(run_id: string): Promise<readonly StoredDocument[]> {
    return Promise.resolve(this.#documents.filter((document) => document.run_id === run_id).reverse());
  }

  addDocument(document: StoredDocument): Promise<void> {
    this.#documents.push(document);
    return Promise.resolve();
  }

  matchDocuments(prefix: string): Promise<readonly StoredDocument[]> {
    const newest = new Map<string, StoredDocument>();
    for (const document of this.#documents.toReversed()) {
      if (document.id.startsWith(prefix) && !newest.has(document.id)) newest.set(document.id, document);
    }
    return Promise.resolve([...newest.values()]);
  }

  newestDocument(run_id: string, question: string): Promise<StoredDocument | undefined> {
    const fits = (document: StoredDocument) => document.run_id === run_id && document.question === question;
    return Promise.resolve(this.#documents.findLast(fits));
  }

  close(): void {}

  #storedCase(row: CaseRow): StoredCase {
    const retrieval = this.#retrievals.get(row.retrieval_id ?? -1);
    const generation = this.#generations.get(row.generation_id ?? -1);
    return {
      ordinal: row.ordinal,
      repeat: row.repeat,
      ...(row.retrieval_id === undefined ? {} : { retrieval_id: row.retrieval_id }),
      record: {
        case: row.case,
        ...retrieval?.retrieval,
        // Without candidates nothing is known of what was dropped.
        ...(retrieval === undefined && row.assembly !== undefined
          ? { context: row.assembly.context }
          : row.assembly),
        ...(generation === undefined ? {} : { output: generation.output }),
        ...(row.error === undefined ? {} : { error: row.error }),
      },
      judgments: this.#judgments.get(row.judgments_id)?.judgments ?? [],
      cache: row.cache,
      costs: {
        ...(retrieval === undefined ? {} : { retrieve: retrieval.cost }),
        ...(generation === undefined ? {} : { generate: generation.cost }),
      },
    };
  }
}

function isOf(run_number: number | undefined, entry_id: number): boolean {
  return run_number === undefined || Math.floor(entry_id / ENTRIES_PER_RUN) === run_number;
}

function clashes<Key>(keys: readonly Key[], known: ReadonlyMap<Key, unknown>): boolean {
  return new Set(keys).size < keys.length || keys.some((key) => known.has(key));
}

function keyOf({ ordinal, repeat }: CasePlace): string {
  return `${ordinal} ${repeat}`;
}

function newest<T extends { readonly id: number; readonly identity: string }>(
  entries: ReadonlyMap<number, T>,
  identities: readonly string[],
  of_run: number | undefined,
): ReadonlyMap<string, T> {
  const found = new Map<string, T>();
  for (const entry of entries.values()) {
    if (!identities.includes(entry.identity) || !isOf(of_run, entry.id)) continue;
    const before = found.get(entry.identity);
    if (before === undefined || before.id < entry.id) found.set(entry.identity, entry);
  }
  return found;
}
