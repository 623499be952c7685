/** A sweep: one recorded retrieval under every combination of some settings, each against the run that it starts from. */
import type { MetricDifference } from "./comparison.ts";
import type { Json, JsonObject } from "./json.ts";
import type { Metric } from "./metric.ts";

/** A setting and the values that it takes. */
export interface VariedSetting {
  /** Its dotted name, as in `--set`: `top_k`, `token_budget`, or a path below `params.generate`. */
  readonly setting: string;
  /** At least one, none twice, in the order in which they were given. */
  readonly values: readonly Json[];
}

/** What one combination came to. */
export interface Combination {
  /** The value of each varied setting, by its dotted name. */
  readonly set: JsonObject;
  /** Whether these are the settings of the run itself. */
  readonly as_run: boolean;
  /** One per criterion of the run, in its order. */
  readonly metrics: readonly Metric[];
  /** The paired differences from the run, combination minus run; likewise. */
  readonly differences: readonly MetricDifference[];
}

/** What identifies a sweep: the same result of the same question has the same id. */
export interface SweepContent {
  /** The form of this document; another form has another number. */
  readonly schema: "oloproof/sweep/1";
  /** The run whose retrievals, cases and evaluators are used. */
  readonly run_id: string;
  /** In the order in which they were given; the last one varies fastest. */
  readonly varied: readonly VariedSetting[];
  /** Criteria that read the retrieval alone and came out as in the run everywhere: of the others each combination is told. */
  readonly unaffected: readonly string[];
  /** Cases of the run. */
  readonly cases: number;
  /** Every combination of the values. */
  readonly combinations: readonly Combination[];
}

/** Where a combination is kept. */
export interface CombinationRun {
  /** The child run with every case of it. */
  readonly run_id: string;
  /** The comparison of that run with the one that the sweep starts from. */
  readonly comparison_id: string;
}

/** Calls of one stage over all combinations. */
export interface SweptCalls {
  /** Calls that were made. */
  readonly made: number;
  /** Calls that running the combinations one by one, without what was recorded, would have made besides. */
  readonly saved: number;
}

/** A stored sweep: its content, and what stands beside it outside the id. */
export interface Sweep {
  /** `sha256:` and 64 hexadecimal digits. */
  readonly sweep_id: string;
  /** What the id is the hash of. */
  readonly content: SweepContent;
  /** One per combination, in their order. */
  readonly runs: readonly CombinationRun[];
  /** Of this making; made again, everything is found. */
  readonly calls: { readonly retrieve: SweptCalls; readonly generate: SweptCalls };
  /** ISO 8601, UTC. */
  readonly created_at: string;
}
