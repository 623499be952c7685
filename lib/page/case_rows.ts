/** The cases of a report, row by row. */
import type { DiagnosedCase, Diagnosis } from "../domain/diagnosis.ts";
import { isJsonObject, type Json } from "../domain/json.ts";
import type { Judgment } from "../domain/judgment.ts";
import { findRelevant, relevantIn } from "../domain/relevance.ts";
import type { InspectedCase } from "../domain/run_report.ts";
import { attemptsText, positionText } from "../report/diagnosis_text.ts";
import { oneLine, printable } from "../report/printable.ts";
import { caseFacts, type DetailMaker, execution, judgmentCell } from "./case_detail.ts";
import type { EvidenceCell, EvidenceColumn, EvidenceRow } from "./evidence.ts";

/** Characters of an input in the table; the case itself shows all. */
const PREVIEW = 120;

/** One case of a run: its executions, and its judgments with the repeats averaged. */
export interface ReportedCase {
  readonly executions: readonly [InspectedCase, ...InspectedCase[]];
  readonly judgments: ReadonlyMap<string, Judgment>;
}

/** The columns of a run's cases. */
export function runColumns(
  criteria: readonly string[],
  { withText }: DetailMaker,
): readonly EvidenceColumn[] {
  return [
    { name: "Case" },
    ...(withText ? [{ name: "Input", preview: true }] : []),
    ...criteria.map((criterion) => ({ name: criterion, choice: true })),
    { name: "Relevant position", numeric: true, choice: true },
    { name: "Failure", choice: true },
  ];
}

/** A case of a run, in the order of {@link runColumns}. */
export function runRow(found: ReportedCase, criteria: readonly string[], maker: DetailMaker): EvidenceRow {
  const { executions: [first, ...others], judgments } = found;
  const failed = [first, ...others].find(({ record }) => record.error !== undefined)?.record.error;
  return {
    cells: [
      printable(first.record.case.id),
      ...previewOf(first, maker),
      ...criteria.map((criterion) => judgmentCell(judgments.get(criterion))),
      positionCell(first),
      failed === undefined
        ? ["", "none", 0]
        : [`${failed.stage} ${failed.kind}`, `${failed.stage} ${failed.kind}`, 1],
    ],
    detail: {
      id: printable(first.record.case.id),
      facts: caseFacts(first, maker),
      executions: [first, ...others].map((one) => execution("", one, maker)),
    },
  };
}

/** The beginning of an input, where texts are shown. */
export function previewOf({ record }: InspectedCase, { withText }: DetailMaker): readonly EvidenceCell[] {
  return withText ? [oneLine(inputText(record.case.input), PREVIEW)] : [];
}

/** An input in a line: a text as it is, also one that is all that an object holds; else JSON. */
function inputText(input: Json): string {
  const only = isJsonObject(input) && Object.keys(input).length === 1 ? Object.values(input)[0] : input;
  return typeof only === "string" ? only : JSON.stringify(input);
}

/** The best position of a relevant unit among the candidates, or why there is none. */
function positionCell({ record, relevance_unit }: InspectedCase): EvidenceCell {
  const relevant = relevantIn(record.case.expected, relevance_unit);
  if (relevant.size === 0) return ["unlabelled", "unlabelled", Infinity];
  if (record.candidates === undefined) return ["not known", "not known", Infinity];
  const found = findRelevant(record.candidates, relevant, relevance_unit);
  if (found === undefined) return ["not known", "not known", Infinity];
  const [best] = found;
  if (best === undefined) return ["none", "none", Infinity];
  const { position } = best;
  return [String(position), position <= 10 ? String(position) : "over 10", position];
}

/** A diagnosed case with what the store holds of it. */
export interface ReportedDiagnosis {
  readonly diagnosed: DiagnosedCase;
  readonly recorded: ReportedCase | undefined;
  readonly children: readonly { readonly role: string; readonly evidence: ReportedCase }[];
}

/** The columns of a diagnosis's cases. */
export const diagnosisColumns: readonly EvidenceColumn[] = [
  { name: "Case" },
  { name: "Label", choice: true },
  { name: "Reason", choice: true },
  { name: "Best position", numeric: true },
  { name: "With the change", choice: true },
  { name: "Control", choice: true },
  { name: "Recovered", choice: true },
];

/** A diagnosed case, in the order of {@link diagnosisColumns}. */
export function diagnosisRow(
  { diagnosed, recorded, children }: ReportedDiagnosis,
  { settings, content: { repeats } }: Pick<Diagnosis, "settings" | "content">,
  maker: DetailMaker,
): EvidenceRow {
  const { case_id, label, reason, recovered, units, strength } = diagnosed;
  const id = printable(case_id);
  const position = positionText(diagnosed, settings);
  const [first] = recorded?.executions ?? [];
  const unitsText = units.map(({ doc_id, chunk_id, position, fate }) =>
    `${chunk_id === undefined ? doc_id : `${doc_id} ${chunk_id}`}: ${
      position === null ? "" : `position ${position}, `
    }${fate.replaceAll("_", " ")}`
  );
  return {
    cells: [
      id,
      label,
      reason,
      [position, position, diagnosed.best_relevant_position ?? Infinity],
      attemptsText(diagnosed.intervention, repeats),
      attemptsText(diagnosed.control, repeats),
      recovered ? "yes" : "no",
    ],
    detail: {
      id,
      facts: [
        ["Label", `${label}: ${reason}, strength ${strength}`],
        ...(units.length === 0 ? [] : [["Relevant evidence", printable(unitsText.join("\n"))] as const]),
        ...(first === undefined ? [] : caseFacts(first, maker)),
      ],
      executions: [
        ...(recorded?.executions ?? []).map((one) => execution("recorded", one, maker)),
        ...children.flatMap(({ role, evidence }) =>
          evidence.executions.map((one) => execution(printable(role), one, maker))
        ),
      ],
    },
  };
}

/** A case of a comparison, as far as the store holds it. */
export interface ReportedPair {
  readonly case_id: string;
  readonly candidate: ReportedCase | undefined;
  readonly baseline: ReportedCase | undefined;
  readonly comparable: boolean;
}

/** The columns of a comparison's cases. */
export function comparisonColumns(
  criteria: readonly string[],
  { withText }: DetailMaker,
): readonly EvidenceColumn[] {
  return [
    { name: "Case" },
    ...(withText ? [{ name: "Input", preview: true }] : []),
    { name: "Pairing", choice: true },
    ...criteria.map((criterion) => ({ name: criterion, choice: true })),
  ];
}

/** A case of a comparison, in the order of {@link comparisonColumns}. */
export function comparisonRow(
  pair: ReportedPair,
  criteria: readonly string[],
  maker: DetailMaker,
): EvidenceRow {
  const { candidate, baseline, comparable } = pair;
  const id = printable(pair.case_id);
  const [first] = (candidate ?? baseline)?.executions ?? [];
  const side = (name: string, found: ReportedCase | undefined) =>
    (found?.executions ?? []).map((one) => execution(name, one, maker));
  return {
    cells: [
      id,
      ...(first === undefined ? [] : previewOf(first, maker)),
      pairingOf(pair),
      ...criteria.map((criterion) =>
        comparable
          ? changeCell(baseline?.judgments.get(criterion), candidate?.judgments.get(criterion))
          : ["not paired", "not paired", -1] as const
      ),
    ],
    detail: {
      id,
      facts: first === undefined ? [] : caseFacts(first, maker),
      executions: [...side("baseline", baseline), ...side("candidate", candidate)],
    },
  };
}

function pairingOf({ candidate, baseline, comparable }: ReportedPair): string {
  if (comparable) return "paired";
  if (candidate === undefined) return "only in the baseline";
  return baseline === undefined ? "only in the candidate" : "another input or expectation";
}

/** Whether a judgment is better or worse than the one before; undefined when they cannot be compared. */
export function changeOf(
  before: Judgment | undefined,
  now: Judgment | undefined,
): "better" | "worse" | "tied" | undefined {
  if (before?.status !== "observed" || now?.status !== "observed") return undefined;
  const [was, is] = [Number(before.value), Number(now.value)];
  return is < was ? "worse" : is > was ? "better" : "tied";
}

/** What became of a judgment from the baseline to the candidate; changes for the worse are sorted first. */
function changeCell(before: Judgment | undefined, now: Judgment | undefined): EvidenceCell {
  const texts = [before, now].map((judgment) => {
    const cell = judgmentCell(judgment);
    return typeof cell === "object" ? cell[0] : String(cell);
  });
  const text = texts[0] === texts[1] ? texts[0] ?? "" : `${texts[0]} → ${texts[1]}`;
  const change = changeOf(before, now);
  if (change === undefined) {
    const excluded = before?.status === "excluded" && now?.status === "excluded";
    return [text, excluded ? "excluded" : "missing", excluded ? 3 : 1];
  }
  const order = { worse: 0, better: 1, tied: 2 };
  // A verdict and a mean of repeats may be equal and look different.
  return [change === "tied" ? texts[1] ?? "" : `${change}: ${text}`, change, order[change]];
}
