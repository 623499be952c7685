/** The store in memory: the libSQL store's twin, for bundles and tests, held to the same contract. */
import type { Erased, Erasure } from "../domain/erasure.ts";
import { canonicalJson } from "../domain/identity.ts";
import type { Json } from "../domain/json.ts";
import {
  type CaseContent,
  type CaseOutcomes,
  ENTRIES_PER_RUN,
  type Store,
  type StoredDocument,
  type StoredRun,
} from "../domain/ports.ts";
import type {
  Batch,
  CaseRow,
  ExecutionEntry,
  GenerationEntry,
  JudgmentEntry,
  RetrievalEntry,
  RunHeader,
  RunStatus,
  StoredCase,
  TracedCase,
} from "../domain/run.ts";
import type { StoreStats } from "../domain/store_stats.ts";
import { withoutCases } from "./erased_documents.ts";
import { type Doomed, findDoomed, type NumberedRow } from "./memory_erasure.ts";

/** {@link Store} that forgets everything when it is let go. */
export class MemoryStore implements Store {
  readonly #runs = new Map<number, RunHeader>();
  /** Numbers are given once, whatever was erased. */
  #lastNumber = 0;
  readonly #retrievals = new Map<number, RetrievalEntry>();
  readonly #generations = new Map<number, GenerationEntry>();
  readonly #judgments = new Map<number, JudgmentEntry>();
  readonly #cases = new Map<number, Map<string, CaseRow>>();
  readonly #contents = new Map<string, CaseContent>();
  #documents: StoredDocument[] = [];

  beginRun(run: RunHeader): Promise<number> {
    if (this.#numberOf(run.run_id) !== undefined) {
      return Promise.reject(new Error(`run ${run.run_id} exists`));
    }
    const number = ++this.#lastNumber;
    this.#runs.set(number, run);
    this.#cases.set(number, new Map());
    return Promise.resolve(number);
  }

  finishRun(run_id: string, status: RunStatus, finished_at: string): Promise<void> {
    const number = this.#numberOf(run_id);
    const run = this.#runs.get(number ?? 0);
    if (number !== undefined && run !== undefined) this.#runs.set(number, { ...run, status, finished_at });
    return Promise.resolve();
  }

  append(run_number: number, batch: Batch): Promise<void> {
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

  findExecutions(identities: readonly string[]): Promise<ReadonlyMap<string, ExecutionEntry>> {
    const found = new Map<string, ExecutionEntry>();
    for (const cases of this.#cases.values()) {
      for (const row of cases.values()) {
        if (row.error !== undefined || !identities.includes(row.execution)) continue;
        const retrieval = this.#retrievals.get(row.retrieval_id ?? -1);
        const generation = this.#generations.get(row.generation_id ?? -1);
        if (retrieval === undefined || generation === undefined || row.assembly === undefined) continue;
        found.set(row.execution, { retrieval, assembly: row.assembly, generation });
      }
    }
    return Promise.resolve(found);
  }

  findRetrievals(identities: readonly string[]): Promise<ReadonlyMap<string, RetrievalEntry>> {
    return Promise.resolve(newest(this.#retrievals, identities));
  }

  findGenerations(identities: readonly string[]): Promise<ReadonlyMap<string, GenerationEntry>> {
    return Promise.resolve(newest(this.#generations, identities));
  }

  findJudgments(records: readonly string[]): Promise<ReadonlyMap<string, readonly JudgmentEntry[]>> {
    const found = [...this.#judgments.values()].filter((entry) => records.includes(entry.record));
    return Promise.resolve(Map.groupBy(found.sort((a, b) => b.id - a.id), (entry) => entry.record));
  }

  sourceDigests(entry_ids: readonly number[]): Promise<ReadonlyMap<number, string | null>> {
    return Promise.resolve(
      new Map(entry_ids.flatMap((id) => {
        const run = this.#makerOf(id);
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
    return [...this.#runs].map(([number, header]) => ({
      header,
      finished_cases: new Set(this.#rowsOf(number).map(({ ordinal }) => ordinal)).size,
    })).reverse();
  }

  #numberOf(run_id: string): number | undefined {
    return [...this.#runs].find(([, run]) => run.run_id === run_id)?.[0];
  }

  /** The run that made an entry. */
  #makerOf(entry_id: number): RunHeader | undefined {
    return this.#runs.get(Math.floor(entry_id / ENTRIES_PER_RUN));
  }

  #rowsOf(number: number | undefined): readonly CaseRow[] {
    return [...this.#cases.get(number ?? 0)?.values() ?? []];
  }

  async *readCases(run_id: string): AsyncIterable<StoredCase> {
    for (const row of this.#rowsOf(this.#numberOf(run_id)).toSorted(inOrder)) yield this.#storedCase(row);
  }

  async readCase(run_id: string, case_id: string): Promise<StoredCase | undefined> {
    for await (const stored of this.readCases(run_id)) {
      if (stored.record.case.id === case_id) return stored;
    }
    return undefined;
  }

  async *readOutcomes(run_id: string): AsyncIterable<CaseOutcomes> {
    for (const row of this.#rowsOf(this.#numberOf(run_id))) {
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

  async traceCase(run_id: string, case_id: string): Promise<TracedCase | undefined> {
    const number = this.#numberOf(run_id);
    const row = this.#rowsOf(number).toSorted(inOrder).find((one) => one.case.id === case_id);
    return await Promise.resolve(row && this.#trace(number ?? 0, row));
  }

  async *traceInput(input: Json, before_run: string): AsyncIterable<TracedCase> {
    const before = this.#numberOf(before_run) ?? 0;
    const wanted = canonicalJson(input);
    const earlier = [...this.#runs].filter(([number, { kind }]) => number < before && kind === "run");
    for (const [number] of earlier.reverse()) {
      for (const row of this.#rowsOf(number).toSorted(inOrder)) {
        if (canonicalJson(row.case.input) === wanted) yield await Promise.resolve(this.#trace(number, row));
      }
    }
  }

  #trace(number: number, row: CaseRow): TracedCase {
    const run = this.#runs.get(number);
    const judged = this.#judgments.get(row.judgments_id);
    if (run === undefined || judged === undefined) throw new TypeError("the case points to nothing");
    const traceOf = (id: number, identity: string) => ({
      identity,
      made_by: this.#makerOf(id)?.run_id ?? null,
    });
    const retrieval = this.#retrievals.get(row.retrieval_id ?? -1);
    const generation = this.#generations.get(row.generation_id ?? -1);
    return {
      run,
      stored: this.#storedCase(row),
      execution: row.execution,
      ...(retrieval === undefined ? {} : { retrieval: traceOf(retrieval.id, retrieval.identity) }),
      ...(generation === undefined ? {} : { generation: traceOf(generation.id, generation.identity) }),
      judged: { ...traceOf(judged.id, judged.record), evaluators: judged.evaluators },
    };
  }

  caseIds(): Promise<readonly string[]> {
    return Promise.resolve([...new Set(this.#allRows().map((row) => row.case.id))]);
  }

  #allRows(): readonly CaseRow[] {
    return [...this.#runs.keys()].flatMap((number) => this.#rowsOf(number));
  }

  stats(): Promise<StoreStats> {
    const kinds = [...this.#runs.values()].map(({ kind }) => kind);
    const entriesOf = (entries: ReadonlyMap<number, unknown>, idOf: (row: CaseRow) => number | undefined) => {
      const users = [...this.#runs.keys()].map((number) =>
        this.#rowsOf(number).flatMap((row) => idOf(row) ?? [])
      );
      return {
        entries: entries.size,
        used: new Set(users.flat()).size,
        cases: users.flat().length,
        runs: users.filter((ids) => ids.length > 0).length,
        bytes: sizeOf([...entries.values()]),
      };
    };
    return Promise.resolve({
      runs: kinds.filter((kind) => kind === "run").length,
      child_runs: kinds.filter((kind) => kind !== "run").length,
      cases: this.#allRows().length,
      contents: { entries: this.#contents.size, bytes: sizeOf([...this.#contents.values()]) },
      documents: { entries: this.#documents.length, bytes: sizeOf(this.#documents) },
      retrievals: entriesOf(this.#retrievals, (row) => row.retrieval_id),
      generations: entriesOf(this.#generations, (row) => row.generation_id),
      judgments: entriesOf(this.#judgments, (row) => row.judgments_id),
      file_bytes: null,
    });
  }

  erase(erasure: Erasure, { dry_run = false } = {}): Promise<Erased> {
    const doomed = findDoomed({
      runs: this.#runs,
      rows: [...this.#runs.keys()].flatMap((number) => this.#rowsOf(number).map((row) => ({ number, row }))),
      tables: [this.#retrievals, this.#generations, this.#judgments],
      contents: this.#contents,
      documents: this.#documents,
    }, erasure);
    if (!dry_run) this.#erase(doomed, erasure);
    return Promise.resolve(doomed.erased);
  }

  #erase({ runs, rows, entries, contents, documents }: Doomed, erasure: Erasure): void {
    if (erasure.what === "cases") this.#markLosses(rows, erasure.case_ids);
    for (const { number, row } of rows) this.#cases.get(number)?.delete(keyOf(row));
    for (const [index, table] of [this.#retrievals, this.#generations, this.#judgments].entries()) {
      for (const id of entries[index] ?? []) table.delete(id);
    }
    for (const digest of contents) this.#contents.delete(digest);
    for (const number of runs) {
      this.#runs.delete(number);
      this.#cases.delete(number);
    }
    this.#documents = this.#documents.filter((_, index) => !documents.has(index));
  }

  #markLosses(rows: readonly NumberedRow[], ids: readonly string[]): void {
    for (const [number, run] of this.#runs) {
      const lost = new Set(rows.filter((one) => one.number === number).map(({ row }) => row.ordinal)).size;
      const forgotten_cases = (run.forgotten_cases ?? 0) + lost;
      this.#runs.set(number, {
        ...run,
        selection: withoutCases(run.selection, ids),
        ...(forgotten_cases === 0 ? {} : { forgotten_cases }),
      });
    }
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
        ...row.assembly,
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

function clashes<Key>(keys: readonly Key[], known: ReadonlyMap<Key, unknown>): boolean {
  return new Set(keys).size < keys.length || keys.some((key) => known.has(key));
}

/** The order of a run's cases and of their repeats. */
function inOrder(a: CaseRow, b: CaseRow): number {
  return a.ordinal - b.ordinal || a.repeat - b.repeat;
}

function sizeOf(values: readonly unknown[]): number {
  return values.reduce<number>((sum, value) => sum + JSON.stringify(value).length, 0);
}

function keyOf({ ordinal, repeat }: CaseRow): string {
  return `${ordinal} ${repeat}`;
}

function newest<T extends { readonly id: number; readonly identity: string }>(
  entries: ReadonlyMap<number, T>,
  identities: readonly string[],
): ReadonlyMap<string, T> {
  const found = new Map<string, T>();
  for (const entry of entries.values()) {
    if (!identities.includes(entry.identity)) continue;
    const before = found.get(entry.identity);
    if (before === undefined || before.id < entry.id) found.set(entry.identity, entry);
  }
  return found;
}
