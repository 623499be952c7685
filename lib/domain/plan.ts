/** A plan: what a policy asks of the number of cases. */
import type { JudgeLicence } from "./comparison.ts";
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
  /** By share of changed verdicts, half better and half worse; for superiority all better. */
  readonly needed_at_churn: readonly { readonly churn: number; readonly needed: number | null }[];
  /** The smallest loss that the present cases can exclude at best, a fraction; null where the rule is not about a difference. */
  readonly smallest_excluded_loss: number | null;
  /**
   * Whether there are fewer cases than `needed_at_best`. A threshold or an equivalence then never passes, non-inferiority
   * only when the candidate is better.
   */
  readonly too_few: boolean;
  /** Points, unrounded: the margin that is planned for, where the errors of a judge shrink it; absent elsewhere. */
  readonly shrunk_margin_points?: number;
  /** Why no number of cases can pass it; absent when it is a matter of cases. */
  readonly refused?: "judge_not_qualified" | "judge_rate_is_biased";
}

/** What a policy asks. */
export interface Plan {
  /** The confidence of the intervals, 0.95 unless a policy says otherwise. */
  readonly level: number;
  /** The rules, in their order; all must pass. */
  readonly rules: readonly PlannedRule[];
  /** The names of the rules that have too few cases. */
  readonly too_few: readonly string[];
  /** The judges behind criteria of the rules; absent when there are none. */
  readonly judges?: readonly JudgeLicence[];
}

/** What keeps judged rules from deciding, for a sentence; empty when nothing does. */
export function refusedText({ rules, judges = [] }: Pick<Plan, "rules" | "judges">): string {
  return rules.filter(({ refused }) => refused !== undefined).map(({ name, criterion, refused }) => {
    if (refused === "judge_rate_is_biased") {
      return `${name} asks for a rate, which a judge gives with a bias`;
    }
    const { judge, problem } = judges.find((one) => one.criterion === criterion) ?? {};
    return `${name} is judged by ${judge}, which may not gate: ${problem}`;
  }).join("; ");
}

/** What the rules with too few cases have and need, for a sentence. */
export function tooFewText({ rules }: Pick<Plan, "rules">): string {
  return rules.filter(({ too_few }) => too_few).map(({ name, present, needed_at_best, rule }) => {
    const has = `${name} has ${present} case${present === 1 ? "" : "s"}`;
    const needs = `needs ${needed_at_best ?? "more than any number"}`;
    return `${has} and ${needs}${rule.test === "non-inferiority" ? " unless verdicts improve" : ""}`;
  }).join("; ");
}
