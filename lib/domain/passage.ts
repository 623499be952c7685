/** Passages: what a retriever returns and a generator reads. */
import type { Json, JsonObject } from "./json.ts";

/** One retrieved piece of text. `doc_id` and `chunk_id` are exact strings; `score` is recorded, never read. */
export interface Passage {
  readonly doc_id: string;
  readonly chunk_id?: string;
  readonly score?: number;
  readonly text?: string;
  readonly metadata?: JsonObject;
}

/** What a retriever returned: the query that it used and its candidates in its own order. */
export interface Retrieval {
  readonly query?: Json;
  readonly candidates: readonly Passage[];
}

/** Why a candidate did not enter the context. */
export type DropReason = "beyond_top_k" | "over_token_budget" | "left_out_by_system";

/** A candidate that did not enter the context. `position` is its 1-based place among the candidates. */
export interface DroppedPassage {
  readonly position: number;
  readonly doc_id: string;
  readonly chunk_id?: string;
  readonly reason: DropReason;
  /** Its size in tokens; absent where nothing counted it. */
  readonly tokens?: number;
}

/** The context that generate receives, and everything that was kept from it. */
export interface Assembly {
  readonly context: readonly Passage[];
  readonly dropped: readonly DroppedPassage[];
  /** Tokens of the candidates within top_k, in rank order; absent without a budget. */
  readonly tokens?: readonly number[];
}
