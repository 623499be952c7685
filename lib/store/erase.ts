/** Erases from a libSQL store: everything that goes is found, counted and taken out in one transaction. */
import type { Client, Transaction } from "@libsql/client";
import type { EntryCounts, Erased, Erasure } from "../domain/erasure.ts";
import {
  type ChosenCases,
  type DocumentMark,
  documentsToErase,
  markDocument,
  withoutCases,
} from "./erased_documents.ts";
import { documentOf, text } from "./rows.ts";
import { parseStored } from "./stored_json.ts";

/** Documents that are read at once: each may hold thousands of cases. */
const DOCUMENT_PAGE = 20;

/** What goes, as the statements need it. */
interface Doomed {
  /** A condition on run_cases; `?1` is `keys`. */
  readonly rows: string;
  /** A JSON list: numbers of runs, or ids of cases. */
  readonly keys: string;
  readonly runs: readonly { readonly number: number; readonly run_id: string; readonly isChild: boolean }[];
  readonly documents: readonly DocumentMark[];
}

/** What is erased from rows; the file is another matter. */
type ErasedRows = Omit<Erased, "file_bytes">;

/** Only tells what would go. */
export async function tellErasure(client: Client, erasure: Erasure): Promise<ErasedRows> {
  const transaction = await client.transaction("read");
  try {
    return await count(transaction, await findDoomed(transaction, erasure), erasure);
  } finally {
    transaction.close();
  }
}

/**
 * Erases for good. Of a file nothing of it is left afterwards, neither on free pages nor in the log; what a server keeps of deleted
 * rows is the server's business.
 */
export async function eraseForGood(client: Client, erasure: Erasure): Promise<ErasedRows> {
  if (client.protocol !== "file") return await eraseRows(client, erasure);
  // What is deleted is overwritten with zeros, in the file and in the log.
  await client.execute("PRAGMA secure_delete = ON");
  // Each deleted entry would be looked for in every row of run_cases, which has no index for it: all is checked at once instead.
  await client.execute("PRAGMA foreign_keys = OFF");
  try {
    const erased = await eraseRows(client, erasure, refuseDangling);
    await giveSpaceBack(client).catch((cause) => {
      throw new NotTidied(cause);
    });
    return erased;
  } finally {
    await client.execute("PRAGMA foreign_keys = ON");
  }
}

async function eraseRows(
  client: Client,
  erasure: Erasure,
  check: (transaction: Transaction) => Promise<void> = () => Promise.resolve(),
): Promise<ErasedRows> {
  const transaction = await client.transaction("write");
  try {
    const doomed = await findDoomed(transaction, erasure);
    const erased = await count(transaction, doomed, erasure);
    await deleteAll(transaction, doomed, erasure);
    await check(transaction);
    await transaction.commit();
    return erased;
  } finally {
    transaction.close();
  }
}

async function refuseDangling(transaction: Transaction): Promise<void> {
  const { rows } = await transaction.execute("PRAGMA foreign_key_check");
  if (rows.length > 0) throw new Error(`${rows.length} references would point to nothing`);
}

/**
 * Writes the file anew without what is free, and empties the log. Both are needed: overwriting leaves pieces behind where cells were
 * moved within their page, and earlier states of pages stand in the log.
 */
async function giveSpaceBack(client: Client): Promise<void> {
  // The new file is built on the disk: a store may be larger than the memory.
  await client.execute("PRAGMA temp_store = FILE");
  // Where there is no room for a second file, the log is emptied all the same.
  const [vacuum] = await Promise.allSettled([client.execute("VACUUM")]);
  const { rows: [row] } = await client.execute("PRAGMA wal_checkpoint(TRUNCATE)");
  if (Number(row?.busy) !== 0) throw new LogInUse();
  if (vacuum.status === "rejected") throw vacuum.reason;
}

/** All rows are erased, but the file could not be written anew, or its log could not be emptied. */
export class NotTidied extends Error {
  constructor(override readonly cause: unknown) {
    super("erased, but not tidied");
  }
}

/** The log could not be emptied: another program was reading the store all the while. */
export class LogInUse extends Error {}

async function findDoomed(transaction: Transaction, erasure: Erasure): Promise<Doomed> {
  const documents = erasure.what === "unused" ? [] : await findDocuments(transaction, erasure);
  if (erasure.what === "cases") {
    const rows = "case_id IN (SELECT value FROM json_each(?1))";
    return { rows, keys: JSON.stringify(erasure.case_ids), runs: [], documents };
  }
  const runs = erasure.what === "runs" ? await findRuns(transaction, erasure.run_ids) : [];
  const rows = "run IN (SELECT value FROM json_each(?1))";
  return { rows, keys: JSON.stringify(runs.map(({ number }) => number)), runs, documents };
}

async function findRuns(transaction: Transaction, run_ids: readonly string[]) {
  const { rows } = await transaction.execute({
    sql: `SELECT number, run_id, kind <> 'run' AS child FROM runs
      WHERE run_id IN (SELECT value FROM json_each(?1))
        OR (kind <> 'run' AND header ->> '$.parent' IN (SELECT value FROM json_each(?1)))
      ORDER BY number`,
    args: [JSON.stringify(run_ids)],
  });
  return rows.map((row) => ({
    number: Number(row.number),
    run_id: text(row.run_id),
    isChild: Number(row.child) === 1,
  }));
}

async function findDocuments(transaction: Transaction, erasure: Erasure): Promise<readonly DocumentMark[]> {
  const marks: DocumentMark[] = [];
  for (let last = 0;;) {
    const { rows } = await transaction.execute({
      sql: `SELECT * FROM documents WHERE number > ? ORDER BY number LIMIT ${DOCUMENT_PAGE}`,
      args: [last],
    });
    for (const row of rows) marks.push(markDocument(Number(row.number), documentOf(row), erasure));
    last = marks.at(-1)?.number ?? 0;
    if (rows.length < DOCUMENT_PAGE) return documentsToErase(marks);
  }
}

/** The tables of entries, and the column of run_cases that points to each. */
const entryTables = [
  ["retrievals", "retrieval"],
  ["generations", "generation"],
  ["judgments", "judgments"],
] as const;

/** What the remaining rows of run_cases point to. */
const keptBy = (column: string, rows: string) =>
  `SELECT ${column} FROM run_cases WHERE ${column} IS NOT NULL AND NOT (${rows})`;

/**
 * The verdicts of judges that go: those on records of which no judgments are left, unless a calibration that stays rests on them. What a
 * judge was measured by was paid for, and no run points to it.
 *
 * @param judgments Which of the judgments stay, as a condition.
 * @param documents Which of the documents stay, as a condition.
 */
const unusedCalls = (judgments: string, documents: string) =>
  `record NOT IN (SELECT record FROM judgments WHERE ${judgments})
    AND record NOT IN (SELECT unhex(labelled.value ->> '$.record') AS hash
      FROM documents, json_each(documents.content, '$.rows') AS labelled
      WHERE documents.kind = 'calibration' AND ${documents} AND hash IS NOT NULL)`;

async function count(transaction: Transaction, doomed: Doomed, erasure: Erasure): Promise<ErasedRows> {
  const { rows, keys, runs, documents } = doomed;
  const counts = (condition: (column: string) => string) =>
    entryTables.map(([table, column]) => `(SELECT count(*) FROM ${table} WHERE ${condition(column)})`);
  const going = counts((column) => `id NOT IN (${keptBy(column, rows)})`);
  const shared = counts((column) =>
    `id IN (SELECT ${column} FROM run_cases WHERE ${rows}) AND id IN (${keptBy(column, rows)})`
  );
  const { rows: [row] } = await transaction.execute({
    sql: `SELECT json_array(
      (SELECT count(*) FROM run_cases WHERE ${rows}), (SELECT count(DISTINCT run) FROM run_cases WHERE ${rows}),
      (SELECT count(*) FROM case_contents WHERE digest NOT IN (${keptBy("case_digest", rows)})),
      (SELECT count(*) FROM judge_calls WHERE ${
      unusedCalls(
        `id IN (${keptBy("judgments", rows)})`,
        "documents.number NOT IN (SELECT value FROM json_each(?2))",
      )
    }), ${[...going, ...shared].join(", ")}) AS counts`,
    args: [keys, JSON.stringify(documents.map(({ number }) => number))],
  });
  const [cases = 0, inRuns = 0, contents = 0, judge_calls = 0, ...entries]: number[] = parseStored(
    text(row?.counts),
  );
  const countsOf = ([retrievals = 0, generations = 0, judgments = 0]: readonly number[]): EntryCounts => ({
    retrievals,
    generations,
    judgments,
  });
  return {
    runs: runs.filter(({ isChild }) => !isChild).map(({ run_id }) => run_id),
    child_runs: runs.filter(({ isChild }) => isChild).map(({ run_id }) => run_id),
    cases,
    runs_with_losses: erasure.what === "cases" ? inRuns : 0,
    documents: [...new Set(documents.map(({ id }) => id))],
    entries: countsOf(entries.slice(0, 3)),
    shared: countsOf(entries.slice(3)),
    judge_calls,
    contents,
  };
}

/** Deletes in an order in which what points goes before what is pointed to. */
async function deleteAll(transaction: Transaction, doomed: Doomed, erasure: Erasure): Promise<void> {
  const { rows, keys, runs, documents } = doomed;
  const unused = ([table, column]: readonly [string, string]) =>
    `DELETE FROM ${table} WHERE id NOT IN (${keptBy(column, "FALSE")})`;
  if (erasure.what === "cases") await markLosses(transaction, erasure.case_ids);
  await transaction.batch([
    { sql: `DELETE FROM run_cases WHERE ${rows}`, args: [keys] },
    ...entryTables.map(unused),
    "DELETE FROM evaluator_sets WHERE number NOT IN (SELECT evaluator_set FROM judgments)",
    "DELETE FROM case_contents WHERE digest NOT IN (SELECT case_digest FROM run_cases)",
    deleteNumbers("runs", runs),
    deleteNumbers("documents", documents),
    `DELETE FROM judge_calls WHERE ${unusedCalls("TRUE", "TRUE")}`,
  ]);
}

function deleteNumbers(table: "runs" | "documents", doomed: readonly { readonly number: number }[]) {
  return {
    sql: `DELETE FROM ${table} WHERE number IN (SELECT value FROM json_each(?))`,
    args: [JSON.stringify(doomed.map(({ number }) => number))],
  };
}

/** Writes into each run how many of its cases are gone, and takes their ids out of the words by which cases were chosen. */
async function markLosses(transaction: Transaction, case_ids: readonly string[]): Promise<void> {
  const keys = JSON.stringify(case_ids);
  await transaction.execute({
    sql: `UPDATE runs SET forgotten = forgotten + (SELECT count(DISTINCT ordinal) FROM run_cases
        WHERE run = runs.number AND case_id IN (SELECT value FROM json_each(?1)))`,
    args: [keys],
  });
  const { rows } = await transaction.execute(
    "SELECT number, header FROM runs",
  );
  for (const row of rows) {
    const remaining = withoutCases(parseStored<ChosenCases>(text(row.header)), case_ids);
    if (remaining === undefined) continue;
    await transaction.execute({
      sql: "UPDATE runs SET header = ? WHERE number = ?",
      args: [JSON.stringify(remaining), Number(row.number)],
    });
  }
}
