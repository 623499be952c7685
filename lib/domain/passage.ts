/** Passages: what a retriever returns and a generator reads. */
import type { Json, JsonObject } from "./json.ts";

/** One retrieved piece of text. `doc_id` and `chunk_id` are exact strings; `score` is recorded, never read. */
export interface Passage {
  /** The document that the passage comes from; never empty. */
  readonly doc_id: string;
  /** Its part of the document, never empty; absent = no part is named. Needed when chunks are the unit. */
  readonly chunk_id?: string;
  /** The retriever's own figure, any finite number on any scale; absent = it gave none. */
  readonly score?: number;
  /** What the generator reads; absent = it looks the text up by id, and `index_version` vouches for it. */
  readonly text?: string;
  /** Whatever else the retriever hands to the generator; recorded, and part of the generation's identity. */
  readonly metadata?: JsonObject;
}

/** What a retriever returned: the query that it used and its candidates in its own order. */
export interface Retrieval {
  /** The query that the retriever said it used, often the input rewritten; absent = it did not say. */
  readonly query?: Json;
  /** At most `depth` passages; their order is the ranking, whatever their scores. */
  readonly candidates: readonly Passage[];
}

/** Why a candidate did not enter the context. */
export type DropReason = "beyond_top_k" | "over_token_budget" | "left_out_by_system";

/** A candidate that did not enter the context. `position` is its 1-based place among the candidates. */
export interface DroppedPassage {
  /** 1-based, in the retriever's order; greater than top_k when the reason is `beyond_top_k`. */
  readonly position: number;
  /** The candidate's document; look up its text by `position` among the candidates. */
  readonly doc_id: string;
  /** The candidate's chunk; absent where the retriever named none. */
  readonly chunk_id?: string;
  /** The first limit that kept it out; `left_out_by_system` only where the system assembles itself. */
  readonly reason: DropReason;
  /** Its size in tokens; absent where nothing counted it. */
  readonly tokens?: number;
}

/** The context that generate receives, and everything that was kept from it. */
export interface Assembly {
  /** In rank order, or in the system's own order where it assembles itself; may be empty. */
  readonly context: readonly Passage[];
  /** In rank order; empty when every candidate entered the context. */
  readonly dropped: readonly DroppedPassage[];
  /** Tokens of the candidates within top_k, in rank order; absent without a budget. */
  readonly tokens?: readonly number[];
}
