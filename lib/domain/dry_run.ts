/** What a run would do, as far as that can be known without doing it. */
import type { CountedStage } from "./record.ts";
import type { SystemSettings } from "./settings.ts";

/** Calls of a stage, as many as are made if none fails. */
export interface PlannedCalls {
  /** Equal calls count once. */
  readonly calls: number;
  /** True where it may be fewer: what the stage would be given is not known beforehand. */
  readonly at_most: boolean;
}

/** What a run would do. */
export interface DryRun {
  /** The settings in force, `set` included. */
  readonly system: SystemSettings & { readonly source_digest: string | null };
  /** The run that would go on or be retried; null for a new one. */
  readonly run_id: string | null;
  /** Cases that would be run. */
  readonly cases: number;
  /** How often each of them is executed. */
  readonly repeats: number;
  /** Cases times repeats, by what would become of them; `total` is the sum of the others. */
  readonly executions: {
    readonly total: number;
    /** Finished already by the run that goes on, or carried from the run that is retried. */
    readonly finished: number;
    /** Answered at once by an equal execution of the store. */
    readonly cached: number;
    /** Answered by an equal execution of this run, if that does not fail. */
    readonly shared: number;
    /** The rest: their stages are called where the caches of the stages hold nothing. */
    readonly to_execute: number;
  };
  /**
   * Calls that no cache answers, by the stages that the system has: `retrieve` and `generate`, or `answer`, or none for recorded
   * outputs. Contexts that are not known yet may turn out to be known ones, so that `generate` is called less.
   */
  readonly calls: { readonly [Stage in CountedStage]?: PlannedCalls };
  /** Questions to judges by criterion, at most: what is remembered, or excluded, asks none. Absent when no evaluator has a judge. */
  readonly judge_calls?: { readonly [criterion: string]: PlannedCalls };
  /** One per evaluator and execution. */
  readonly judgments: {
    /** Judgments of the executions that are not finished. */
    readonly total: number;
    /** Those that the store holds. */
    readonly known: number;
    /** True where it may be more: what is refreshed may come out as it was. */
    readonly at_least: boolean;
  };
}
