/** The outcome of one case for one criterion, as a comparison reads it. */
import type { Judgment } from "../domain/judgment.ts";

/** A value in [0, 1] (a pass is 1), or that there is none. */
export type Outcome = number | "missing" | "excluded";

/** The outcome that a judgment is. */
export function outcomeOf(judgment: Judgment | undefined): Outcome {
  if (judgment === undefined) return "missing";
  return judgment.status === "observed" ? Number(judgment.value) : judgment.status;
}
