/** The outcome of one case for one criterion, as a comparison reads it. */
import type { Judgment, JudgmentValue } from "../domain/judgment.ts";

/** A verdict or a value in [0, 1], or that there is none. */
export type Outcome = JudgmentValue | "missing" | "excluded";

/** The outcome that a judgment is; a judgment that is not there is missing. */
export function outcomeOf(judgment: Judgment | undefined): Outcome {
  if (judgment === undefined) return "missing";
  return judgment.status === "observed" ? judgment.value : judgment.status;
}
