/** Counts over a diagnosis: what is printed and what it points to. */
import type { DiagnosedCase, DiagnosisContent, DiagnosisLabel } from "../domain/diagnosis.ts";

/** The labels in the order of the table that assigns them. */
export const LABELS: readonly DiagnosisLabel[] = [
  "UNSTABLE",
  "INCONCLUSIVE",
  "RETRIEVAL_MISS",
  "RANKED_OUT",
  "CONTEXT_ASSEMBLY_LOSS",
  "CONTEXT_INTERFERENCE",
  "GENERATION_FAILURE",
];

/** Something that can be changed and that recovered failures point to. */
export interface Factor {
  readonly name: string;
  /** What could be tried: each a hypothesis. */
  readonly experiments: readonly string[];
}

const factors: ReadonlyMap<DiagnosisLabel, Factor> = new Map([
  ["RETRIEVAL_MISS", {
    name: "retriever",
    experiments: ["a larger depth", "a different retriever or query"],
  }],
  ["RANKED_OUT", { name: "ranking cutoff", experiments: ["a larger top-k", "a reranker"] }],
  ["CONTEXT_ASSEMBLY_LOSS", {
    name: "context budget",
    experiments: ["a larger token budget", "smaller chunks"],
  }],
  ["CONTEXT_INTERFERENCE", { name: "context composition", experiments: ["fewer passages", "a reranker"] }],
]);

/** A factor with the number of recovered failures behind it. */
export interface Implicated extends Factor {
  readonly cases: number;
}

/** The counts of control against intervention, of the cases in which both were judged. */
export interface PassTable {
  readonly only_with: number;
  readonly only_without: number;
  readonly both: number;
  readonly neither: number;
}

/** What a diagnosis amounts to. */
export interface DiagnosisTally {
  readonly selected: number;
  /** Cases of which a control passed. */
  readonly control_passed: number;
  readonly recovered: number;
  /** Labels that occur, in the table's order. */
  readonly labels: readonly { readonly label: DiagnosisLabel; readonly cases: readonly DiagnosedCase[] }[];
  /** The factor behind the most recovered failures; several on a tie, none if nothing recovered. */
  readonly implicated: readonly Implicated[];
  readonly passes: PassTable;
}

/** Counts a diagnosis. Of a replay, `implicated` is empty: its labels are those of another diagnosis. */
export function tallyDiagnosis({ cases, carried }: DiagnosisContent): DiagnosisTally {
  const labels = LABELS.map((label) => ({ label, cases: cases.filter((one) => one.label === label) }))
    .filter((group) => group.cases.length > 0);
  return {
    selected: cases.length,
    control_passed: cases.filter(({ control }) => control.passed > 0).length,
    recovered: cases.filter(({ recovered }) => recovered).length,
    labels,
    implicated: carried === null ? implicate(labels) : [],
    passes: passTable(cases),
  };
}

function implicate(labels: DiagnosisTally["labels"]): readonly Implicated[] {
  const counted = labels.flatMap(({ label, cases }) => {
    const factor = factors.get(label);
    return factor === undefined ? [] : [{ ...factor, cases: cases.length }];
  });
  const most = Math.max(...counted.map(({ cases }) => cases));
  return counted.filter(({ cases }) => cases === most);
}

function passTable(cases: readonly DiagnosedCase[]): PassTable {
  const judged = cases.filter(({ control, intervention }) =>
    control.unjudged === 0 && intervention.unjudged === 0
  );
  const count = (withIt: boolean, without: boolean) =>
    judged.filter(({ control, intervention }) =>
      (intervention.passed > intervention.failed) === withIt && (control.passed > 0) === without
    ).length;
  return {
    only_with: count(true, false),
    only_without: count(false, true),
    both: count(true, true),
    neither: count(false, false),
  };
}
