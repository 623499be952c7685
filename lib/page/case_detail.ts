/** What a report shows of one case. */
import { relevanceLabels } from "../domain/case.ts";
import type { Judgment } from "../domain/judgment.ts";
import { relevantIn, unitKey } from "../domain/relevance.ts";
import type { InspectedCase } from "../domain/run_report.ts";
import { judgmentText, whyAbsent, withoutPassages } from "../report/inspect_text.ts";
import { printable } from "../report/printable.ts";
import { fateText } from "./case_sheet.ts";
import type { EvidenceCandidate, EvidenceCell, EvidenceDetail, EvidenceExecution } from "./evidence.ts";
import { type PassagePool, shown } from "./passage_pool.ts";

/** How the details of cases are made. */
export interface DetailMaker {
  readonly pool: PassagePool;
  /** Whether inputs, passages and answers, and whatever may quote them, are in it. */
  readonly withText: boolean;
}

/** Name and value of what a reader wants to know of a case before its executions. */
export function caseFacts({ record }: InspectedCase, { withText }: DetailMaker): EvidenceDetail["facts"] {
  const { input, expected, metadata } = record.case;
  if (!withText) {
    const relevant = relevanceLabels(expected).filter(({ grade }) => grade > 0)
      .map(({ doc_id, chunk_id }) => chunk_id === undefined ? doc_id : `${doc_id} ${chunk_id}`);
    return relevant.length === 0 ? [] : [["Relevant", printable(relevant.join(", "))]];
  }
  return [
    ["Input", shown(input)],
    ...(expected === undefined ? [] : [["Expected", shown(withoutPassages(expected))] as const]),
    ...(metadata === undefined ? [] : [["Metadata", shown(metadata)] as const]),
  ];
}

/** One execution of a case, under a name. */
export function execution(name: string, found: InspectedCase, maker: DetailMaker): EvidenceExecution {
  const { record, judgments, repeat } = found;
  const { query, context, output, error } = record;
  const { pool, withText } = maker;
  return {
    name: [...(name === "" ? [] : [name]), ...(repeat === undefined ? [] : [`repeat ${repeat}`])].join(", "),
    ...(query === undefined || !withText ? {} : { query: shown(query) }),
    ...candidatesOf(found, pool),
    ...(context === undefined ? {} : { context: context.map((passage) => pool.add(passage)) }),
    notes: [
      ...(record.candidates === undefined ? [`Candidates: ${whyAbsent(error)}`] : []),
      ...(context === undefined ? [`Context: ${error === undefined ? "not reported" : "not reached"}`] : []),
      ...(output === undefined ? ["Output: not reached"] : []),
    ],
    ...(output === undefined || !withText ? {} : { output: shown(output) }),
    ...(error === undefined
      ? {}
      : { error: printable(`${error.stage} ${error.kind}${withText ? `: ${error.message}` : ""}`) }),
    judgments: judgments.map(({ criterion, judgment }) =>
      [criterion, withText ? judgmentText(judgment) : bareJudgment(judgment)] as const
    ),
  };
}

function candidatesOf(
  { record, relevance_unit, entry }: InspectedCase,
  pool: PassagePool,
): Pick<EvidenceExecution, "candidates"> {
  if (record.candidates === undefined) return {};
  const relevant = relevantIn(record.case.expected, relevance_unit);
  return {
    candidates: record.candidates.map((passage, index): EvidenceCandidate => [
      pool.add(passage),
      passage.score ?? null,
      record.dropped?.find(({ position }) => position === index + 1)?.tokens ?? record.tokens?.[index] ??
        null,
      relevant.has(unitKey(passage, relevance_unit) ?? "") ? 1 : 0,
      fateText(record, index + 1, entry),
    ]),
  };
}

/** A judgment without what it may quote. */
function bareJudgment(judgment: Judgment): string {
  switch (judgment.status) {
    case "observed":
      return judgmentText({ status: "observed", value: judgment.value });
    case "missing":
      return `missing (${judgment.reason})`;
    case "excluded":
      return `excluded (${judgment.reason})`;
  }
}

/** Under which values are chosen: the ends of the scale, and what lies between. */
function rangeOf(value: number): string {
  return value === 0 || value === 1 ? String(value) : "between 0 and 1";
}

/** A judgment in a table: its value, or that there is none and why. */
export function judgmentCell(judgment: Judgment | undefined): EvidenceCell {
  if (judgment === undefined) return ["—", "—", -3];
  switch (judgment.status) {
    case "observed":
      if (typeof judgment.value === "number") {
        return [String(Number(judgment.value.toFixed(4))), rangeOf(judgment.value), judgment.value];
      }
      return judgment.value ? ["pass", "pass", 1] : ["fail", "fail", 0];
    case "missing":
      return [printable(`missing: ${judgment.reason}`), "missing", -2];
    case "excluded":
      return [printable(`excluded: ${judgment.reason}`), "excluded", -1];
  }
}
