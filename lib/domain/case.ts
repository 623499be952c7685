/** A case: one input with what is expected of its answer. */
import { isJsonObject, type Json, type JsonObject } from "./json.ts";

/** One labelled passage. `grade` 0 means judged and not relevant; a grade above 0 means relevant. */
export interface RelevanceLabel {
  readonly doc_id: string;
  readonly chunk_id?: string;
  readonly grade: number;
}

/** A passage that answers the case's question, with its text. */
export interface GoldPassage {
  readonly doc_id: string;
  readonly chunk_id?: string;
  readonly text: string;
}

/** One case as its line of JSONL gives it, checked. Its `id` is unique within the project. */
export interface Case {
  readonly id: string;
  readonly input: Json;
  readonly expected?: Json;
  readonly metadata?: JsonObject;
}

/**
 * The relevance labels of an expectation; `[]` when it has none. A label without a grade has grade 1.
 * The shape was checked when the case was read, so a value of another shape counts as no label.
 */
export function relevanceLabels(expected: Json | undefined): readonly RelevanceLabel[] {
  const listed = isJsonObject(expected) ? expected.relevant : undefined;
  if (!Array.isArray(listed)) return [];
  return listed.filter(isJsonObject).flatMap((label) =>
    typeof label.doc_id === "string"
      ? [{
        doc_id: label.doc_id,
        ...(typeof label.chunk_id === "string" ? { chunk_id: label.chunk_id } : {}),
        grade: typeof label.grade === "number" ? label.grade : 1,
      }]
      : []
  );
}
