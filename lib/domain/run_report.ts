/** What is told of a run: the value of `run` and of inspecting a run, printed as text or as JSON. */
import type { Json } from "./json.ts";
import type { Metric, SliceMetrics } from "./metric.ts";
import type { Judgment } from "./judgment.ts";
import type { DropReason } from "./passage.ts";
import type { CaseRecord, CountedStage, FailureKind, StageName, Usage } from "./record.ts";
import type { RelevanceUnit } from "./relevance.ts";
import type { CaseCache, JudgeCallCount, RunStatus, StoredCase } from "./run.ts";
import type { SystemSettings } from "./settings.ts";

/** Hits and misses of a cache. */
export interface HitCount {
  /** Results found in the store, or shared with equal work under way. */
  readonly hit: number;
  /** Results that had to be made; failed attempts to make one count here. */
  readonly miss: number;
}

/** A failed execution. */
export interface CaseFailure {
  /** The case whose execution ended early; its judgments are missing with `execution_failed`. */
  readonly case_id: string;
  /** The 1-based repeat that failed; absent where each case is executed once. */
  readonly repeat?: number;
  /** The stage that did not deliver; later ones were not called. */
  readonly stage: StageName;
  /** Whether it threw, took too long, or returned something that is not of its shape. */
  readonly kind: FailureKind;
  /** What was thrown, or what does not fit; cut after 2,000 characters. */
  readonly message: string;
}

/** Time and use of the calls of one stage that really ran, failed ones too; latencies are null where there was none. */
export interface StageUse {
  /** Calls of this run, failed ones too; cache hits are no calls. */
  readonly calls: number;
  /** Median latency in milliseconds, by the nearest rank: a latency that was measured. */
  readonly latency_p50_ms: number | null;
  /** 95th percentile in milliseconds, by the nearest rank; the slowest call when there are under 20. */
  readonly latency_p95_ms: number | null;
  /** Tokens and dollars, those of failed calls included; a key is absent when no call reported it. */
  readonly usage: Usage;
}

/** What a run did besides judging. */
export interface RunAccount {
  /** Executions are counted by case (and repeat), judgments by execution and evaluator. */
  readonly cache: { readonly execution: HitCount; readonly judgment: HitCount };
  /**
   * By stage and execution: retrieve and generate, or answer for a system of one stage, or none for recorded outputs. A stage that
   * was not reached counts nowhere.
   */
  readonly stages: { readonly [Stage in CountedStage]?: HitCount };
  /** Questions to judges; absent when no evaluator asks one. A judgment that is found is a hit of the question behind it. */
  readonly judge_calls?: JudgeCallCount;
  /** In the order of the run's cases. */
  readonly failures: readonly CaseFailure[];
  /** Time and use by stage; what a cache hit once took is not in it. Recorded outputs: what their records say, as `answer`. */
  readonly usage: { readonly [Stage in CountedStage]?: StageUse };
}

/** What a retry took over from the run that it retries, and what it executed again. Both count executions. */
export interface RetryAccount {
  /** The run whose failures were executed again. */
  readonly of: string;
  /** Finished executions that had not failed there, carried as they were. */
  readonly carried: number;
  /** Finished executions that were made in this run, or found in the cache. */
  readonly executed: number;
}

/**
 * The evidence funnel: how many relevant units were retrieved, stood within top-k, and reached the context, over the cases that
 * have labels and were executed to the end.
 */
export interface Funnel {
  /** Whether documents or chunks are counted below. */
  readonly unit: RelevanceUnit;
  /** Cases counted: with a relevant unit, executed to the end, with the chunk ids that the unit asks for. */
  readonly cases: number;
  /** Relevant units of these cases; the same unit in two cases counts twice. */
  readonly relevant: number;
  /** Of `relevant`, those at any position among the candidates; null when the system does not report them. */
  readonly retrieved: number | null;
  /** Of `relevant`, those at a position from 1 to top_k; null when candidates or top_k are not known. */
  readonly within_top_k: number | null;
  /** Of `relevant`, those of which generate received a passage; null when the system does not report its context. */
  readonly in_context: number | null;
  /** Where the relevant units stand and what became of them; they add up to `relevant`. Null when there are no positions to tell. */
  readonly positions: readonly UnitPosition[] | null;
}

/** Relevant units at one position that met one fate. */
export interface UnitPosition {
  /** The first position of the unit among the candidates, from 1; null = it is not among them. */
  readonly position: number | null;
  /** Why it did not reach the context, or that it did; `not_known` when the system does not report its context. */
  readonly fate: "in_context" | DropReason | "not_retrieved" | "not_known";
  /** How many, at least 1. */
  readonly units: number;
}

/** Something about a run that its figures do not show. A `problem` makes the command fail after it has printed. */
export interface Notice {
  /** `notice`: worth knowing, exit 0; `problem`: a mistake that only the results could show, exit 2. */
  readonly severity: "notice" | "problem";
  /** A stable snake_case name for scripts, such as `no_labelled_id_retrieved`. */
  readonly code: string;
  /** What was seen, with counts and values, without a final period. */
  readonly message: string;
  /** What to do about it; absent when there is nothing to suggest. */
  readonly hint?: string;
}

/** Why judgments of a criterion are absent, and in how many cases. */
export interface Absence {
  /** The criterion whose judgments they are. */
  readonly criterion: string;
  /** Missing: it should be there. Excluded: the evaluator does not apply. */
  readonly status: "missing" | "excluded";
  /** A stable word, for example `execution_failed` or `no_relevance_labels`. */
  readonly reason: string;
  /** Cases with this reason, at least 1. */
  readonly cases: number;
}

/** A run's figures. Estimates and bounds are fractions; null where nothing was observed. */
export interface RunReport extends RunAccount {
  /** `run_` and a ULID; what `inspect`, `cases` and the command line take. */
  readonly run_id: string;
  /** The label given to the run; null when it has none. */
  readonly name: string | null;
  /** `running` is also that of a run whose process died. */
  readonly status: RunStatus;
  /** ISO 8601, UTC. */
  readonly started_at: string;
  /** The settings in force, `set` included; the digest is null when the version stands for the code. */
  readonly system: SystemSettings & { readonly source_digest: string | null };
  /** Finished cases, with all their repeats; fewer than `planned_cases` when the run was interrupted. */
  readonly cases: number;
  /** Cases that the run set out to execute: the project's, less those not selected. */
  readonly planned_cases: number;
  /** How often each case is executed. Its repeats are averaged first: metrics, slices and absences count cases. */
  readonly repeats: number;
  /** Of a retry, what it carried and what it executed; null of any other run. */
  readonly retry: RetryAccount | null;
  /** Of these, the ones that were finished and then erased; they are in no figure. */
  readonly forgotten_cases: number;
  /** How the cases were chosen, in words of the command line (`--limit 5`); empty = all. */
  readonly selection: readonly string[];
  /** One per evaluator, in the project's order; empty without evaluators. */
  readonly metrics: readonly Metric[];
  /** Every value of every slice, in the project's order; within a slice by number, then by text. */
  readonly slices: readonly SliceMetrics[];
  /** Cases from which a slice has metrics; below it they are null. */
  readonly min_slice_support: number;
  /** Counts alone, over labelled cases that finished; all 0 when there are none. */
  readonly funnel: Funnel;
  /** Why judgments are missing or excluded; empty when all are observed. */
  readonly absences: readonly Absence[];
  /** Criteria with at least one observed pass or fail, in the evaluators' order. */
  readonly pass_fail_criteria: readonly string[];
  /** Criteria that some execution observably failed, in the evaluators' order. */
  readonly failed_criteria: readonly string[];
  /** That old retrievals were reused is told by `run` alone, not when the run is inspected later. */
  readonly notices: readonly Notice[];
}

/** One run in a list. */
export interface RunSummary {
  /** `run_` and a ULID; what `inspect` and `cases` take. */
  readonly run_id: string;
  /** The label given to the run; null when it has none. */
  readonly name: string | null;
  /** `running` is also that of a run whose process died. */
  readonly status: RunStatus;
  /** ISO 8601, UTC. */
  readonly started_at: string;
  /** Which system was run; all its settings are in the run's report. */
  readonly system: { readonly name: string; readonly version: string };
  /** Finished cases; fewer than `planned_cases` while running or when interrupted. */
  readonly cases: number;
  /** Cases that the run set out to execute. */
  readonly planned_cases: number;
  /** How often each case is executed. */
  readonly repeats: number;
  /** Of these, the ones that were finished and then erased. */
  readonly forgotten_cases: number;
  /** The filters of the command line that chose the cases; empty when all were run. */
  readonly selection: readonly string[];
}

/** A case that observably failed a criterion. */
export interface FailedCase {
  /** The failed case; `inspect` shows it whole. */
  readonly case_id: string;
  /** The 1-based repeat that failed; absent where each case is executed once. */
  readonly repeat?: number;
  /** The value at the evaluator's `expected_field`, or the whole expectation; null when absent. */
  readonly expected: Json;
  /** The value at the evaluator's `field`, or the whole output; null when absent. */
  readonly got: Json;
  /** What the evaluator says of it, for example where each citation points; null when it says nothing more. */
  readonly details: Json;
  /** Best position of a relevant unit among the candidates: a number, `none`, `unlabelled` or `absent`. */
  readonly relevant_position: string;
}

/** The value of one setting from which a dropped candidate would enter the context, all else unchanged. */
export interface EntryCondition {
  /** The dropped candidate's 1-based place among the candidates. */
  readonly position: number;
  /** The limit that kept the candidate out. */
  readonly setting: "top_k" | "token_budget";
  /** The smallest such value, in tokens for `token_budget`; for `top_k` the budget must have room, too. */
  readonly from: number;
}

/** One case of a run, whole. */
export interface InspectedCase {
  /** The unit by which the run counts relevance. */
  readonly relevance_unit: RelevanceUnit;
  /** The run's whole id, however it was shortened in the question. */
  readonly run_id: string;
  /** The 1-based repeat; absent where each case is executed once. */
  readonly repeat?: number;
  /** Input, candidates, context, output and failure, as far as the execution came. */
  readonly record: CaseRecord;
  /** One per dropped candidate that a larger setting would admit; none for `left_out_by_system`. */
  readonly entry: readonly EntryCondition[];
  /** One per evaluator, in the project's order. */
  readonly judgments: readonly { readonly criterion: string; readonly judgment: Judgment }[];
  /** Which results were found and which were made in this run. */
  readonly cache: CaseCache;
  /** By stage; a hit keeps those of the original call, a stage that did not finish is absent. */
  readonly costs: StoredCase["costs"];
}

/** What `validate` says of a project without mistakes. */
export interface Validation {
  /** The project file; null for a project defined in code. */
  readonly project: string | null;
  /** Cases of the project, every one of them checked. */
  readonly cases: number;
  /** How often a run executes each of them. */
  readonly repeats: number;
  /** In the project's order; `applies_to` and `excluded` add up to `cases`. */
  readonly evaluators: readonly {
    readonly criterion: string;
    readonly type: string;
    /** Cases that it can judge. */
    readonly applies_to: number;
    readonly excluded: number;
  }[];
  /** Of recorded outputs: the cases that have a record, and the records that are of no case. */
  readonly records?: { readonly cases: number; readonly unused: number };
  /** With a corpus: the cases with a gold context of their own, with one from the corpus, and with none. */
  readonly gold_context?: { readonly own: number; readonly from_corpus: number; readonly none: number };
  /** What is no mistake and yet suspect, such as cases that no evaluator can judge. */
  readonly notices: readonly Notice[];
}

/** What `init` made. */
export interface InitializedProject {
  /** The folder as the user would type it. */
  readonly folder: string;
  readonly files: readonly { readonly name: string; readonly holds: string }[];
  /** A command for the folder, to be run before the first run; absent = none is needed. */
  readonly first?: string;
}

/** What `import` made. */
export interface ImportedProject extends InitializedProject {
  readonly cases: number;
  /** Passages of the corpus. */
  readonly passages: number;
  /** Recorded answers; 0 where the source holds none. */
  readonly records: number;
  /** What was left out and why, and what was taken for something else. */
  readonly notices: readonly Notice[];
}
