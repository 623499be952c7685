/** The candidates of one case, as they met the cuts. */
import { relevantIn, unitKey } from "../domain/relevance.ts";
import type { InspectedCase } from "../domain/run_report.ts";
import { oneLine } from "../report/printable.ts";
import { counted } from "../report/run_text.ts";
import type { Row, RowPicture } from "./picture.ts";

/** Candidates that are drawn; the table has them all. */
const MOST_ROWS = 30;

/** A row per candidate, with its tokens where they were counted; undefined where no candidates are known. */
export function candidatesPicture(found: InspectedCase): RowPicture | undefined {
  const { record, relevance_unit } = found;
  const { candidates, tokens, dropped, context } = record;
  if (candidates === undefined || candidates.length === 0) return undefined;
  const counts = tokens !== undefined;
  const relevant = relevantIn(record.case.expected, relevance_unit);
  const rows: readonly Row[] = candidates.slice(0, MOST_ROWS).map((candidate, index) => {
    const position = index + 1;
    const drop = dropped?.find((one) => one.position === position);
    const size = drop?.tokens ?? tokens?.[index];
    const isRelevant = relevant.has(unitKey(candidate, relevance_unit) ?? "");
    const inContext = context !== undefined && dropped !== undefined && drop === undefined;
    return {
      label: `${position}. ${
        oneLine(
          candidate.chunk_id === undefined ? candidate.doc_id : `${candidate.doc_id} ${candidate.chunk_id}`,
          40,
        )
      }`,
      // Without any count all bars are alike and only the filling speaks; beside counts, none is drawn for what was not counted.
      marks: counts && size === undefined ? [] : [{
        kind: "bar",
        to: size ?? 1,
        tone: isRelevant ? "value" : "muted",
        filling: inContext ? "solid" : "hollow",
      }],
      note: [
        ...(isRelevant ? ["relevant"] : []),
        ...(size === undefined ? counts ? ["tokens not counted"] : [] : [counted(size, "token")]),
        inContext ? "in the context" : drop === undefined ? "context not known" : drop.reason,
      ].join(" · "),
    };
  });
  const sizes = rows.flatMap(({ marks }) => marks.flatMap((mark) => mark.kind === "bar" ? [mark.to] : []));
  const rest = candidates.length - rows.length;
  return {
    kind: "rows",
    title: `Candidates of ${oneLine(record.case.id, 60)}`,
    subtitle: `${found.run_id} · ${counted(candidates.length, "candidate")} in the retriever's order`,
    description: rows.map(({ label, note }) => `${label}: ${note}.`).join(" "),
    axis: {
      label: counts ? "tokens" : "candidates (tokens were not counted)",
      unit: "count",
      domain: [0, Math.max(1, ...sizes)],
    },
    groups: [{ heading: null, rows }],
    legend: [
      { text: "relevant", tone: "value", shape: "solid" },
      { text: "not labelled relevant", tone: "muted", shape: "solid" },
      { text: "hollow: not in the context", tone: "muted", shape: "hollow" },
    ],
    footnotes: rest > 0 ? [`${rest} more candidates are in the table.`] : [],
  };
}
