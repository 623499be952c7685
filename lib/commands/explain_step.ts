/** What became of one step of a case in the caches, told from its own fields and from those of earlier work on the same input. */
import type { StepExplanation } from "../domain/cache_explanation.ts";
import type { CacheOutcome } from "../domain/run.ts";
import { firstDifference } from "../stages/first_difference.ts";
import type { IdentityFields } from "../stages/identities.ts";

/** A step as it was done in some run. */
export interface StepTrace {
  readonly run_id: string;
  /** The identity that the store has, or would have, for it. */
  readonly identity: string;
  readonly fields: IdentityFields;
  /** Whether it left an entry that may answer for equal work: a failure does not. */
  readonly kept: boolean;
  /** Of a kept one, the run that made its entry; null when that was forgotten. */
  readonly made_by: string | null;
}

/** Explains a step from its trace and those of the same input in earlier runs, the newest first. */
export function explainStep(
  name: Pick<StepExplanation, "step" | "criterion">,
  outcome: CacheOutcome,
  here: StepTrace,
  earlier: readonly StepTrace[],
): StepExplanation {
  const equal = earlier.filter(({ identity }) => identity === here.identity);
  const found = equal.find(({ kept }) => kept);
  if (outcome === "hit") {
    if (here.made_by === here.run_id) return { ...name, outcome, reason: "shared", run: here.run_id };
    return { ...name, outcome, reason: "found", run: here.made_by };
  }
  if (found !== undefined) return { ...name, outcome, reason: "passed_over", run: found.run_id };
  const [failed] = equal;
  if (failed !== undefined) return { ...name, outcome, reason: "earlier_failed", run: failed.run_id };
  const newest = earlier.find(({ kept }) => kept);
  if (newest === undefined) return { ...name, outcome, reason: "no_earlier_entry", run: null };
  const difference = firstDifference(here.fields, newest.fields);
  return difference === undefined
    ? { ...name, outcome, reason: "other_version", run: newest.run_id }
    : { ...name, outcome, reason: "differs", run: newest.run_id, difference };
}
