/** What a store holds, in numbers. */

/** Entries of one kind: pieces of evidence, each stored once. */
export interface EntryStats {
  /** All of them. */
  readonly entries: number;
  /** Those that a finished case points to. */
  readonly used: number;
  /** Finished cases that point to one of them. */
  readonly cases: number;
  /** Runs that these cases are of. */
  readonly runs: number;
  /** Bytes of their content, without what the database adds. */
  readonly bytes: number;
}

/** The numbers of a store. */
export interface StoreStats {
  /** Runs of projects. */
  readonly runs: number;
  /** Runs that re-execute cases for diagnoses. */
  readonly child_runs: number;
  /** Finished cases of all runs; a case in two runs counts twice, and so does a repeat. */
  readonly cases: number;
  /** Different contents of cases (input, expectation, metadata): each is stored once. */
  readonly contents: { readonly entries: number; readonly bytes: number };
  /** Remembered verdicts of judges. */
  readonly judge_calls: { readonly entries: number; readonly bytes: number };
  /** Diagnoses, comparisons, calibrations and sweeps. */
  readonly documents: { readonly entries: number; readonly bytes: number };
  /** What retrievers returned. */
  readonly retrievals: EntryStats;
  /** What generators answered. */
  readonly generations: EntryStats;
  /** Sets of judgments, one for a judged record. */
  readonly judgments: EntryStats;
  /** Bytes of the file once its log is written into it; null where the store is no file of this machine. */
  readonly file_bytes: number | null;
}
