/** The label of a case: the first row of one table that applies. */
import type {
  Attempts,
  DiagnosisLabel,
  LabelReason,
  LabelStrength,
  RelevantUnit,
  UnitFate,
  UnknownEvidence,
} from "../domain/diagnosis.ts";

/** What a label is made of. */
export interface LabelFacts {
  readonly control: Attempts;
  /** The re-execution with the gold context. */
  readonly gold: Attempts;
  /** Relevant units of the diagnosed run, `[]` without labels; or why nothing is known of them. */
  readonly units: readonly RelevantUnit[] | UnknownEvidence;
  /** Whether a relevant document is in the context, but only by passages that do not hold the gold text. */
  readonly otherPassage: boolean;
}

/** A label with its reason and strength. */
export interface Labelling {
  readonly label: DiagnosisLabel;
  readonly reason: LabelReason;
  readonly strength: LabelStrength;
}

/**
 * Labels one case. A control that ever passed shows that the failure comes and goes by itself; a re-execution that failed is
 * never held against the system; only what recovered points to a stage.
 */
export function labelCase(facts: LabelFacts): Labelling {
  const { control, gold, units } = facts;
  if (control.passed > 0) return { label: "UNSTABLE", reason: "control_recovered", strength: "none" };
  if (gold.unjudged > 0) return inconclusive("gold_run_failed");
  if (control.unjudged > 0) return inconclusive("control_failed");
  if (!isRecovered(gold, control)) {
    return {
      label: "GENERATION_FAILURE",
      reason: "fails_with_gold_context",
      strength: "intervention_non_recovery",
    };
  }
  if (typeof units === "string") return inconclusive(units);
  if (units.length === 0) return inconclusive("no_relevance_labels");
  return { ...locateLoss(units, facts.otherPassage), strength: "intervention_recovery" };
}

/** Whether more than half of the repeats passed under the intervention, and every control was observed failing. */
export function isRecovered(intervention: Attempts, control: Attempts): boolean {
  const { passed, failed, unjudged } = intervention;
  return control.passed === 0 && control.unjudged === 0 && unjudged === 0 && passed > failed;
}

function inconclusive(reason: LabelReason): Labelling {
  return { label: "INCONCLUSIVE", reason, strength: "none" };
}

type Loss = Omit<Labelling, "strength">;

const wholeLoss: Readonly<Record<Exclude<UnitFate, "in_context">, Loss>> = {
  not_retrieved: { label: "RETRIEVAL_MISS", reason: "relevant_not_retrieved" },
  below_top_k: { label: "RANKED_OUT", reason: "relevant_below_top_k" },
  dropped: { label: "CONTEXT_ASSEMBLY_LOSS", reason: "relevant_dropped_from_context" },
  left_out: { label: "CONTEXT_ASSEMBLY_LOSS", reason: "relevant_left_out_of_context" },
  not_in_context: { label: "CONTEXT_MISS", reason: "relevant_not_in_context" },
};

const partLoss: Readonly<Record<Exclude<UnitFate, "in_context">, Loss>> = {
  not_retrieved: { label: "RETRIEVAL_MISS", reason: "some_relevant_not_retrieved" },
  below_top_k: { label: "RANKED_OUT", reason: "some_relevant_below_top_k" },
  dropped: { label: "CONTEXT_ASSEMBLY_LOSS", reason: "some_relevant_dropped" },
  left_out: { label: "CONTEXT_ASSEMBLY_LOSS", reason: "some_relevant_left_out" },
  not_in_context: { label: "CONTEXT_MISS", reason: "some_relevant_not_in_context" },
};

/** Losses from the earliest stage to the latest; the last two take the place of those that are not told apart. */
const stages = ["not_retrieved", "below_top_k", "dropped", "left_out", "not_in_context"] as const;

/**
 * Where the evidence was lost. When no unit reached the context, the unit that came furthest says how far evidence came at
 * all; when some did, the unit lost earliest says what was still lacking.
 */
function locateLoss(units: readonly RelevantUnit[], otherPassage: boolean): Loss {
  const lost = stages.filter((fate) => units.some((unit) => unit.fate === fate));
  const [earliest] = lost;
  if (earliest === undefined) {
    return {
      label: "CONTEXT_INTERFERENCE",
      reason: otherPassage ? "other_passage_of_relevant_document" : "relevant_in_context",
    };
  }
  if (units.some((unit) => unit.fate === "in_context")) return partLoss[earliest];
  return wholeLoss[lost.at(-1) ?? earliest];
}
