/** What is told of a run: the value of `run` and of inspecting a run, printed as text or as JSON. */
import type { Json } from "./json.ts";
import type { Metric, SliceMetrics } from "./metric.ts";
import type { Judgment } from "./judgment.ts";
import type { CaseRecord, FailureKind, StageName, Usage } from "./record.ts";
import type { RelevanceUnit } from "./relevance.ts";
import type { CaseCache, RunStatus, StoredCase } from "./run.ts";
import type { SystemSettings } from "./settings.ts";

/** Hits and misses of a cache. */
export interface HitCount {
  readonly hit: number;
  readonly miss: number;
}

/** A failed execution. */
export interface CaseFailure {
  readonly case_id: string;
  readonly stage: StageName;
  readonly kind: FailureKind;
  readonly message: string;
}

/** Time and use of the calls of one stage that really ran and succeeded; latencies are null where there was none. */
export interface StageUse {
  readonly calls: number;
  readonly latency_p50_ms: number | null;
  readonly latency_p95_ms: number | null;
  readonly usage: Usage;
}

/** What a run did besides judging. */
export interface RunAccount {
  readonly cache: { readonly execution: HitCount; readonly judgment: HitCount };
  readonly stages: { readonly retrieve: HitCount; readonly generate: HitCount };
  /** In the order of the run's cases. */
  readonly failures: readonly CaseFailure[];
  readonly usage: { readonly retrieve: StageUse; readonly generate: StageUse };
}

/**
 * The evidence funnel: how many relevant units were retrieved, stood within top-k, and reached the context, over the cases that
 * have labels and were executed to the end.
 */
export interface Funnel {
  readonly unit: RelevanceUnit;
  readonly cases: number;
  readonly relevant: number;
  readonly retrieved: number;
  readonly within_top_k: number;
  readonly in_context: number;
}

/** Something about a run that its figures do not show. A `problem` makes the command fail after it has printed. */
export interface Notice {
  readonly severity: "notice" | "problem";
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
}

/** A run's figures. Estimates and bounds are fractions; null where nothing was observed. */
export interface RunReport extends RunAccount {
  readonly run_id: string;
  readonly name: string | null;
  readonly status: RunStatus;
  readonly started_at: string;
  readonly system: SystemSettings & { readonly source_digest: string | null };
  /** Finished cases; fewer than `planned_cases` when the run was interrupted. */
  readonly cases: number;
  readonly planned_cases: number;
  readonly selection: readonly string[];
  readonly metrics: readonly Metric[];
  readonly slices: readonly SliceMetrics[];
  readonly min_slice_support: number;
  readonly funnel: Funnel;
  /** Criteria that some case observably failed, in the evaluators' order. */
  readonly failed_criteria: readonly string[];
  readonly notices: readonly Notice[];
}

/** One run in a list. */
export interface RunSummary {
  readonly run_id: string;
  readonly name: string | null;
  readonly status: RunStatus;
  readonly started_at: string;
  readonly system: { readonly name: string; readonly version: string };
  readonly cases: number;
  readonly planned_cases: number;
}

/** A case that observably failed a criterion. */
export interface FailedCase {
  readonly case_id: string;
  readonly expected: Json;
  readonly got: Json;
  /** Best position of a relevant unit among the candidates: a number, `none`, `unlabelled` or `absent`. */
  readonly relevant_position: string;
}

/** The value of one setting from which a dropped candidate would enter the context, all else unchanged. */
export interface EntryCondition {
  readonly position: number;
  readonly setting: "top_k" | "token_budget";
  readonly from: number;
}

/** One case of a run, whole. */
export interface InspectedCase {
  readonly run_id: string;
  readonly record: CaseRecord;
  readonly entry: readonly EntryCondition[];
  readonly judgments: readonly { readonly criterion: string; readonly judgment: Judgment }[];
  readonly cache: CaseCache;
  readonly costs: StoredCase["costs"];
}

/** What `validate` says of a project without mistakes. */
export interface Validation {
  /** The project file; null for a project defined in code. */
  readonly project: string | null;
  readonly cases: number;
  readonly evaluators: readonly {
    readonly criterion: string;
    readonly type: string;
    /** Cases that it can judge. */
    readonly applies_to: number;
    readonly excluded: number;
  }[];
  readonly notices: readonly Notice[];
}

/** What `init` made. */
export interface InitializedProject {
  /** The folder as the user would type it. */
  readonly folder: string;
  readonly files: readonly { readonly name: string; readonly holds: string }[];
}
