/** The statements that write one batch: one over `json_each` for many rows, which beats a statement a row. */
import type { InStatement } from "@libsql/client";
import type { JudgeCallEntry } from "../domain/judge.ts";
import type { StageCost } from "../domain/record.ts";
import type { Batch, CaseRow } from "../domain/run.ts";
import { encodeAssembly, encodeCache, encodeJudgments } from "./row_codec.ts";

/** About how much JSON text one statement carries, in characters; a larger batch takes several. */
const STATEMENT_SIZE = 4_000_000;

/** What writing a batch needs besides the batch. */
export interface BatchContext {
  /** The numbers of the sets of evaluators that occur in it, by the keys that its judgments have. */
  readonly setNumbers: ReadonlyMap<readonly string[], number>;
  /** Takes secrets out of a text. */
  readonly redact: (text: string) => string;
}

/** The statements of a batch, in an order in which what is pointed to comes first; none for an empty batch. */
export function batchStatements(
  run_number: number,
  batch: Batch,
  { setNumbers, redact }: BatchContext,
): readonly InStatement[] {
  const insert = (sql: string, rows: readonly (readonly Column[])[]) => insertAll(sql, rows, redact);
  return [
    ...insert(
      `INSERT OR IGNORE INTO case_contents SELECT unhex(value ->> 0), value ->> 1 FROM json_each(?)`,
      batch.cases.map((row) => [row.case_digest, row.case_text]),
    ),
    ...insert(
      `INSERT INTO retrievals SELECT value ->> 0, unhex(value ->> 1), value ->> 2, value ->> 3 FROM json_each(?)`,
      batch.retrievals.map((entry) => entryRow(entry, JSON.stringify(entry.retrieval))),
    ),
    ...insert(
      `INSERT INTO generations SELECT value ->> 0, unhex(value ->> 1), value ->> 2, value ->> 3 FROM json_each(?)`,
      batch.generations.map((entry) => entryRow(entry, JSON.stringify(entry.output))),
    ),
    ...insert(
      `INSERT INTO judgments SELECT value ->> 0, unhex(value ->> 1), value ->> 2, value ->> 3 FROM json_each(?)`,
      batch.judgments.map((entry) => [
        entry.id,
        entry.record,
        setNumbers.get(entry.evaluators) ?? null,
        encodeJudgments(entry.judgments),
      ]),
    ),
    ...insert(
      `INSERT INTO run_cases SELECT ${run_number}, value ->> 0, value ->> 1, value ->> 2, unhex(value ->> 3),
         unhex(value ->> 4), value ->> 5, value ->> 6, value ->> 7, value ->> 8, value ->> 9, value ->> 10, value ->> 11
       FROM json_each(?)`,
      batch.cases.map(caseColumns),
    ),
  ];
}

/** The statements that keep verdicts of judges. */
export function judgeCallStatements(
  entries: readonly JudgeCallEntry[],
  redact: (text: string) => string,
): readonly InStatement[] {
  return insertAll(
    `INSERT INTO judge_calls (identity, record, run_id, verdict, usage)
     SELECT unhex(value ->> 0), unhex(value ->> 1), value ->> 2, value ->> 3, value ->> 4 FROM json_each(?)`,
    entries.map(({ identity, record, run_id, verdict, usage }) => [
      identity,
      record,
      run_id ?? null,
      JSON.stringify(verdict),
      usage === undefined ? null : JSON.stringify(usage),
    ]),
    redact,
  );
}

type Column = string | number | null;

/** One statement over `json_each` for many rows; several when the rows together are too long for one. */
function insertAll(
  sql: string,
  rows: readonly (readonly Column[])[],
  redact: (text: string) => string,
): readonly InStatement[] {
  const statements: InStatement[] = [];
  let texts: string[] = [];
  let size = 0;
  const close = () => {
    if (texts.length > 0) statements.push({ sql, args: [`[${texts.join(",")}]`] });
    texts = [];
    size = 0;
  };
  for (const row of rows) {
    const line = redact(JSON.stringify(row));
    if (size + line.length > STATEMENT_SIZE) close();
    texts.push(line);
    size += line.length;
  }
  close();
  return statements;
}

function entryRow(
  entry: { readonly id: number; readonly identity: string; readonly cost: StageCost },
  content: string,
) {
  return [entry.id, entry.identity, content, JSON.stringify(entry.cost)];
}

function caseColumns(row: CaseRow): Column[] {
  return [
    row.ordinal,
    row.repeat,
    row.case.id,
    row.case_digest,
    row.execution,
    row.retrieval_id ?? null,
    row.generation_id ?? null,
    row.judgments_id,
    row.assembly === undefined ? null : encodeAssembly(row.assembly, row.candidates ?? []),
    row.error === undefined ? null : JSON.stringify(row.error),
    encodeCache(row.cache),
    row.judge_calls === undefined ? null : JSON.stringify(row.judge_calls),
  ];
}
