/** What became of each relevant unit in the diagnosed run. */
import type { RelevantUnit, UnitFate, UnknownEvidence } from "../domain/diagnosis.ts";
import type { CaseRecord } from "../domain/record.ts";
import { findRelevant, type RelevanceUnit, relevantIn } from "../domain/relevance.ts";
import type { SystemSettings } from "../domain/settings.ts";

/**
 * The relevant units of a case with their positions and fates, in the order of the labels; `[]` without a label above 0.
 *
 * Where only the context is reported, a unit is in it or not, and nothing says where it was lost. Where only the candidates are, a
 * unit that is among them may have reached the answer or not: then nothing is known, unless no unit was retrieved at all.
 */
export function unitFates(
  record: CaseRecord,
  unit: RelevanceUnit,
  { top_k, ranked }: Pick<SystemSettings, "top_k" | "ranked">,
): readonly RelevantUnit[] | UnknownEvidence {
  const relevant = relevantIn(record.case.expected, unit);
  if (relevant.size === 0) return [];
  const retrieved = positionsOf(record.candidates, relevant, unit);
  const sent = positionsOf(record.context, relevant, unit);
  if (retrieved === "nameless" || sent === "nameless") return "candidate_without_chunk_id";
  if (sent === undefined && retrieved?.size !== 0) return "context_not_reported";
  return [...relevant.keys()].map((key) => {
    const position = retrieved?.get(key) ?? null;
    const fate = sent?.has(key) === true
      ? "in_context"
      : retrieved === undefined
      ? "not_in_context"
      : lossOf(position, top_k);
    return { ...idOf(key, unit), position: ranked === false ? null : position, fate };
  });
}

/** The first positions of the relevant units in a list; undefined when there is no list. */
function positionsOf(
  passages: CaseRecord["candidates"],
  relevant: ReadonlyMap<string, number>,
  unit: RelevanceUnit,
): ReadonlyMap<string, number> | "nameless" | undefined {
  if (passages === undefined) return undefined;
  const found = findRelevant(passages, relevant, unit);
  return found === undefined ? "nameless" : new Map(found.map((one) => [one.unit, one.position]));
}

function lossOf(position: number | null, topK: number | null): UnitFate {
  if (position === null) return "not_retrieved";
  // Without a cut that is known, it may have been ranked too low, or found no room.
  if (topK === null) return "left_out";
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
