/** The store in memory: the libSQL store's twin, for bundles and tests, held to the same contract. */
import type { Erased, Erasure } from "../domain/erasure.ts";
import { canonicalJson } from "../domain/identity.ts";
import type { Json } from "../domain/json.ts";
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
import type { JudgeCallEntry } from "../domain/judge.ts";
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
  TracedCase,
} from "../domain/run.ts";
import type { StoreStats } from "../domain/store_stats.ts";
import { withoutCases } from "./erased_documents.ts";
import { fencedError } from "./fence.ts";
import { type Doomed, findDoomed, type NumberedRow } from "./memory_erasure.ts";

/** {@link Store} that forgets everything when it is let go. */
export class MemoryStore implements Store {
  readonly #runs = new Map<number, RunHeader>();
  readonly #attempts = new Map<number, number>();
  /** Numbers are given once, whatever was erased. */
  #lastNumber = 0;
  readonly #retrievals = new Map<number, RetrievalEntry>();
  readonly #generations = new Map<number, GenerationEntry>();
  readonly #judgments = new Map<number, JudgmentEntry>();
  readonly #cases = new Map<number, Map<string, CaseRow>>();
  readonly #contents = new Map<string, CaseContent>();
  #documents: StoredDocument[] = [];
  #judgeCalls: JudgeCallEntry[] = [];

  beginRun(run: RunHeader): Promise<number> {
    if (this.#numberOf(run.run_id) !== undefined) {
      return Promise.reject(new Error(`run ${run.run_id} exists`));
    }
    const number = ++this.#lastNumber;
    this.#runs.set(number, run);
    this.#attempts.set(number, 1);
    this.#cases.set(number, new Map());
    return Promise.resolve(number);
  }

  resumeRun(run_id: string): Promise<ResumedRun> {
    const number = this.#numberOf(run_id) ?? 0;
    const run = this.#runs.get(number);
    if (run === undefined) return Promise.reject(fencedError(false, undefined));
    const { finished_at: _, ...header } = run;
    this.#runs.set(number, { ...header, status: "running" });
    const attempt = (this.#attempts.get(number) ?? 0) + 1;
    this.#attempts.set(number, attempt);
    const rows = this.#rowsOf(number);
    const own = (entries: ReadonlyMap<number, unknown>) =>
      [...entries.keys()].filter((id) => isOf(number, id));
    const tables = [this.#retrievals, this.#generations, this.#judgments];
    const last = tables.flatMap(own).reduce((most, id) => Math.max(most, id), number * ENTRIES_PER_RUN - 1);
    const found = ({ hit, miss }: CaseRow["cache"]["judgment"]) => hit > 0 && miss === 0;
    // Without an outcome of retrieve: one stage, or recorded outputs, whose evidence is made with the execution.
    const isMade = ({ cache }: CaseRow, stage: "retrieve" | "generate") =>
      cache[stage] === "miss" || (cache.retrieve === undefined && cache.execution === "miss");
    const retrieved = new Set(rows.flatMap((row) => isMade(row, "retrieve") ? [row.retrieval_id] : []));
    const generated = new Set(rows.flatMap((row) => isMade(row, "generate") ? [row.generation_id] : []));
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
    const number = this.#numberOf(run_id) ?? 0;
    const fenced = this.#fence(number, attempt);
    if (fenced !== undefined) return fenced;
    const run = this.#runs.get(number);
    if (run !== undefined) this.#runs.set(number, { ...run, status, finished_at });
    return Promise.resolve();
  }

  carryCases(run_number: number, { from, places, cache }: CarriedCases, attempt = 1): Promise<void> {
    const source = this.#cases.get(this.#numberOf(from) ?? 0);
    const cases = places.flatMap((place) => {
      const row = source?.get(keyOf(place));
      return row === undefined ? [] : [{ ...row, cache, ...carriedCalls(row.judge_calls) }];
    });
    return this.append(run_number, { retrievals: [], generations: [], judgments: [], cases }, attempt);
  }

  #fence(number: number, attempt: number): Promise<never> | undefined {
    const newest = this.#attempts.get(number);
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

  surelyLacks(): boolean {
    return false;
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

  findJudgeCalls(identities: readonly string[]): Promise<ReadonlyMap<string, JudgeCallEntry>> {
    const found = this.#judgeCalls.filter(({ identity }) => identities.includes(identity));
    return Promise.resolve(new Map(found.map((entry) => [entry.identity, entry])));
  }

  addJudgeCalls(entries: readonly JudgeCallEntry[]): Promise<void> {
    this.#judgeCalls.push(...entries);
    return Promise.resolve();
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

  newestRuns(limit: number): Promise<readonly RunHeader[]> {
    return Promise.resolve([...this.#runs.values()].reverse().slice(0, limit));
  }

  #allRuns(): readonly StoredRun[] {
    return [...this.#runs].map(([number, header]) => ({
      number,
      header,
      finished_cases: [...Map.groupBy(this.#rowsOf(number), ({ ordinal }) => ordinal).values()]
        .filter((rows) => rows.length >= header.repeats).length,
    })).reverse();
  }

  #numberOf(run_id: string): number | undefined {
    return [...this.#runs].find(([, run]) => run.run_id === run_id)?.[0];
  }

  /** The run that made an entry. */
  #makerOf(entry_id: number): RunHeader | undefined {
    return this.#runs.get(Math.floor(entry_id / ENTRIES_PER_RUN));
  }

  /** The rows of a run in the order of its cases and of their repeats. */
  #rowsOf(number: number | undefined): readonly CaseRow[] {
    return [...this.#cases.get(number ?? 0)?.values() ?? []].sort(inOrder);
  }

  #rows(run_id: string): readonly CaseRow[] {
    return this.#rowsOf(this.#numberOf(run_id));
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

  documentsAnswering(question: string): Promise<readonly StoredDocument[]> {
    return Promise.resolve(this.#documents.filter((document) => document.question === question).reverse());
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
      judge_calls: { entries: this.#judgeCalls.length, bytes: sizeOf(this.#judgeCalls) },
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
      judgments: this.#judgments,
      judgeCalls: this.#judgeCalls,
      contents: this.#contents,
      documents: this.#documents,
    }, erasure);
    if (!dry_run) this.#erase(doomed, erasure);
    return Promise.resolve(doomed.erased);
  }

  #erase({ runs, rows, entries, contents, documents, judgeCalls }: Doomed, erasure: Erasure): void {
    if (erasure.what === "cases") this.#markLosses(rows, erasure.case_ids);
    for (const { number, row } of rows) this.#cases.get(number)?.delete(keyOf(row));
    for (const [index, table] of [this.#retrievals, this.#generations, this.#judgments].entries()) {
      for (const id of entries[index] ?? []) table.delete(id);
    }
    this.#judgeCalls = [...judgeCalls];
    for (const digest of contents) this.#contents.delete(digest);
    for (const number of runs) {
      this.#runs.delete(number);
      this.#attempts.delete(number);
      this.#cases.delete(number);
    }
    this.#documents = this.#documents.filter((_, index) => !documents.has(index));
  }

  #markLosses(rows: readonly NumberedRow[], ids: readonly string[]): void {
    for (const [number, run] of this.#runs) {
      const lost = new Set(rows.filter((one) => one.number === number).map(({ row }) => row.ordinal)).size;
      const forgotten_cases = (run.forgotten_cases ?? 0) + lost;
      this.#runs.set(number, {
        ...withoutCases(run, ids) ?? run,
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
        // Without candidates nothing is known of what was dropped.
        ...(retrieval === undefined && row.assembly !== undefined
          ? { context: row.assembly.context }
          : row.assembly),
        ...(generation === undefined ? {} : { output: generation.output }),
        ...(row.error === undefined ? {} : { error: row.error }),
      },
      judgments: this.#judgments.get(row.judgments_id)?.judgments ?? [],
      cache: row.cache,
      ...(row.judge_calls === undefined ? {} : { judge_calls: row.judge_calls }),
      costs: {
        ...(retrieval === undefined ? {} : { retrieve: retrieval.cost }),
        ...(generation === undefined ? {} : { generate: generation.cost }),
      },
    };
  }
}

/** What was asked of judges, as a run counts it that found the case finished. */
function carriedCalls(calls: CaseRow["judge_calls"]): Pick<CaseRow, "judge_calls"> {
  return calls === undefined ? {} : { judge_calls: { hit: calls.hit + calls.miss, miss: 0 } };
}

function isOf(run_number: number | undefined, entry_id: number): boolean {
  return run_number === undefined || Math.floor(entry_id / ENTRIES_PER_RUN) === run_number;
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
