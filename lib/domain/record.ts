/** The record of one executed case: everything that was observed, nothing that was judged. */
import type { Case } from "./case.ts";
import type { Json } from "./json.ts";
import type { DroppedPassage, Passage } from "./passage.ts";

/** The stages of a system under test, in their order. */
export type StageName = "retrieve" | "assemble" | "generate";

/** How a stage failed: it threw, it took too long, or it returned something that is not of its shape. */
export type FailureKind = "exception" | "timeout" | "invalid_output";

/** A stage that did not deliver. The execution ends there; it is never an answer of the system. */
export interface StageFailure {
  readonly stage: StageName;
  readonly kind: FailureKind;
  readonly message: string;
  /** What the failed call took and said that it used; absent where nothing was called. */
  readonly cost?: StageCost;
}

/** What a stage said of its own use. Absent means that it did not say. */
export interface Usage {
  readonly input_tokens?: number;
  readonly output_tokens?: number;
  readonly cost_usd?: number;
  readonly first_token_ms?: number;
}

/** Measured facts of one stage call that really ran (a cache hit keeps those of the call it stands for). */
export interface StageCost {
  readonly latency_ms: number;
  readonly usage?: Usage;
}

/**
 * What evaluators read. `candidates` is absent when retrieval did not finish, `context` when assembly did not,
 * `output` when generate did not: an empty list is an observation, absence is not.
 */
export interface CaseRecord {
  readonly case: Case;
  readonly query?: Json;
  readonly candidates?: readonly Passage[];
  readonly context?: readonly Passage[];
  readonly dropped?: readonly DroppedPassage[];
  /** Tokens of the candidates within top_k, in rank order; absent without a budget. */
  readonly tokens?: readonly number[];
  readonly output?: Json;
  readonly error?: StageFailure;
}
