/** A plan: what a policy asks of the number of cases. */
import type { Rule } from "./policy.ts";

/** One rule of a plan. */
export interface PlannedRule {
  /** The rule's name, unique within the policy. */
  readonly name: string;
  /** The criterion that it is about. */
  readonly criterion: string;
  /** The rule itself, as the policy states it. */
  readonly rule: Rule;
  /** Cases that the criterion can judge now. */
  readonly present: number;
  /** Cases that would do if no verdict changed (for a threshold: if all passed); null = no number would, or none is asked. */
  readonly needed_at_best: number | null;
  /** By share of changed verdicts, half better and half worse. */
  readonly needed_at_churn: readonly { readonly churn: number; readonly needed: number | null }[];
  /** The smallest loss that the present cases can exclude at best, a fraction; null where the rule is not about a difference. */
  readonly smallest_excluded_loss: number | null;
  /** Whether the present cases can never make the rule pass. */
  readonly cannot_pass: boolean;
}

/** What a policy asks. */
export interface Plan {
  /** The confidence of the intervals, 0.95 unless a policy says otherwise. */
  readonly level: number;
  /** The rules, in their order; all must pass. */
  readonly rules: readonly PlannedRule[];
  /** The names of the rules that cannot pass with the present cases. */
  readonly cannot_pass: readonly string[];
}
