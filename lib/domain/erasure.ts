/** Erasing: what is taken out of a store for good, and what that came to. */

/** What shall be erased. */
export type Erasure =
  /** Runs of kind `run`, with the child runs that re-execute their cases and every document about them. */
  | { readonly what: "runs"; readonly run_ids: readonly string[] }
  /** Cases in all runs, with every document that names one of them. The runs stay, and say how many cases they lost. */
  | { readonly what: "cases"; readonly case_ids: readonly string[] }
  /** Nothing but entries that no run points to. */
  | { readonly what: "unused" };

/** Numbers of entries by their kind. */
export interface EntryCounts {
  /** What retrievers returned. */
  readonly retrievals: number;
  /** What generators answered. */
  readonly generations: number;
  /** Sets of judgments, one for a judged record. */
  readonly judgments: number;
}

/** What was erased, or would be. */
export interface Erased {
  /** Ids of the runs, the oldest first; child runs are counted apart. */
  readonly runs: readonly string[];
  /** Ids of the child runs that went with them. */
  readonly child_runs: readonly string[];
  /** Finished cases: a case in two runs counts twice, and so does a repeat. */
  readonly cases: number;
  /** Runs that stay and lost cases. */
  readonly runs_with_losses: number;
  /** Ids of the diagnoses and comparisons, each once. */
  readonly documents: readonly string[];
  /** Entries that no run points to afterwards: nobody could tell any more whose they were. */
  readonly entries: EntryCounts;
  /** Entries that erased cases pointed to and that stay, since other cases point to them, too. */
  readonly shared: EntryCounts;
  /** Remembered verdicts of judges on records of which neither judgments nor calibrations are left. */
  readonly judge_calls: number;
  /** Contents of cases (input, expectation, metadata) that no run points to afterwards. */
  readonly contents: number;
  /** The size of the file once its log is written into it; null where nothing was erased, or the store is no file of this machine. */
  readonly file_bytes: { readonly before: number; readonly after: number } | null;
}
