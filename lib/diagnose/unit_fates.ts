/** What became of each relevant unit in the diagnosed run. */
import { relevanceLabels } from "../domain/case.ts";
import type { RelevantUnit, UnitFate } from "../domain/diagnosis.ts";
import type { CaseRecord } from "../domain/record.ts";
import { findRelevant, type RelevanceUnit, relevantUnits, unitKey } from "../domain/relevance.ts";

/**
 * The relevant units of a case with their positions and fates, in the order of the labels; `[]` without a label above 0.
 * `undefined` when a candidate lacks the chunk_id that the unit needs: then nothing can be said of any unit.
 */
export function unitFates(
  record: CaseRecord,
  unit: RelevanceUnit,
  topK: number,
): readonly RelevantUnit[] | undefined {
  const labels = relevanceLabels(record.case.expected);
  const relevant = relevantUnits(labels, unit);
  const found = findRelevant(record.candidates ?? [], relevant, unit);
  if (found === undefined) return undefined;
  const positions = new Map(found.map(({ unit, position }) => [unit, position]));
  const sent = new Set((record.context ?? []).map((passage) => unitKey(passage, unit)));
  return [...relevant.keys()].map((key) => {
    const position = positions.get(key) ?? null;
    return { ...idOf(key, unit), position, fate: fateOf(sent.has(key), position, topK) };
  });
}

function fateOf(isSent: boolean, position: number | null, topK: number): UnitFate {
  if (isSent) return "in_context";
  if (position === null) return "not_retrieved";
  return position > topK ? "below_top_k" : "dropped";
}

function idOf(key: string, unit: RelevanceUnit): { doc_id: string; chunk_id?: string } {
  if (unit === "document") return { doc_id: key };
  const [doc_id = "", chunk_id = ""]: string[] = JSON.parse(key);
  return { doc_id, chunk_id };
}

/** The best position of a relevant unit; null when none is among the candidates. */
export function bestPosition(units: readonly RelevantUnit[]): number | null {
  const positions = units.flatMap(({ position }) => position === null ? [] : [position]);
  return positions.length === 0 ? null : Math.min(...positions);
}
