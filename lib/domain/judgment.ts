/** Judgments: what an evaluator says of one record. */
import type { Json } from "./json.ts";
import { JUDGE_FAILURES } from "./judge.ts";

/** A pass/fail verdict (boolean) or a value in [0, 1]. */
export type JudgmentValue = boolean | number;

/**
 * Absence is a type: a judgment is observed with a value, missing (it should be there and is not), or excluded (the
 * evaluator does not apply to this case). What the system under test could have caused is never excluded.
 */
export type Judgment =
  | { readonly status: "observed"; readonly value: JudgmentValue; readonly details?: Json }
  | { readonly status: "missing"; readonly reason: string; readonly message?: string }
  | { readonly status: "excluded"; readonly reason: string };

/** An observed judgment. */
export function observed(value: JudgmentValue, details?: Json): Judgment {
  return details === undefined ? { status: "observed", value } : { status: "observed", value, details };
}

/** A judgment that is absent though it should be there. */
export function missing(reason: string, message?: string): Judgment {
  return message === undefined ? { status: "missing", reason } : { status: "missing", reason, message };
}

/** A judgment that does not apply to the case. */
export function excluded(reason: string): Judgment {
  return { status: "excluded", reason };
}

/** Reasons that lie with the judging and may be gone next time: such judgments are never cached. */
const PASSING_REASONS: ReadonlySet<string> = new Set([
  "execution_failed",
  "evaluator_failed",
  "evaluator_timed_out",
  "pattern_timed_out",
  ...JUDGE_FAILURES,
]);

/** Whether a judgment may stand for the same judgment in a later run. */
export function isLasting(judgment: Judgment): boolean {
  return judgment.status !== "missing" || !PASSING_REASONS.has(judgment.reason);
}
