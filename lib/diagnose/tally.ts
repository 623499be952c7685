/** Counts over a diagnosis: what is printed and what it points to. */
import type {
  DiagnosedCase,
  Diagnosis,
  DiagnosisContent,
  DiagnosisLabel,
  DiagnosisReport,
  DiagnosisTally,
  PassTable,
} from "../domain/diagnosis.ts";

/** The labels in the order of the table that assigns them. */
export const LABELS: readonly DiagnosisLabel[] = [
  "UNSTABLE",
  "INCONCLUSIVE",
  "RETRIEVAL_MISS",
  "RANKED_OUT",
  "CONTEXT_ASSEMBLY_LOSS",
  "CONTEXT_MISS",
  "CONTEXT_INTERFERENCE",
  "GENERATION_FAILURE",
];

/** Something that can be changed, and what could be tried: each a hypothesis. */
interface Factor {
  readonly factor: string;
  readonly experiments: readonly string[];
}

const factors: ReadonlyMap<DiagnosisLabel, Factor> = new Map([
  ["RETRIEVAL_MISS", {
    factor: "retriever",
    experiments: ["a larger depth", "a different retriever or query"],
  }],
  ["RANKED_OUT", { factor: "ranking cutoff", experiments: ["a larger top-k", "a reranker"] }],
  ["CONTEXT_ASSEMBLY_LOSS", {
    factor: "context budget",
    experiments: ["a larger token budget", "smaller chunks"],
  }],
  ["CONTEXT_MISS", {
    factor: "retrieval or context assembly",
    experiments: ["a different retriever or query", "a larger context"],
  }],
  ["CONTEXT_INTERFERENCE", { factor: "context composition", experiments: ["fewer passages", "a reranker"] }],
]);

/** Counts a diagnosis. Of a replay nothing is implicated: its labels are those of another diagnosis. */
export function tallyDiagnosis({ cases, carried }: DiagnosisContent): DiagnosisTally {
  const labels = LABELS.map((label) => ({ label, cases: cases.filter((one) => one.label === label) }))
    .filter((group) => group.cases.length > 0);
  const implicated = carried === null ? implicate(cases) : [];
  return {
    selected: cases.length,
    control_passed: cases.filter(({ control }) => control.passed > 0).length,
    recovered: cases.filter(({ recovered }) => recovered).length,
    labels: labels.map(({ label, cases }) => ({ label, cases: cases.length })),
    implicated: implicated.map(({ factor, cases }) => ({ factor, cases })),
    candidate_experiments: [...new Set(implicated.flatMap(({ experiments }) => experiments))],
    passes: passTable(cases),
  };
}

/** The factors behind the most recovered failures. A passage that was not the gold one says nothing about composition. */
function implicate(cases: readonly DiagnosedCase[]): readonly (Factor & { readonly cases: number })[] {
  const telling = cases.filter(({ reason }) => reason !== "other_passage_of_relevant_document");
  const counted = [...factors].map(([label, factor]) => ({
    ...factor,
    cases: telling.filter((one) => one.label === label).length,
  }));
  const most = Math.max(...counted.map(({ cases }) => cases));
  return most === 0 ? [] : counted.filter(({ cases }) => cases === most);
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

/** A diagnosis with its counts; `gold` is the diagnosis whose labels it carries, or itself. */
export function reportOf(diagnosis: Diagnosis, gold: Diagnosis): DiagnosisReport {
  const known = new Set(diagnosis.content.cases.map(({ case_id }) => case_id));
  const gold_recovered = gold.content.cases.filter((one) => one.recovered && known.has(one.case_id)).length;
  return { diagnosis, tally: tallyDiagnosis(diagnosis.content), gold_recovered };
}
