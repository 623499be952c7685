/** The numbers of a libSQL store, in one query. */
import type { Row } from "@libsql/client";
import type { EntryStats, StoreStats } from "../domain/store_stats.ts";
import { text } from "./rows.ts";

const entries = (table: string, column: string, sizes: string) =>
  `(SELECT json_array(count(*),
     (SELECT count(DISTINCT ${column}) FROM run_cases), (SELECT count(${column}) FROM run_cases),
     (SELECT count(DISTINCT run) FROM run_cases WHERE ${column} IS NOT NULL), coalesce(sum(${sizes}), 0)) FROM ${table}) AS ${table}`;

const sized = (table: string, sizes: string) =>
  `(SELECT json_array(count(*), coalesce(sum(${sizes}), 0)) FROM ${table}) AS ${table}`;

/** Everything that {@link statsOf} reads. */
export const statsSql = `SELECT
   (SELECT json_array(count(*) FILTER (WHERE kind = 'run'), count(*) FILTER (WHERE kind <> 'run')) FROM runs) AS runs,
   (SELECT count(*) FROM run_cases) AS cases,
   ${sized("case_contents", "octet_length(content)")},
   ${sized("judge_calls", "octet_length(verdict) + coalesce(octet_length(usage), 0)")},
   ${sized("documents", "octet_length(content) + octet_length(beside)")},
   ${entries("retrievals", "retrieval", "octet_length(content) + octet_length(cost)")},
   ${entries("generations", "generation", "octet_length(content) + octet_length(cost)")},
   ${entries("judgments", "judgments", "octet_length(content)")}`;

/** The size of the file, in bytes. */
export const fileBytesSql = "SELECT page_count * page_size AS bytes FROM pragma_page_count, pragma_page_size";

/** The numbers of the row; the size of the file is not among them. */
export function statsOf(row: Row | undefined): Omit<StoreStats, "file_bytes"> {
  const numbers = (column: string): readonly number[] => JSON.parse(text(row?.[column]));
  const [runs = 0, child_runs = 0] = numbers("runs");
  const sizedOf = ([entries = 0, bytes = 0]: readonly number[]) => ({ entries, bytes });
  const entriesOf = (
    [entries = 0, used = 0, cases = 0, runs = 0, bytes = 0]: readonly number[],
  ): EntryStats => (
    { entries, used, cases, runs, bytes }
  );
  return {
    runs,
    child_runs,
    cases: Number(row?.cases),
    contents: sizedOf(numbers("case_contents")),
    judge_calls: sizedOf(numbers("judge_calls")),
    documents: sizedOf(numbers("documents")),
    retrievals: entriesOf(numbers("retrievals")),
    generations: entriesOf(numbers("generations")),
    judgments: entriesOf(numbers("judgments")),
  };
}
