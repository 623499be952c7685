/** The store on libSQL: an embedded file, or a server by URL. All SQL of the program is in this folder. */
import type { Client, InStatement, InValue, Row } from "@libsql/client";
import type { Erased, Erasure } from "../domain/erasure.ts";
import { canonicalJson } from "../domain/identity.ts";
import type { Json } from "../domain/json.ts";
import {
  type CarriedCases,
  type CaseContent,
  type CaseOutcomes,
  ENTRIES_PER_RUN,
  type Orphans,
  type ResumedRun,
  type Store,
  type StoredDocument,
  type StoredRun,
} from "../domain/ports.ts";
import type { JudgeCallEntry } from "../domain/judge.ts";
import type {
  Batch,
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
import { batchStatements, judgeCallStatements } from "./batch_statements.ts";
import type { Connection } from "./connection.ts";
import { fencedError, type FencedRun, fenceStatement, isFenced } from "./fence.ts";
import { isIdentity } from "./identity_index.ts";
import { carrySql, lastEntrySql, orphansSql, resumeSql } from "./resume_sql.ts";
import { decodeJudgments, encodeCache } from "./row_codec.ts";
import { eraseForGood, LogInUse, NotTidied, tellErasure } from "./erase.ts";
import {
  documentOf,
  entryOf,
  executionOf,
  executionsSql,
  headerOf,
  idsOf,
  judgeCallOf,
  newestSql,
  outcomesOf,
  outcomesSql,
  storedCaseOf,
  storedCaseSql,
  text,
} from "./rows.ts";
import { SoleRun } from "./sole_run.ts";
import { fileBytesSql, statsOf, statsSql } from "./stats.ts";
import { notTidied, storeError } from "./store_error.ts";
import { contentsOfInputSql, tracedCaseOf, tracedCaseSql, tracedInputSql } from "./trace.ts";
import { parseStored } from "./stored_json.ts";

/** Rows that are read at once while a run is streamed. */
const PAGE = 200;

/** Outcomes are small, so more of them are. */
const OUTCOME_PAGE = 5000;

/** What a store is told besides its client. */
export interface LibsqlStoreOptions {
  /** What a run is written by, while the client is what it looks things up by; absent = the client, too. */
  readonly writer?: Connection | undefined;
  /** Throws when the store is no longer where it was opened. */
  readonly checkPlace?: () => Promise<void>;
  /** Takes secrets out of a text that would be stored. */
  readonly redact?: (text: string) => string;
  /** Called when the store was closed. */
  readonly onClose?: () => void;
}

/** {@link Store} over a libSQL database whose schema is current. */
export class LibsqlStore implements Store {
  readonly #client: Client;
  readonly #writer: Connection;
  readonly #place: string;
  /** Numbers of sets of evaluators, by the JSON text of their keys. */
  readonly #knownSets = new Map<string, number>();
  /** Present while the store has never held another run than the one that this object began. */
  #soleRun: SoleRun | undefined;

  /** @param place How errors name the store. */
  constructor(
    client: Client,
    place: string,
    private readonly options: LibsqlStoreOptions = {},
  ) {
    this.#client = client;
    this.#writer = options.writer ?? client;
    this.#place = place;
  }

  #redact(text: string): string {
    return this.options.redact?.(text) ?? text;
  }

  async beginRun(run: RunHeader): Promise<number> {
    const { status, finished_at: _, forgotten_cases: _forgotten, ...header } = run;
    const [row] = await this.#query(
      "add a run",
      "INSERT INTO runs (run_id, kind, status, attempt, header) VALUES (?, ?, ?, 1, ?) RETURNING number",
      [run.run_id, run.kind, status, this.#redact(JSON.stringify(header))],
    );
    const number = Number(row?.number);
    // Numbers are never given twice.
    this.#soleRun = number === 1 ? new SoleRun() : undefined;
    return number;
  }

  async resumeRun(run_id: string): Promise<ResumedRun> {
    const [row] = await this.#query("resume a run", resumeSql, [run_id]);
    if (row === undefined) throw fencedError(false, this.#place);
    const number = Number(row.number);
    const range = idsOf(number);
    const [last] = await this.#query("resume a run", lastEntrySql, [...range]);
    const orphansOf = async (table: keyof Orphans) =>
      (await this.#query("resume a run", orphansSql(table), [...range, number])).map(({ id }) => Number(id));
    return {
      number,
      attempt: Number(row.attempt),
      next_entry: last === undefined || last.id === null ? 0 : Number(last.id) - range[0] + 1,
      orphans: {
        retrievals: await orphansOf("retrievals"),
        generations: await orphansOf("generations"),
        judgments: await orphansOf("judgments"),
      },
    };
  }

  async finishRun(run_id: string, status: RunStatus, finished_at: string, attempt = 1): Promise<void> {
    // An open file can be deleted under us, and still takes what nobody will ever read.
    await this.options.checkPlace?.();
    await this.#write("finish a run", { column: "run_id", value: run_id, attempt }, [{
      sql: "UPDATE runs SET status = ?, finished_at = ? WHERE run_id = ?",
      args: [status, finished_at, run_id],
    }]);
    // The client leaves the log behind when it closes: without this, a copy of the file alone would hold nothing.
    if (this.#client.protocol === "file") {
      await this.#query("finish a run", "PRAGMA wal_checkpoint(PASSIVE)", []);
    }
  }

  async append(run_number: number, batch: Batch, attempt = 1): Promise<void> {
    const run: FencedRun = { column: "number", value: run_number, attempt };
    const statements = batchStatements(run_number, batch, {
      setNumbers: await this.#setNumbers(run, batch),
      redact: (text) => this.#redact(text),
    });
    if (statements.length === 0) return;
    await this.#write("write finished cases", run, statements);
    await this.#noteWritten(batch);
  }

  /** The number of each set of evaluators in a batch, by its keys; one that the store has not is added, and stays. */
  async #setNumbers(run: FencedRun, { judgments }: Batch): Promise<ReadonlyMap<readonly string[], number>> {
    const numbers = new Map<readonly string[], number>();
    for (const { evaluators } of judgments) {
      if (numbers.has(evaluators)) continue;
      const set = JSON.stringify(evaluators);
      const number = this.#knownSets.get(set) ?? await this.#addSet(run, set);
      this.#knownSets.set(set, number);
      numbers.set(evaluators, number);
    }
    return numbers;
  }

  async #addSet(run: FencedRun, set: string): Promise<number> {
    const sql = "INSERT OR IGNORE INTO evaluator_sets (evaluators) VALUES (?)";
    await this.#write("write finished cases", run, [{ sql, args: [set] }]);
    const [row] = await this.#query(
      "write finished cases",
      "SELECT number FROM evaluator_sets WHERE evaluators = ?",
      [set],
    );
    return Number(row?.number);
  }

  async #noteWritten(batch: Batch): Promise<void> {
    if (this.#soleRun === undefined) return;
    this.#soleRun.add(batch);
    const [row] = await this.#query("look for other runs", "SELECT max(number) AS number FROM runs", []);
    if (Number(row?.number) !== 1) this.#soleRun = undefined;
  }

  surelyLacks(identity: string): boolean {
    return this.#soleRun?.has(identity) === false;
  }

  async carryCases(run_number: number, carried: CarriedCases, attempt = 1): Promise<void> {
    const places = JSON.stringify(carried.places.map(({ ordinal, repeat }) => [ordinal, repeat]));
    await this.#write("carry finished cases", { column: "number", value: run_number, attempt }, [{
      sql: carrySql,
      args: [run_number, carried.from, encodeCache(carried.cache), places],
    }]);
  }

  /** Writes as one attempt of a run: all of it, or nothing. */
  async #write(action: string, run: FencedRun, statements: readonly InStatement[]): Promise<void> {
    try {
      await this.#writer.batch([fenceStatement(run), ...statements], "write");
    } catch (cause) {
      if (!isFenced(cause)) throw storeError(action, this.#place, cause);
      const rows = await this.#query(action, `SELECT 1 FROM runs WHERE ${run.column} = ?`, [run.value]);
      throw fencedError(rows.length > 0, this.#place);
    }
  }

  async findExecutions(
    identities: readonly string[],
    of_run?: number,
  ): Promise<ReadonlyMap<string, ExecutionEntry>> {
    const rows = await this.#lookUp(executionsSql, identities, [of_run ?? null]);
    return new Map(rows.map(executionOf));
  }

  async findRetrievals(
    identities: readonly string[],
    of_run?: number,
  ): Promise<ReadonlyMap<string, RetrievalEntry>> {
    const rows = await this.#lookUp(newestSql("retrievals"), identities, idsOf(of_run));
    return new Map(rows.map((row) => {
      const { content, ...entry } = entryOf(row);
      return [entry.identity, { ...entry, retrieval: parseStored(content) }];
    }));
  }

  async findGenerations(
    identities: readonly string[],
    of_run?: number,
  ): Promise<ReadonlyMap<string, GenerationEntry>> {
    const rows = await this.#lookUp(newestSql("generations"), identities, idsOf(of_run));
    return new Map(rows.map((row) => {
      const { content, ...entry } = entryOf(row);
      return [entry.identity, { ...entry, output: parseStored(content) }];
    }));
  }

  async findJudgments(records: readonly string[]): Promise<ReadonlyMap<string, readonly JudgmentEntry[]>> {
    const rows = await this.#lookUp(
      `SELECT j.id, lower(hex(j.record)) AS record, s.evaluators, j.content FROM json_each(?) AS wanted
       JOIN judgments AS j ON ${
        isIdentity("j.record", "unhex(wanted.value)")
      } JOIN evaluator_sets AS s ON s.number = j.evaluator_set
       ORDER BY j.id DESC`,
      records,
    );
    const found = rows.map((row): JudgmentEntry => ({
      id: Number(row.id),
      record: text(row.record),
      evaluators: parseStored(text(row.evaluators)),
      judgments: decodeJudgments(parseStored(text(row.content))),
    }));
    return Map.groupBy(found, (entry) => entry.record);
  }

  async findJudgeCalls(identities: readonly string[]): Promise<ReadonlyMap<string, JudgeCallEntry>> {
    const rows = await this.#lookUp(
      `SELECT lower(hex(identity)) AS identity, lower(hex(record)) AS record, run_id, verdict, usage FROM judge_calls
       WHERE number IN (SELECT max(number) FROM judge_calls
         JOIN json_each(?) AS wanted ON ${isIdentity("identity", "unhex(wanted.value)")} GROUP BY identity)`,
      identities,
    );
    return new Map(rows.map(judgeCallOf).map((entry) => [entry.identity, entry]));
  }

  async addJudgeCalls(entries: readonly JudgeCallEntry[]): Promise<void> {
    const statements = judgeCallStatements(entries, (text) => this.#redact(text));
    if (statements.length === 0) return;
    try {
      await this.#writer.batch([...statements], "write");
    } catch (cause) {
      throw storeError("keep verdicts of judges", this.#place, cause);
    }
  }

  async sourceDigests(entry_ids: readonly number[]): Promise<ReadonlyMap<number, string | null>> {
    const rows = await this.#lookUp(
      `SELECT wanted.value AS id, header ->> '$.source_digest' AS digest FROM json_each(?) AS wanted
       JOIN runs ON runs.number = wanted.value / ${ENTRIES_PER_RUN}`,
      entry_ids,
    );
    return new Map(rows.map((row) => [Number(row.id), row.digest === null ? null : text(row.digest)]));
  }

  listRuns(limit = -1): Promise<readonly StoredRun[]> {
    return this.#runs("kind = 'run' AND ?1 = ''", "", limit);
  }

  matchRuns(prefix: string): Promise<readonly StoredRun[]> {
    return this.#runs("substr(run_id, 1, length(?1)) = ?1", prefix, -1);
  }

  async newestRuns(limit: number): Promise<readonly RunHeader[]> {
    const sql = "SELECT status, finished_at, forgotten, header FROM runs ORDER BY number DESC LIMIT ?";
    return (await this.#query("list runs", sql, [limit])).map(headerOf);
  }

  async #runs(condition: string, prefix: string, limit: number): Promise<readonly StoredRun[]> {
    const rows = await this.#query(
      "list runs",
      `SELECT number, status, finished_at, forgotten, header, (SELECT count(*) FROM
         (SELECT 1 FROM run_cases WHERE run = number GROUP BY ordinal HAVING count(*) >= header ->> '$.repeats')) AS finished_cases
       FROM runs WHERE ${condition} ORDER BY number DESC LIMIT ?2`,
      [prefix, limit],
    );
    return rows.map((row) => ({
      number: Number(row.number),
      header: headerOf(row),
      finished_cases: Number(row.finished_cases),
    }));
  }

  async *readCases(run_id: string): AsyncIterable<StoredCase> {
    for (let [ordinal, repeat] = [-1, 0];;) {
      const rows = await this.#query(
        "read a run",
        `${storedCaseSql} AND (c.ordinal, c.repeat) > (?, ?) ORDER BY c.ordinal, c.repeat LIMIT ${PAGE}`,
        [run_id, ordinal, repeat],
      );
      for (const row of rows) {
        const stored = storedCaseOf(row);
        [ordinal, repeat] = [stored.ordinal, stored.repeat];
        yield stored;
      }
      if (rows.length < PAGE) return;
    }
  }

  async readCase(run_id: string, case_id: string): Promise<readonly StoredCase[]> {
    const sql = `${storedCaseSql} AND c.case_id = ? ORDER BY c.repeat`;
    return (await this.#query("read a case", sql, [run_id, case_id])).map(storedCaseOf);
  }

  async *readOutcomes(run_id: string): AsyncIterable<CaseOutcomes> {
    for (let [ordinal, repeat] = [-1, 0];;) {
      const rows = await this.#query("read a run", outcomesSql, [run_id, ordinal, repeat, OUTCOME_PAGE]);
      for (const row of rows) {
        const { ordinal: place, ...outcomes } = outcomesOf(row);
        [ordinal, repeat] = [place, outcomes.repeat];
        yield outcomes;
      }
      if (rows.length < OUTCOME_PAGE) return;
    }
  }

  async readContents(digests: readonly string[]): Promise<ReadonlyMap<string, CaseContent>> {
    const rows = await this.#lookUp(
      `SELECT lower(hex(digest)) AS digest, content FROM case_contents
       WHERE digest IN (SELECT unhex(value) FROM json_each(?))`,
      digests,
    );
    return new Map(rows.map(({ digest, content }) => [text(digest), parseStored(text(content))]));
  }

  async documentsOf(run_id: string): Promise<readonly StoredDocument[]> {
    const sql = "SELECT * FROM documents WHERE run_id = ? ORDER BY number DESC";
    return (await this.#query("find documents", sql, [run_id])).map(documentOf);
  }

  async documentsAnswering(question: string): Promise<readonly StoredDocument[]> {
    const sql = "SELECT * FROM documents WHERE question = ? ORDER BY number DESC";
    return (await this.#query("find documents", sql, [question])).map(documentOf);
  }

  async addDocument(document: StoredDocument): Promise<void> {
    const { id, kind, run_id, question, content, beside } = document;
    await this.#query(
      "keep a document",
      "INSERT INTO documents (id, kind, run_id, question, content, beside) VALUES (?, ?, ?, ?, ?, ?)",
      [
        id,
        kind,
        run_id,
        question,
        this.#redact(JSON.stringify(content)),
        this.#redact(JSON.stringify(beside)),
      ],
    );
  }

  async matchDocuments(prefix: string): Promise<readonly StoredDocument[]> {
    const rows = await this.#query(
      "find a document",
      `SELECT * FROM documents WHERE number IN
        (SELECT max(number) FROM documents WHERE substr(id, 1, length(?1)) = ?1 GROUP BY id) ORDER BY number DESC`,
      [prefix],
    );
    return rows.map(documentOf);
  }

  async newestDocument(run_id: string, question: string): Promise<StoredDocument | undefined> {
    const [row] = await this.#query(
      "find a document",
      "SELECT * FROM documents WHERE run_id = ? AND question = ? ORDER BY number DESC LIMIT 1",
      [run_id, question],
    );
    return row === undefined ? undefined : documentOf(row);
  }

  async traceCase(run_id: string, case_id: string): Promise<TracedCase | undefined> {
    const [row] = await this.#query("trace a case", tracedCaseSql, [run_id, case_id]);
    return row === undefined ? undefined : tracedCaseOf(row);
  }

  async *traceInput(input: Json, before_run: string): AsyncIterable<TracedCase> {
    const digests = await this.#query("trace an input", contentsOfInputSql, [canonicalJson(input)]);
    const keys = JSON.stringify(digests.map(({ digest }) => digest));
    let place: InValue[] = [before_run, 0, 0];
    for (let sql = tracedInputSql.first;; sql = tracedInputSql.next) {
      const rows = await this.#query("trace an input", sql, [keys, ...place]);
      for (const row of rows) yield tracedCaseOf(row);
      const last = rows.at(-1);
      if (last === undefined) return;
      place = [text(last.run_id), Number(last.ordinal), Number(last.repeat)];
    }
  }

  async caseIds(): Promise<readonly string[]> {
    const rows = await this.#query("list the cases", "SELECT DISTINCT case_id FROM run_cases", []);
    return rows.map((row) => text(row.case_id));
  }

  async stats(): Promise<StoreStats> {
    const [row] = await this.#query("count what the store holds", statsSql, []);
    return { ...statsOf(row), file_bytes: await this.#fileBytes() };
  }

  /** The size of the file as it is when nothing is left in the log: that of the log depends on when it was last written back. */
  async #fileBytes(): Promise<number | null> {
    if (this.#client.protocol !== "file") return null;
    const [row] = await this.#query("measure the store", fileBytesSql, []);
    return Number(row?.bytes);
  }

  async erase(erasure: Erasure, { dry_run = false } = {}): Promise<Erased> {
    // Another set may get the number of one that is gone.
    this.#knownSets.clear();
    try {
      if (dry_run) return { ...await tellErasure(this.#client, erasure), file_bytes: null };
      const before = await this.#fileBytes();
      const erased = await eraseForGood(this.#client, erasure);
      const after = await this.#fileBytes();
      return { ...erased, file_bytes: before === null || after === null ? null : { before, after } };
    } catch (cause) {
      throw cause instanceof NotTidied
        ? notTidied(this.#place, cause.cause, cause.cause instanceof LogInUse)
        : storeError("erase from the store", this.#place, cause);
    }
  }

  close(): void {
    this.#writer.close();
    this.#client.close();
    this.options.onClose?.();
  }

  async #lookUp(
    sql: string,
    keys: readonly (string | number)[],
    more: readonly InValue[] = [],
  ): Promise<readonly Row[]> {
    return await this.#query("look into the cache", sql, [JSON.stringify(keys), ...more]);
  }

  async #query(action: string, sql: string, args: InValue[]): Promise<readonly Row[]> {
    try {
      return (await this.#client.execute({ sql, args })).rows;
    } catch (cause) {
      throw storeError(action, this.#place, cause);
    }
  }
}
