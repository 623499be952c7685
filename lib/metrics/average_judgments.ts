/** One judgment of a case from those of its repeats. */
import { type Judgment, observed } from "../domain/judgment.ts";

/**
 * The mean of the repeats' values, as a number in [0, 1]; a single judgment is itself. When any repeat is not observed the
 * case is not either, with that repeat's reason: a mean over those that happened to work would flatter the system.
 */
export function averageJudgments(judgments: readonly [Judgment, ...Judgment[]]): Judgment {
  const [first] = judgments;
  if (judgments.length === 1) return first;
  const absent = judgments.find((judgment) => judgment.status !== "observed");
  if (absent !== undefined) return absent;
  const values = judgments.flatMap((judgment) =>
    judgment.status === "observed" ? [Number(judgment.value)] : []
  );
  return observed(values.reduce((sum, value) => sum + value, 0) / values.length);
}
