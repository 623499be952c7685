/** A case: one input with what is expected of its answer. */
import { isJsonObject, type Json, type JsonObject } from "./json.ts";

/** One labelled passage. `grade` 0 means judged and not relevant; a grade above 0 means relevant. */
export interface RelevanceLabel {
  /** The labelled document; it matches a candidate whose `doc_id` is exactly the same string. */
  readonly doc_id: string;
  /** The labelled chunk; absent = the document as a whole. Needed when chunks are the unit. */
  readonly chunk_id?: string;
  /** Integer ≥ 0 and the gain in ndcg; 1 where the case states none. */
  readonly grade: number;
}

/** A passage that answers the case's question, with its text. */
export interface GoldPassage {
  /** The document that the text comes from, named as the retriever names it. */
  readonly doc_id: string;
  /** The chunk that the text comes from; absent = no particular one. */
  readonly chunk_id?: string;
  /** What a generator would have to read to answer, whole. */
  readonly text: string;
}

/** One case as its line of JSONL gives it, checked. Its `id` is unique within the project. */
export interface Case {
  /** Non-empty text without control characters; names the case in options, reports and pairings. */
  readonly id: string;
  /** Any JSON value; each stage receives a copy. A conversation is one case per turn, history included. */
  readonly input: Json;
  /** What evaluators compare with; absent = those that need it exclude the case. */
  readonly expected?: Json;
  /** Facts about the case that slices and filters read; the stages never see them. */
  readonly metadata?: JsonObject;
  /** Set when the gold context was taken from the project's corpus by the relevance labels: the case itself states none. */
  readonly gold_from_corpus?: true;
}

/**
 * The relevance labels of an expectation; `[]` when it has none. A label without a grade has grade 1.
 * The shape was checked when the case was read, so a value of another shape counts as no label.
 */
export function relevanceLabels(expected: Json | undefined): readonly RelevanceLabel[] {
  const listed = isJsonObject(expected) ? expected.relevant : undefined;
  if (!Array.isArray(listed)) return [];
  const labels: RelevanceLabel[] = [];
  // A loop, since a case is asked for its labels some ten times.
  for (const label of listed) {
    if (!isJsonObject(label) || typeof label.doc_id !== "string") continue;
    const { doc_id, chunk_id, grade: stated } = label;
    const grade = typeof stated === "number" ? stated : 1;
    labels.push(typeof chunk_id === "string" ? { doc_id, chunk_id, grade } : { doc_id, grade });
  }
  return labels;
}

/** The gold passages of an expectation in their order, without anything but ids and text; `[]` when it has none. */
export function goldPassages(expected: Json | undefined): readonly GoldPassage[] {
  const listed = isJsonObject(expected) ? expected.gold_context : undefined;
  if (!Array.isArray(listed)) return [];
  return listed.filter(isJsonObject).flatMap(({ doc_id, chunk_id, text }) =>
    typeof doc_id === "string" && typeof text === "string"
      ? [{ doc_id, ...(typeof chunk_id === "string" ? { chunk_id } : {}), text }]
      : []
  );
}
