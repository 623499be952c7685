/** Ports: the outside as the pure rooms see it. Implementations live on the top floor; tests bring their own. */
import type { Case } from "./case.ts";
import type { Comparison } from "./comparison.ts";
import type { Diagnosis } from "./diagnosis.ts";
import type { Erased, Erasure } from "./erasure.ts";
import type { Json } from "./json.ts";
import type { Calibration } from "./calibration.ts";
import type { JudgeCallEntry, JudgePort } from "./judge.ts";
import type { Judgment } from "./judgment.ts";
import type { CaseRecord } from "./record.ts";
import type {
  Batch,
  CaseCache,
  CasePlace,
  ExecutionEntry,
  GenerationEntry,
  JudgmentEntry,
  RetrievalEntry,
  RunHeader,
  RunStatus,
  StoredCase,
  TracedCase,
} from "./run.ts";
import type { StoreStats } from "./store_stats.ts";
import type { Sweep } from "./sweep.ts";

/** Time, as far as the program reads it. */
export interface Clock {
  /** Milliseconds since 1970, for stamps. */
  now(): number;
  /** Milliseconds that only go forward, for durations. */
  elapsed(): number;
  /** Resolves after so many milliseconds; rejects when the signal fires first. */
  wait(milliseconds: number, signal?: AbortSignal): Promise<void>;
}

/** What a pattern found: the capture groups of each match (0 = the whole match), or that its time ran out. */
export type PatternResult =
  | { readonly status: "done"; readonly matches: readonly (readonly (string | undefined)[])[] }
  | { readonly status: "timed_out" };

/** Regular expressions with a time limit: a hostile text must not stop a run. */
export interface Patterns {
  /** The first match alone, or all of them. The pattern was checked before. */
  find(pattern: string, flags: string, text: string, which: "first" | "all"): PatternResult;
}

/** What evaluators may ask of the outside. */
export interface EvaluatorPorts {
  readonly patterns: Patterns;
  /** Fires when the run is interrupted; judging that ends by its reason was not judged. */
  readonly stop?: AbortSignal;
  /** Calls the user's function `module:export`; throws what it throws. */
  callFunction(object: string, record: CaseRecord): Promise<unknown>;
  /** Asks a judge; absent where no evaluator has one. */
  readonly judge?: JudgePort;
}

/**
 * Where runs and evidence are kept. Evidence is only ever added, until it is erased; a batch is written whole or
 * not at all.
 * Every implementation passes the one contract suite in tests/store/.
 *
 * A run is written by its newest attempt alone: whoever began it has attempt 1, each resumption makes the next. What an older
 * attempt still wants to write is refused whole with `run_taken_over`; with `run_gone` where the store has no such run (any more).
 */
export interface Store {
  /** Adds a run and answers its number: entry ids of the run are `number * 2 ** 24 + 0, 1, 2, …`. */
  beginRun(run: RunHeader): Promise<number>;
  /** Makes the caller the one who writes a run, which is running again. @throws {OloproofError} `run_gone`. */
  resumeRun(run_id: string): Promise<ResumedRun>;
  /** Sets a run's status, the one thing that is ever updated. */
  finishRun(run_id: string, status: RunStatus, finished_at: string, attempt?: number): Promise<void>;
  append(run_number: number, batch: Batch, attempt?: number): Promise<void>;
  /** Adds finished cases of another run as they are, pointing to the same entries; `cache` takes the place of their outcomes. */
  carryCases(run_number: number, carried: CarriedCases, attempt?: number): Promise<void>;

  /**
   * Whether the store lacks all evidence under an identity, as far as that is known without looking: then nothing need be asked of it.
   * What another process writes at this moment may be overlooked.
   */
  surelyLacks(identity: string): boolean;
  /** The newest complete execution under each identity that has one; of one run alone where `of_run` is its number. */
  findExecutions(
    identities: readonly string[],
    of_run?: number,
  ): Promise<ReadonlyMap<string, ExecutionEntry>>;
  /** The newest under each identity; of those that one run made where `of_run` is its number. */
  findRetrievals(
    identities: readonly string[],
    of_run?: number,
  ): Promise<ReadonlyMap<string, RetrievalEntry>>;
  findGenerations(
    identities: readonly string[],
    of_run?: number,
  ): Promise<ReadonlyMap<string, GenerationEntry>>;
  /** All judgment entries of each record, the newest first. */
  findJudgments(records: readonly string[]): Promise<ReadonlyMap<string, readonly JudgmentEntry[]>>;
  /** The newest remembered verdict under each identity that has one. */
  findJudgeCalls(identities: readonly string[]): Promise<ReadonlyMap<string, JudgeCallEntry>>;
  /** Keeps verdicts of judges. They belong to no run: whoever asks the same is answered by them. */
  addJudgeCalls(entries: readonly JudgeCallEntry[]): Promise<void>;
  /** The source digest of the run that made each entry. */
  sourceDigests(entry_ids: readonly number[]): Promise<ReadonlyMap<number, string | null>>;

  /** Runs of kind `run`, the newest first, with the number of cases that each has finished. */
  listRuns(limit?: number): Promise<readonly StoredRun[]>;
  /** Runs of every kind whose id begins with the prefix, the newest first. */
  matchRuns(prefix: string): Promise<readonly StoredRun[]>;
  /** The newest runs of every kind, the newest first. */
  newestRuns(limit: number): Promise<readonly RunHeader[]>;
  /** The finished cases of a run in the order of the run's cases and of their repeats, read as they are consumed. */
  readCases(run_id: string): AsyncIterable<StoredCase>;
  /** The finished repeats of one case in their order; empty when the run has not finished it, or has no such case. */
  readCase(run_id: string, case_id: string): Promise<readonly StoredCase[]>;

  /**
   * What a comparison needs of a run's finished cases, far less than {@link Store.readCases}; the repeats of a case stand together.
   */
  readOutcomes(run_id: string): AsyncIterable<CaseOutcomes>;
  /** The contents of cases by their digests. */
  readContents(digests: readonly string[]): Promise<ReadonlyMap<string, CaseContent>>;

  addDocument(document: StoredDocument): Promise<void>;
  /** The newest document of each id that begins with the prefix. */
  matchDocuments(prefix: string): Promise<readonly StoredDocument[]>;
  /** The newest document that answers a question about a run. */
  newestDocument(run_id: string, question: string): Promise<StoredDocument | undefined>;
  /** All documents about a run, the newest first. */
  documentsOf(run_id: string): Promise<readonly StoredDocument[]>;
  /** All documents that answer a question, whatever run they are about, the newest first. */
  documentsAnswering(question: string): Promise<readonly StoredDocument[]>;

  /** A finished case of a run with the identities of its work; of its repeats the first. */
  traceCase(run_id: string, case_id: string): Promise<TracedCase | undefined>;
  /** The finished cases with an equal input of the runs of kind `run` that began before a run, those of the newest run first. */
  traceInput(input: Json, before_run: string): AsyncIterable<TracedCase>;
  /** The ids of all finished cases, each once. */
  caseIds(): Promise<readonly string[]>;
  stats(): Promise<StoreStats>;
  /**
   * Erases for good, whole or not at all: nothing of it is left in the store, nor what no run points to afterwards. No other
   * process may use the store meanwhile. `dry_run` only tells what would go.
   */
  erase(erasure: Erasure, options?: { readonly dry_run?: boolean }): Promise<Erased>;
  close(): void;
}

/** A run that goes on. */
export interface ResumedRun {
  readonly number: number;
  /** What the caller writes as from now on. */
  readonly attempt: number;
  /** The next entry of the run has the id `number * 2 ** 24 + next_entry`. */
  readonly next_entry: number;
  readonly orphans: Orphans;
}

/**
 * Ids of entries that a run made and that none of its finished cases counts as made: their case was under way when the run
 * ended. They are good, and whoever uses them first is the one who made them.
 */
export interface Orphans {
  readonly retrievals: readonly number[];
  readonly generations: readonly number[];
  readonly judgments: readonly number[];
}

/** Finished cases that another run takes over. */
export interface CarriedCases {
  /** The run that they are carried from. */
  readonly from: string;
  readonly places: readonly CasePlace[];
  readonly cache: CaseCache;
}

/** The judgments of one finished case, and the digest of its content. */
export interface CaseOutcomes {
  readonly case_id: string;
  readonly repeat: number;
  readonly case_digest: string;
  /** In the order of the run's evaluators. */
  readonly judgments: readonly Judgment[];
}

/** The part of a case that is stored once, however many runs execute it. */
export type CaseContent = Omit<Case, "id">;

/** A result that is kept under the hash of its content. */
export type StoredDocument =
  & {
    /** `sha256:` and 64 hexadecimal digits. */
    readonly id: string;
    /** The run that it is about; of a comparison, the candidate; empty for a calibration that is about none. */
    readonly run_id: string;
    /** What was asked: equal questions about one run have equal texts. */
    readonly question: string;
  }
  & (
    | {
      readonly kind: "diagnosis";
      readonly content: Diagnosis["content"];
      /** What stands beside the content, outside the hash. */
      readonly beside: Omit<Diagnosis, "diagnosis_id" | "content">;
    }
    | {
      readonly kind: "comparison";
      readonly content: Comparison["content"];
      readonly beside: Omit<Comparison, "comparison_id" | "content">;
    }
    | {
      readonly kind: "sweep";
      readonly content: Sweep["content"];
      readonly beside: Omit<Sweep, "sweep_id" | "content">;
    }
    | {
      readonly kind: "calibration";
      readonly content: Calibration["content"];
      readonly beside: Omit<Calibration, "calibration_id" | "content">;
    }
  );

/** A run in the store and how many of its cases are finished. */
export interface StoredRun {
  /** Tells whose entries are whose: see {@link Store.beginRun}. */
  readonly number: number;
  readonly header: RunHeader;
  /** Cases of which all repeats are finished. */
  readonly finished_cases: number;
}

/** Entry ids of one run; more than this many entries of a kind cannot be told apart. */
export const ENTRIES_PER_RUN = 2 ** 24;
