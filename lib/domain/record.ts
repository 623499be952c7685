/** The record of one executed case: everything that was observed, nothing that was judged. */
import type { Case } from "./case.ts";
import type { Json } from "./json.ts";
import type { DroppedPassage, Passage } from "./passage.ts";

/**
 * The stages of a system under test, in their order; `rerank` runs only in a diagnosis with a reranker. `answer` is the one stage
 * of a system that does not come in two.
 */
export type StageName = "retrieve" | "rerank" | "assemble" | "generate" | "answer";

/** The stages whose calls are counted and timed. */
export type CountedStage = "retrieve" | "generate" | "answer";

/**
 * How a stage failed: it threw, it took too long, or it returned something that is not of its shape; of recorded outputs also
 * that there is no record of the case.
 */
export type FailureKind = "exception" | "timeout" | "invalid_output" | "not_recorded";

/** A stage that did not deliver. The execution ends there; it is never an answer of the system. */
export interface StageFailure {
  /** Where the execution ended: what comes after it was not called. Counting tokens belongs to `assemble`. */
  readonly stage: StageName;
  /** Exceptions and timeouts are retried as `run.retries` says; an invalid output is not. */
  readonly kind: FailureKind;
  /** What was thrown, or what does not fit; cut after 2,000 characters. */
  readonly message: string;
  /** Where it was thrown, as the runtime tells it; absent where nothing was thrown. */
  readonly trace?: string;
  /** What the failed call took and said that it used; absent where nothing was called. */
  readonly cost?: StageCost;
}

/** What a stage said of its own use. Absent means that it did not say. */
export interface Usage {
  /** Tokens that the model read, ≥ 0; several reports of one call add up. */
  readonly input_tokens?: number;
  /** Tokens that the model wrote, ≥ 0; several reports of one call add up. */
  readonly output_tokens?: number;
  /** Price in US dollars, ≥ 0; several reports of one call add up. */
  readonly cost_usd?: number;
  /** Milliseconds until the first token of the answer, ≥ 0; the first report counts, nothing adds up. */
  readonly first_token_ms?: number;
}

/** Measured facts of one stage call that really ran (a cache hit keeps those of the call it stands for). */
export interface StageCost {
  /** Milliseconds of the last attempt, the waits before it left out; absent where nothing was called, as of recorded outputs. */
  readonly latency_ms?: number;
  /** Summed over all attempts; absent when the stage reported nothing. */
  readonly usage?: Usage;
}

/**
 * What evaluators read. `candidates` is absent when retrieval did not finish, `context` when assembly did not,
 * `output` when generate did not: an empty list is an observation, absence is not. Of a system that answers in one stage,
 * candidates and context are absent, too, when it does not report them.
 */
export interface CaseRecord {
  /** The case as it was read, with the expectation that its judgments are made from. */
  readonly case: Case;
  /** The query that retrieve said it used; absent = it did not say, or did not finish. */
  readonly query?: Json;
  /** In the retriever's own order, at most `depth`. */
  readonly candidates?: readonly Passage[];
  /** Exactly the passages that generate received, in their order. */
  readonly context?: readonly Passage[];
  /** Candidates that are not in the context, in rank order; absent when either of the two is. */
  readonly dropped?: readonly DroppedPassage[];
  /** Tokens of the candidates within top_k, in rank order; absent without a budget. */
  readonly tokens?: readonly number[];
  /** What generate returned; null is an answer, too. */
  readonly output?: Json;
  /** The stage failure that ended the execution; absent when it finished. */
  readonly error?: StageFailure;
}
