/** A run: which system was executed on which cases, and how far it came. */
import type { Case } from "./case.ts";
import type { CaseSelection } from "./case_selection.ts";
import type { Json } from "./json.ts";
import type { Judgment } from "./judgment.ts";
import type { Assembly, Passage } from "./passage.ts";
import type { EvaluatorSpec } from "./project.ts";
import type { CaseRecord, StageCost, StageFailure, Usage } from "./record.ts";
import type { RelevanceUnit } from "./relevance.ts";
import type { PartialSettings, SystemSettings } from "./settings.ts";
import type { Retrieval } from "./passage.ts";

/** `running` also names a run whose process died: nothing else could have said so. */
export type RunStatus = "running" | "complete" | "interrupted";

/** A run of a project's cases, or one that re-executes cases of another run: of a diagnosis, or under a combination of a sweep. */
export type RunKind = "run" | "intervention" | "control" | "combination";

/** A part of the caches whose entries a run ignores. */
export type Refresh = "retrieve" | "generate" | "judge" | "all";

/** What a run was asked for: whoever goes on with it must mean the same. */
export interface RunRequest {
  /** The settings that were assigned for this run alone. */
  readonly set: PartialSettings;
  /** Which of the project's cases were chosen. */
  readonly select: CaseSelection;
  readonly refresh: readonly Refresh[];
  /** sha256 over the chosen cases in their order. */
  readonly cases_digest: string;
}

/** Everything about a run that is known before its first case. Nothing of it changes but the status and what was forgotten. */
export interface RunHeader {
  /** `run_` and a ULID. */
  readonly run_id: string;
  readonly kind: RunKind;
  readonly name?: string;
  readonly status: RunStatus;
  /** ISO 8601, UTC. */
  readonly started_at: string;
  readonly finished_at?: string;
  /** Finished cases that were erased since (`forget --case`); absent = none. */
  readonly forgotten_cases?: number;
  readonly oloproof_version: string;
  readonly system: SystemSettings;
  /** sha256 of the system's code; null when its identity is its version alone. */
  readonly source_digest: string | null;
  readonly evaluators: readonly EvaluatorSpec[];
  readonly slices: readonly string[];
  readonly min_slice_support: number;
  readonly relevance_unit: RelevanceUnit;
  /** How the cases were chosen out of the project's, in words of the command line; empty = all. */
  readonly selection: readonly string[];
  /** How many cases the run set out to execute. */
  readonly cases: number;
  /** How often each of them is executed; the unit of every figure stays the case. */
  readonly repeats: number;
  /** Of a re-execution: the run whose cases it executes again. */
  readonly parent?: string;
  /** Of a retry: the run whose failures it executes again; what had not failed there is carried from it. */
  readonly retry_of?: string;
  /** Absent where a run cannot be gone on with: of a re-execution, or when it was recorded elsewhere. */
  readonly request?: RunRequest;
  /** Digests of the user's functions that evaluators call, by their `module:export`. */
  readonly function_digests: { readonly [object: string]: string };
  /** The versions of the evaluators that judged, those of judges' prompts among them, by criterion. */
  readonly evaluator_versions: { readonly [criterion: string]: number };
}

/** Whether a result was found in the store or among work under way (hit), or made (miss). */
export type CacheOutcome = "hit" | "miss";

/** The cache outcomes of one case. A stage that was not reached is absent. */
export interface CaseCache {
  /** Whether all stages were answered at once by an equal finished execution. */
  readonly execution: CacheOutcome;
  /** A hit, too, when the whole execution was one. */
  readonly retrieve?: CacheOutcome;
  /** A hit, too, when the whole execution was one. */
  readonly generate?: CacheOutcome;
  /** Of a system that answers in one stage, in the place of the other two: whether it was called (miss). */
  readonly answer?: CacheOutcome;
  /** Counted by evaluator; both are 0 when the execution failed and there was nothing to judge. */
  readonly judgment: { readonly hit: number; readonly miss: number };
  /** Present where a retry took the case as it was from the run that it retries; all outcomes are hits then. */
  readonly carried?: true;
}

/** Which execution of which case is meant. */
export interface CasePlace {
  /** The 0-based place of the case among the run's cases. */
  readonly ordinal: number;
  /** The 1-based repeat of the case. */
  readonly repeat: number;
}

/** How often judges were asked for one case, and what the calls that were really made used. */
export interface JudgeCallCount {
  /** Verdicts that were remembered, or shared with an equal question under way. */
  readonly hit: number;
  /** Questions that were put to a judge, those without a verdict too. */
  readonly miss: number;
  /** Summed over the calls of the misses, further attempts included; absent when none said. */
  readonly usage?: Usage;
}

/** A stored retrieval. Entries are only ever added; of several with one identity the newest counts. */
export interface RetrievalEntry {
  readonly id: number;
  readonly identity: string;
  readonly retrieval: Retrieval;
  readonly cost: StageCost;
}

/** A stored answer of generate. */
export interface GenerationEntry {
  readonly id: number;
  readonly identity: string;
  readonly output: Json;
  readonly cost: StageCost;
}

/** Stored judgments of one record: one per evaluator, in the order of `evaluators` (their keys). */
export interface JudgmentEntry {
  readonly id: number;
  /** The identity of what was judged: execution, record digest and expectation. */
  readonly record: string;
  readonly evaluators: readonly string[];
  readonly judgments: readonly Judgment[];
}

/** One case of a run as it is written: small, and pointing to the entries that hold the evidence. */
export interface CaseRow extends CasePlace {
  readonly case: Case;
  /** The canonical JSON of the case's content, and its sha256. */
  readonly case_text: string;
  readonly case_digest: string;
  readonly execution: string;
  readonly retrieval_id?: number;
  readonly assembly?: Assembly;
  /** Those that the assembly is of: they are stored with the retrieval, and the assembly relative to them. */
  readonly candidates?: readonly Passage[];
  readonly generation_id?: number;
  readonly judgments_id: number;
  readonly error?: StageFailure;
  readonly cache: CaseCache;
  /** Absent where no judge was to be asked. */
  readonly judge_calls?: JudgeCallCount;
}

/** What is written at once: new entries, and cases that point to them or to older ones. */
export interface Batch {
  readonly retrievals: readonly RetrievalEntry[];
  readonly generations: readonly GenerationEntry[];
  readonly judgments: readonly JudgmentEntry[];
  readonly cases: readonly CaseRow[];
}

/** One finished case of a run as it is read back, whole. `judgments` are in the order of the run's evaluators. */
export interface StoredCase extends CasePlace {
  /** The entry that holds its retrieval; absent when retrieval did not finish. */
  readonly retrieval_id?: number;
  /** What was observed; of a cache hit, what the original execution observed. */
  readonly record: CaseRecord;
  /** One per evaluator of the run. */
  readonly judgments: readonly Judgment[];
  /** Which results were found and which were made. */
  readonly cache: CaseCache;
  /** How often judges were asked; absent where none was to be. */
  readonly judge_calls?: JudgeCallCount;
  /**
   * By stage; a hit keeps those of the original call, a stage that did not finish is absent. `generate` is also the one stage of a
   * system that answers in one.
   */
  readonly costs: { readonly retrieve?: StageCost; readonly generate?: StageCost };
}

/** A finished execution that may stand for an equal one; of one stage, what it did not report is absent. */
export interface ExecutionEntry {
  readonly retrieval?: RetrievalEntry;
  readonly assembly?: Assembly;
  readonly generation: GenerationEntry;
}

/** An entry as the trail of a case shows it. */
export interface EntryTrace {
  readonly identity: string;
  /** The run that made the entry; null when that run was forgotten. */
  readonly made_by: string | null;
}

/** A finished case with the identities of its work: what tells why it was found in a cache or not. */
export interface TracedCase {
  readonly run: RunHeader;
  readonly stored: StoredCase;
  readonly execution: string;
  /** Absent when retrieval did not finish. */
  readonly retrieval?: EntryTrace;
  /** Absent when generation did not finish. */
  readonly generation?: EntryTrace;
  /** `identity` is that of the judged record; `evaluators` are the keys, in the order of the run's evaluators. */
  readonly judged: EntryTrace & { readonly evaluators: readonly string[] };
}
