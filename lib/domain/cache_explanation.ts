/** Why the work of a case was found in the caches or had to be done. */
import type { Json } from "./json.ts";

/** Why a step was a hit, a miss, or neither. */
export type CacheReason =
  /** Hit: an earlier entry answers for it. */
  | "found"
  /** Hit: equal work of the same run answers for it. */
  | "shared"
  /** Miss: the newest earlier entry for this input differs in a field. */
  | "differs"
  /** Miss: no run before had this input. */
  | "no_earlier_entry"
  /** Miss: the equal earlier work failed, and failures are not kept. */
  | "earlier_failed"
  /** Miss: an equal entry is there; `--refresh` ignored it, or it came too late, from a run at the same time. */
  | "passed_over"
  /** Miss: every field is the same and the identity is not, as by another version of oloproof. */
  | "other_version"
  /** Neither: the execution ended before. */
  | "not_reached";

/** The first field in which two identities differ; a value that is not there is absent. */
export interface FieldDifference {
  /** Dotted, with places of lists in brackets: `params.generate.model`, `context[1].text`. */
  readonly field: string;
  /** The value of the explained case. */
  readonly here?: Json;
  /** The value of the earlier one. */
  readonly there?: Json;
}

/** One step of a case: its execution as a whole, a stage, or the judgment of a criterion. */
export interface StepExplanation {
  /** Which step it is. */
  readonly step: "execution" | "retrieve" | "generate" | "judgment";
  /** Of a judgment. */
  readonly criterion?: string;
  /** As the run counted it. */
  readonly outcome: "hit" | "miss" | "not_reached";
  /** Why. */
  readonly reason: CacheReason;
  /** The run that the entry is of, or that was compared with; null when it was forgotten, or there is none. */
  readonly run: string | null;
  /** With the reason `differs`. */
  readonly difference?: FieldDifference;
}

/** The steps of one case, in their order; judgments in the order of the run's evaluators. */
export interface CacheExplanation {
  /** The run's whole id. */
  readonly run_id: string;
  /** The explained case. */
  readonly case_id: string;
  /** Execution, retrieve, generate, then a judgment per criterion. */
  readonly steps: readonly StepExplanation[];
}
