/** What an erasure takes out of a store in memory. */
import type { EntryCounts, Erased, Erasure } from "../domain/erasure.ts";
import type { JudgeCallEntry } from "../domain/judge.ts";
import type { StoredDocument } from "../domain/ports.ts";
import type { CaseRow, RunHeader } from "../domain/run.ts";
import { documentsToErase, markDocument } from "./erased_documents.ts";

/** A row of a run, by the run's number. */
export interface NumberedRow {
  readonly number: number;
  readonly row: CaseRow;
}

/** Everything that a store in memory holds. */
export interface MemoryContent {
  readonly runs: ReadonlyMap<number, RunHeader>;
  readonly rows: readonly NumberedRow[];
  /** Retrievals, generations and judgments. */
  readonly tables: readonly ReadonlyMap<number, unknown>[];
  readonly judgments: ReadonlyMap<number, { readonly record: string }>;
  readonly judgeCalls: readonly JudgeCallEntry[];
  readonly contents: ReadonlyMap<string, unknown>;
  readonly documents: readonly StoredDocument[];
}

/** What goes: numbers of runs, rows, ids of entries in the order of the tables, digests of contents, places of documents. */
export interface Doomed {
  readonly runs: readonly number[];
  readonly rows: readonly NumberedRow[];
  readonly entries: readonly (readonly number[])[];
  readonly contents: readonly string[];
  readonly documents: ReadonlySet<number>;
  /** The verdicts of judges that stay. */
  readonly judgeCalls: readonly JudgeCallEntry[];
  readonly erased: Erased;
}

/** The entries of a row, in the order of the tables. */
const entriesOf = (row: CaseRow) => [row.retrieval_id, row.generation_id, row.judgments_id];

/** Finds what goes, and counts it. */
export function findDoomed(content: MemoryContent, erasure: Erasure): Doomed {
  const runs = [...content.runs].filter(([, run]) => isRunOf(run, erasure));
  const numbers = new Set(runs.map(([number]) => number));
  const { going = [], kept = [] } = Object.groupBy(
    content.rows,
    ({ number, row }) =>
      numbers.has(number) || (erasure.what === "cases" && erasure.case_ids.includes(row.case.id))
        ? "going"
        : "kept",
  );
  const marks = content.documents.map((document, index) => markDocument(index, document, erasure));
  const documents = documentsToErase(marks);
  const idsOf = (rows: readonly NumberedRow[]) =>
    content.tables.map((_, index) => new Set(rows.flatMap(({ row }) => entriesOf(row)[index] ?? [])));
  const [before, after] = [idsOf(going), idsOf(kept)];
  const entries = content.tables.map((table, index) =>
    [...table.keys()].filter((id) => !after[index]?.has(id))
  );
  const digests = new Set(kept.map(({ row }) => row.case_digest));
  const contents = [...content.contents.keys()].filter((digest) => !digests.has(digest));
  const gone = new Set(documents.map(({ number }) => number));
  const judgeCalls = keptCalls(content, new Set(entries[2]), gone);
  const namesOf = (isChild: boolean) =>
    runs.filter(([, { kind }]) => (kind !== "run") === isChild).map(([, { run_id }]) => run_id);
  return {
    runs: [...numbers],
    rows: going,
    entries,
    contents,
    documents: gone,
    judgeCalls,
    erased: {
      runs: namesOf(false),
      child_runs: namesOf(true),
      cases: going.length,
      runs_with_losses: erasure.what === "cases" ? new Set(going.map(({ number }) => number)).size : 0,
      documents: [...new Set(documents.map(({ id }) => id))],
      entries: countsOf(entries.map(({ length }) => length)),
      shared: countsOf(before.map((ids, index) => [...ids].filter((id) => after[index]?.has(id)).length)),
      judge_calls: content.judgeCalls.length - judgeCalls.length,
      contents: contents.length,
      file_bytes: null,
    },
  };
}

/** Verdicts on records of which judgments stay, or on which a calibration rests that stays. */
function keptCalls(
  { judgments, judgeCalls, documents }: MemoryContent,
  goneJudgments: ReadonlySet<number>,
  goneDocuments: ReadonlySet<number>,
): readonly JudgeCallEntry[] {
  const records = new Set([
    ...[...judgments].flatMap(([id, { record }]) => goneJudgments.has(id) ? [] : [record]),
    ...documents.flatMap((document, index) =>
      document.kind === "calibration" && !goneDocuments.has(index)
        ? document.content.rows.map(({ record }) => record)
        : []
    ),
  ]);
  return judgeCalls.filter(({ record }) => records.has(record));
}

function isRunOf({ run_id, kind, parent }: RunHeader, erasure: Erasure): boolean {
  if (erasure.what !== "runs") return false;
  const isChild = kind !== "run" && parent !== undefined && erasure.run_ids.includes(parent);
  return isChild || erasure.run_ids.includes(run_id);
}

function countsOf([retrievals = 0, generations = 0, judgments = 0]: readonly number[]): EntryCounts {
  return { retrievals, generations, judgments };
}
