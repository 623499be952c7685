/** Relevance: which unit a passage counts as, and at which positions the relevant units stand. */
import { type RelevanceLabel, relevanceLabels } from "./case.ts";
import type { Json } from "./json.ts";
import type { Passage } from "./passage.ts";

/** What is counted: documents (all chunks of one are one unit) or chunks (each doc_id with its chunk_id). */
export type RelevanceUnit = "document" | "chunk";

/** The key of the unit that a passage or label counts as; `undefined` when it lacks the chunk_id that the unit needs. */
export function unitKey(
  passage: { readonly doc_id: string; readonly chunk_id?: string },
  unit: RelevanceUnit,
): string | undefined {
  if (unit === "document") return passage.doc_id;
  // A JSON pair, so that no two different pairs of strings can share a key.
  return passage.chunk_id === undefined ? undefined : JSON.stringify([passage.doc_id, passage.chunk_id]);
}

/** The relevant units (grade above 0) with their grades; a document has the highest grade of its chunks. */
export function relevantUnits(
  labels: readonly RelevanceLabel[],
  unit: RelevanceUnit,
): ReadonlyMap<string, number> {
  const grades = new Map<string, number>();
  for (const label of labels) {
    const key = unitKey(label, unit);
    if (key === undefined || label.grade <= 0) continue;
    grades.set(key, Math.max(label.grade, grades.get(key) ?? label.grade));
  }
  return grades;
}

/** The {@link relevantUnits} of an expectation's labels. */
export function relevantIn(expected: Json | undefined, unit: RelevanceUnit): ReadonlyMap<string, number> {
  return relevantUnits(relevanceLabels(expected), unit);
}

/** A relevant unit where it first stands among the candidates; `position` is 1-based. */
export interface FoundUnit {
  readonly unit: string;
  readonly position: number;
  readonly grade: number;
}

/**
 * The relevant units among the candidates, each at its first position, in rank order. A repeated unit holds its place and
 * earns nothing more. `undefined` when a candidate lacks the chunk_id that the unit needs: then nothing can be said.
 */
export function findRelevant(
  candidates: readonly Passage[],
  relevant: ReadonlyMap<string, number>,
  unit: RelevanceUnit,
): readonly FoundUnit[] | undefined {
  const found: FoundUnit[] = [];
  const seen = new Set<string>();
  for (const [index, candidate] of candidates.entries()) {
    const key = unitKey(candidate, unit);
    if (key === undefined) return undefined;
    const grade = relevant.get(key);
    if (grade === undefined || seen.has(key)) continue;
    seen.add(key);
    found.push({ unit: key, position: index + 1, grade });
  }
  return found;
}
