/** What executing a case takes and leaves behind: the system, the cache that is asked first, and the evidence. */
import type { Json } from "../domain/json.ts";
import type { Assembly, Passage, Retrieval } from "../domain/passage.ts";
import type { CaseRecord, CountedStage, StageCost, StageFailure } from "../domain/record.ts";
import type { Notice } from "../domain/run_report.ts";
import type { CacheOutcome, CaseCache, GenerationEntry, RetrievalEntry } from "../domain/run.ts";
import type { CallSurroundings, StageLimits, StageResult } from "./call_stage.ts";
import type { SystemIdentity } from "./identities.ts";
import type { AnswerStage, RagStages } from "./rag_system.ts";
import type { Answer } from "./read_output.ts";
import type { RecordedOutputs } from "./read_record.ts";
import type { Made } from "./single_flight.ts";

/**
 * What an execution left behind: all of it when it finished, what there was before the failing stage otherwise. Of one stage,
 * what it did not report is absent.
 */
export interface CaseExecution {
  readonly retrieval?: RetrievalEntry;
  readonly assembly?: Assembly;
  readonly generation?: GenerationEntry;
  readonly error?: StageFailure;
  /** Outcomes of the stages' own caches; a stage not reached is absent. */
  readonly stages: Pick<CaseCache, CountedStage>;
}

/** What one stage told, as it is kept: the output in the place of a generation's, and what it reported. */
export type AnswerEvidence = Required<Pick<CaseExecution, "generation">> & Pick<CaseExecution, "retrieval">;

/** An answer of the cache. */
export interface Kept<T> {
  readonly value: T;
  readonly outcome: CacheOutcome;
}

/** Where equal work is looked for before it is done. Made stage results become entries with ids there. */
export interface EvidenceCache {
  execution(identity: string, make: () => Promise<Made<CaseExecution>>): Promise<Kept<CaseExecution>>;
  retrieval(
    identity: string,
    make: () => Promise<StageResult<Retrieval>>,
  ): Promise<Kept<RetrievalEntry | StageFailure>>;
  generation(
    identity: string,
    make: () => Promise<StageResult<Json>>,
  ): Promise<Kept<GenerationEntry | StageFailure>>;
  /** Keeps what one stage told, or what was recorded of it. Nothing is looked up: whole executions are, before. */
  keepAnswer(identity: string, answer: Answer, cost: StageCost): AnswerEvidence;
}

/** A loaded system, ready to be run. */
export interface RunnableSystem {
  readonly stages: RagStages | AnswerStage | RecordedOutputs;
  readonly identity: SystemIdentity;
  /** What is to be told at the end about the program or service that it is; absent when it is neither. */
  notices?(): readonly Notice[];
  /** Ends what was started for it; absent when nothing was. */
  close?(): Promise<void>;
}

/** What a case needs besides itself. */
export interface CaseSurroundings extends CallSurroundings {
  readonly limits: StageLimits;
  readonly cache: EvidenceCache;
  /** Takes the place of what top_k and budget would let in, or of what one stage would retrieve; nothing is dropped then. */
  readonly fixedContext?: readonly Passage[];
}

/** A case that was executed, or answered by an equal execution. */
export interface CaseResult {
  readonly execution: string;
  readonly evidence: CaseExecution;
  readonly record: CaseRecord;
  readonly cache: Omit<CaseCache, "judgment">;
}
