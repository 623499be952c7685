/** A diagnosis as one JSON document. */
import type {
  ChildRun,
  DiagnosedCase,
  DiagnosisReport,
  DiagnosisSelection,
  DiagnosisTally,
  Intervention,
  JudgedBy,
} from "../domain/diagnosis.ts";

/** What `diagnose` answers: the counts, the case behind each of them, and the runs that hold the re-executions. */
export interface DiagnosisDocument extends DiagnosisTally {
  /** `sha256:` and 64 hexadecimal digits; the same result of the same question has the same id. */
  readonly diagnosis_id: string;
  /** The diagnosed run. */
  readonly run_id: string;
  /** What the re-execution changed. */
  readonly intervention: Intervention["kind"];
  /** What the intervention takes: `{ top_k }`, `{ reranker }`, or nothing. */
  readonly parameters: { readonly top_k?: number; readonly reranker?: string };
  /** The pass/fail criterion whose failures are diagnosed. */
  readonly criterion: string;
  /** How often each re-execution was made, an odd number. */
  readonly repeats: number;
  /** The gold-context diagnosis whose labels a replay carries; null for a gold-context diagnosis. */
  readonly carried: string | null;
  /** Cases that recovered with the gold context. */
  readonly gold_recovered: number;
  /** Which failures are in it, and how many could not be. */
  readonly selection: DiagnosisSelection;
  /** Sorted by case id. */
  readonly cases: readonly DiagnosedCase[];
  /** The runs that hold the re-executions, in the order in which they are named. */
  readonly child_runs: readonly ChildRun[];
  /** Of a judged criterion: who judged, and how well that was measured; absent where no judge is behind it. */
  readonly judged_by?: JudgedBy;
}

/** The document of a diagnosis. */
export function diagnosisJson({ diagnosis, tally, gold_recovered }: DiagnosisReport): DiagnosisDocument {
  const { diagnosis_id, content, selection, child_runs, judged_by } = diagnosis;
  const { kind, ...parameters } = content.intervention;
  return {
    diagnosis_id,
    run_id: content.run_id,
    intervention: kind,
    parameters,
    criterion: content.criterion,
    repeats: content.repeats,
    carried: content.carried,
    ...tally,
    gold_recovered,
    selection,
    cases: content.cases,
    child_runs,
    ...(judged_by === undefined ? {} : { judged_by }),
  };
}
