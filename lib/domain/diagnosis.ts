/** A diagnosis: why failed cases failed, as far as re-executing them under a controlled change can tell. */

import type { JudgeRate } from "./calibration.ts";
import type { Notice } from "./run_report.ts";
import type { SystemSettings } from "./settings.ts";

/** What a re-execution changes. Everything else is as it was in the diagnosed run. */
export type Intervention =
  /** The gold passages in the place of the retrieved context. */
  | { readonly kind: "gold-context" }
  /** The recorded retrieval under a wider cut. */
  | { readonly kind: "top-k"; readonly top_k: number }
  /** The recorded retrieval in another order; `reranker` is `module:function`. */
  | { readonly kind: "reranker"; readonly reranker: string };

/** What is said of a case; each diagnosed case has exactly one label. */
export type DiagnosisLabel =
  | "UNSTABLE"
  | "INCONCLUSIVE"
  | "RETRIEVAL_MISS"
  | "RANKED_OUT"
  | "CONTEXT_ASSEMBLY_LOSS"
  | "CONTEXT_MISS"
  | "CONTEXT_INTERFERENCE"
  | "GENERATION_FAILURE";

/** What was recorded that led to the label. */
export type LabelReason =
  | "control_recovered"
  | "gold_run_failed"
  | "control_failed"
  | "no_relevance_labels"
  | UnknownEvidence
  | "relevant_not_retrieved"
  | "some_relevant_not_retrieved"
  | "relevant_below_top_k"
  | "some_relevant_below_top_k"
  | "relevant_dropped_from_context"
  | "some_relevant_dropped"
  | "relevant_left_out_of_context"
  | "some_relevant_left_out"
  | "relevant_not_in_context"
  | "some_relevant_not_in_context"
  | "relevant_in_context"
  | "other_passage_of_relevant_document"
  | "fails_with_gold_context";

/** Why nothing can be said of where evidence was lost, though the case recovered. */
export type UnknownEvidence = "candidate_without_chunk_id" | "context_not_reported";

/** How far the evidence for a label goes: it never reaches a cause. */
export type LabelStrength = "none" | "intervention_recovery" | "intervention_non_recovery";

/** How the repeats of one re-execution ended; the three add up to the number of repeats. */
export interface Attempts {
  /** Observed passes. */
  readonly passed: number;
  /** Observed fails. */
  readonly failed: number;
  /** Executions that failed, or whose judgment is missing. */
  readonly unjudged: number;
}

/**
 * Where a relevant unit was lost, or that it was not: `left_out` of the candidates where no top_k is known, `not_in_context` where no
 * candidates are.
 */
export type UnitFate =
  | "not_retrieved"
  | "below_top_k"
  | "dropped"
  | "left_out"
  | "not_in_context"
  | "in_context";

/** A relevant unit of a case and what became of it in the diagnosed run. */
export interface RelevantUnit {
  /** The document of the unit, an exact string. */
  readonly doc_id: string;
  /** Its chunk; absent when the unit is the document. */
  readonly chunk_id?: string;
  /** 1-based; null when it is not among the candidates, or these are not reported or no single ranking. */
  readonly position: number | null;
  /** Where it was lost, or that it reached the context. */
  readonly fate: UnitFate;
}

/** One case of a diagnosis. */
export interface DiagnosedCase {
  /** The id of the case, unique within the run. */
  readonly case_id: string;
  /** The first row of the table of labels that applies. */
  readonly label: DiagnosisLabel;
  /** What was recorded that led to the label; several reasons share one label. */
  readonly reason: LabelReason;
  /** How far the evidence goes: recovery, non-recovery, or none. */
  readonly strength: LabelStrength;
  /** Best position of a relevant unit among the recorded candidates; null when none is there or none is known. */
  readonly best_relevant_position: number | null;
  /** The relevant units in the order of the labels; empty without relevance labels. */
  readonly units: readonly RelevantUnit[];
  /** The re-execution without the intervention. */
  readonly control: Attempts;
  /** The re-execution under the intervention. */
  readonly intervention: Attempts;
  /** Whether the intervention passed while the control was observed failing. */
  readonly recovered: boolean;
  /** Of a generation failure on a text criterion: whether the expected text occurs in the gold context at all. */
  readonly expected_in_gold?: boolean;
}

/** What identifies a diagnosis: the same result of the same question has the same id. */
export interface DiagnosisContent {
  /** The form of this document; another form has another number. */
  readonly schema: "oloproof/diagnosis/1";
  /** The run, as `run_` and a ULID. */
  readonly run_id: string;
  /** The pass/fail criterion whose failures are diagnosed. */
  readonly criterion: string;
  /** What the re-execution changed. */
  readonly intervention: Intervention;
  /** How often each re-execution was made, an odd number. */
  readonly repeats: number;
  /** The gold-context diagnosis whose labels a replay carries; null for a gold-context diagnosis itself. */
  readonly carried: string | null;
  /** Sorted by case id. */
  readonly cases: readonly DiagnosedCase[];
}

/** Failed cases that could not be diagnosed, and why; counted, never left unsaid. */
export interface DiagnosisSelection {
  /** Observed failures of the criterion. */
  readonly failed: number;
  /** Failures that cannot be diagnosed, since the case has no gold context. */
  readonly without_gold_context: number;
  /** Cases whose judgment of the criterion is missing: whether they failed is not known. */
  readonly missing_judgments: number;
  /** Selected cases whose gold context was taken from the corpus, since the case states none. */
  readonly gold_from_corpus: number;
  /** Selected cases without a relevance label above 0. */
  readonly without_relevance_labels: number;
  /** Cases that the run planned and did not finish: whether they fail is not known. */
  readonly unfinished: number;
  /** Cases of the run that were erased before it was diagnosed: whether they failed is not known any more. */
  readonly forgotten: number;
  /** The limit that was set, null without one. */
  readonly limit: number | null;
  /** How often the run executed each case; absent = once. Of a case the first repeat that failed is diagnosed. */
  readonly run_repeats?: number;
}

/** The runs in which the re-executions are kept. */
export interface ChildRun {
  /** `gold context`, `control`, `top-k 4`, `reranker module:function`, `replay control`. */
  readonly role: string;
  /** The run, as `run_` and a ULID. */
  readonly run_id: string;
}

/** Who judged the criterion of a diagnosis. A judge errs, and a label stands on two or more of its verdicts. */
export interface JudgedBy {
  /** Provider and model, or the user's function. */
  readonly judge: string;
  /** The newest calibration of this very judge when the diagnosis was made; null when it was never measured. */
  readonly calibration_id: string | null;
  /** Of that calibration; null without one. */
  readonly sensitivity: JudgeRate | null;
  /** Of that calibration; null without one. */
  readonly specificity: JudgeRate | null;
}

/** A stored diagnosis: its content, and what stands beside it outside the id. */
export interface Diagnosis {
  /** `sha256:` and 64 hexadecimal digits. */
  readonly diagnosis_id: string;
  /** What the id is the hash of. */
  readonly content: DiagnosisContent;
  /** Which failures are in it, and how many could not be. */
  readonly selection: DiagnosisSelection;
  /** Of the diagnosed run. */
  readonly settings: Pick<SystemSettings, "depth" | "top_k" | "reports" | "ranked">;
  /** The runs that hold the re-executions, in the order in which they are named. */
  readonly child_runs: readonly ChildRun[];
  /** Of a judged criterion: who judged, and how well that was measured; absent where no judge is behind it. */
  readonly judged_by?: JudgedBy;
  /** ISO 8601, UTC. */
  readonly created_at: string;
}

/** The counts of control against intervention, over the cases in which both were judged. */
export interface PassTable {
  /** Passed under the intervention, failed without it. */
  readonly only_with: number;
  /** Failed under the intervention, passed without it. */
  readonly only_without: number;
  /** Passed either way. */
  readonly both: number;
  /** Failed either way. */
  readonly neither: number;
}

/** What a diagnosis amounts to. */
export interface DiagnosisTally {
  /** Diagnosed cases. */
  readonly selected: number;
  /** Cases of which a control passed. */
  readonly control_passed: number;
  /** Cases that passed under the intervention while the control was observed failing. */
  readonly recovered: number;
  /** Labels that occur, in the order of the table that assigns them. */
  readonly labels: readonly { readonly label: DiagnosisLabel; readonly cases: number }[];
  /** The factor behind the most recovered failures; several on a tie, none if nothing recovered or for a replay. */
  readonly implicated: readonly { readonly factor: string; readonly cases: number }[];
  /** Changes that the implicated factors suggest; each is a hypothesis. */
  readonly candidate_experiments: readonly string[];
  /** Control against intervention, where both were judged. */
  readonly passes: PassTable;
}

/** A diagnosis with its counts, ready to be told. */
export interface DiagnosisReport {
  /** The diagnosis itself, with every case. */
  readonly diagnosis: Diagnosis;
  /** What is counted over its cases. */
  readonly tally: DiagnosisTally;
  /** Cases that recovered with the gold context: of a replay, by the diagnosis whose labels it carries. */
  readonly gold_recovered: number;
  /** What is to be told beside it, such as of a system's own process; absent = nothing. */
  readonly notices?: readonly Notice[];
}
