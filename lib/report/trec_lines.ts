/** A run in the forms of trec_eval: what was retrieved (a run file) and what is relevant (qrels). */
import { relevanceLabels } from "../domain/case.ts";
import type { RunHeader, StoredCase } from "../domain/run.ts";
import { type RelevanceUnit, relevantUnits } from "../domain/relevance.ts";

/** Why a case is in neither file: what our measures exclude (no labels) or miss has no part in the mean of trec_eval. */
export type TrecOmission =
  | "no_relevance_labels"
  | "execution_failed"
  | "not_reported"
  | "candidate_without_chunk_id";

/** The lines of one case, or why it has none. A case of which nothing was retrieved has qrels and no lines of a run. */
export type TrecLines =
  | { readonly status: "written"; readonly qrels: readonly string[]; readonly run: readonly string[] }
  | { readonly status: "left_out"; readonly reason: TrecOmission };

/**
 * The lines of a finished case (and repeat). trec_eval reads neither ranks nor the order of lines: it sorts by score and breaks
 * ties by document. So the score is made from the recorded position and no two of a case are equal. It also refuses a document
 * that a topic has twice: a further passage of a unit gets a name of its own (`…%repeat-2`) that no label has, so that it holds
 * its place and earns nothing more.
 */
export function trecLines(
  { run_id, relevance_unit: unit, repeats }: Pick<RunHeader, "run_id" | "relevance_unit" | "repeats">,
  { record, repeat }: Pick<StoredCase, "record" | "repeat">,
): TrecLines {
  const labels = relevanceLabels(record.case.expected);
  if (relevantUnits(labels, unit).size === 0) return { status: "left_out", reason: "no_relevance_labels" };
  const { candidates } = record;
  if (record.error !== undefined) return { status: "left_out", reason: "execution_failed" };
  if (candidates === undefined) return { status: "left_out", reason: "not_reported" };
  const names = candidates.map((candidate) => trecName(candidate, unit));
  if (names.includes(undefined)) return { status: "left_out", reason: "candidate_without_chunk_id" };
  const topic = `${trecId(record.case.id)}${repeats === 1 ? "" : `%repeat-${repeat}`}`;
  const grades = new Map<string, number>();
  for (const label of labels) {
    const name = trecName(label, unit);
    if (name !== undefined) grades.set(name, Math.max(label.grade, grades.get(name) ?? 0));
  }
  const seen = new Map<string, number>();
  return {
    status: "written",
    qrels: [...grades].map(([name, grade]) => `${topic} 0 ${name} ${grade}`),
    run: names.flatMap((name = "", index) => {
      const times = (seen.get(name) ?? 0) + 1;
      seen.set(name, times);
      const document = times === 1 ? name : `${name}%repeat-${times}`;
      return [`${topic} Q0 ${document} ${index + 1} ${names.length - index} ${run_id}`];
    }),
  };
}

/** The one name of a unit; `undefined` when it lacks the chunk_id that the unit needs. */
function trecName(
  { doc_id, chunk_id }: { readonly doc_id: string; readonly chunk_id?: string },
  unit: RelevanceUnit,
): string | undefined {
  if (unit === "document") return trecId(doc_id);
  return chunk_id === undefined ? undefined : [doc_id, chunk_id].map((id) => trecId(id, /#/g)).join("#");
}

/** White space parts the columns of a line, and % is our own sign. */
const NOT_IN_TREC = /[\s\p{Cc}\p{Z}%]/gu;

/**
 * An id as TREC's lines can hold it: white space, control characters and the percent sign percent-encoded (UTF-8), all else as it
 * is, so that `decodeURIComponent` gives the id back.
 */
export function trecId(id: string, also = /(?!)/g): string {
  return id.replace(NOT_IN_TREC, encodeURIComponent).replace(also, encodeURIComponent);
}
