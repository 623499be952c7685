/** A whole comparison, folded case by case: metrics, slices, changed verdicts, and the evidence of every rule. */
import type {
  ComparisonContent,
  Decision,
  JudgeLicence,
  MetricDifference,
  SliceDifference,
  Unpaired,
  VerdictChange,
} from "../domain/comparison.ts";
import { compareText } from "../domain/error.ts";
import type { Policy } from "../domain/policy.ts";
import { decideGate, decideRule } from "./decide.ts";
import { DifferenceFold } from "./difference.ts";
import type { Outcome } from "./outcome.ts";
import { RuleEvidence } from "./rule_evidence.ts";

/** What is compared, and how. */
export interface ComparisonPlan {
  readonly candidate: string;
  /** Null where a policy of thresholds needs no baseline. */
  readonly baseline: string | null;
  /** The criteria of both runs (of the candidate alone without a baseline), in its order. */
  readonly criteria: readonly string[];
  /** Slices whose differences are told, in the baseline's order. */
  readonly slices: readonly string[];
  readonly min_slice_support: number;
  readonly level: number;
  readonly policy: Policy | null;
  /** What is known of the judges behind criteria of the rules; absent = no judge is behind any. */
  readonly judges?: readonly JudgeLicence[];
}

/** One side of a case: an outcome per criterion of the plan. */
export type Outcomes = readonly Outcome[];

/** Values of slices by their names. */
export type SliceValues = ReadonlyMap<string, string>;

/** Folds the cases of two runs, in any order. */
export class ComparisonFold {
  readonly #metrics: readonly DifferenceFold[];
  readonly #slices = new Map<string, Map<string, { cases: number; metrics: readonly DifferenceFold[] }>>();
  readonly #rules: readonly RuleEvidence[];
  readonly #changes: VerdictChange[] = [];
  #paired = 0;
  #candidateOnly = 0;
  #baselineOnly = 0;
  #changed = 0;

  constructor(private readonly plan: ComparisonPlan) {
    this.#metrics = plan.criteria.map(() => new DifferenceFold());
    for (const slice of plan.slices) this.#slices.set(slice, new Map());
    this.#rules = (plan.policy?.rules ?? []).map((rule) => new RuleEvidence(rule));
  }

  /** A case of both runs with the same input and expectation. */
  addPair(case_id: string, candidate: Outcomes, baseline: Outcomes, slices: SliceValues): void {
    this.#paired++;
    this.#addDifferences(this.#metrics, candidate, baseline);
    for (const [slice, groups] of this.#slices) {
      const value = slices.get(slice) ?? "absent";
      const group = groups.get(value) ??
        { cases: 0, metrics: this.plan.criteria.map(() => new DifferenceFold()) };
      groups.set(value, group);
      group.cases++;
      this.#addDifferences(group.metrics, candidate, baseline);
    }
    for (const [index, criterion] of this.plan.criteria.entries()) {
      const [now, before] = [candidate[index], baseline[index]];
      if (typeof now !== "boolean" || typeof before !== "boolean" || now === before) continue;
      this.#changes.push({ case_id, criterion, change: now ? "better" : "worse" });
    }
    this.#addToRules(case_id, candidate, baseline, slices);
  }

  /** A case of both runs whose input or expectation is not the same. */
  addChanged(case_id: string, candidate: Outcomes, baseline: Outcomes, slices: SliceValues): void {
    this.#changed++;
    this.#addToRules(case_id, undefined, baseline, slices);
    this.#addCandidateOnly(candidate);
  }

  addOnlyInBaseline(case_id: string, baseline: Outcomes, slices: SliceValues): void {
    this.#baselineOnly++;
    this.#addToRules(case_id, undefined, baseline, slices);
  }

  addOnlyInCandidate(candidate: Outcomes): void {
    this.#candidateOnly++;
    this.#addCandidateOnly(candidate);
  }

  /** Cases that the candidate planned and did not finish; those that the baseline has are counted already. */
  addUnfinished(cases: number): void {
    const beyond = Math.max(0, cases - this.#baselineOnly);
    for (const evidence of this.#rules) evidence.addUnfinished(beyond);
  }

  /** Cases that either run had and that were erased: nobody can tell any more which they were. */
  addForgotten({ candidate, baseline }: { readonly candidate: number; readonly baseline: number }): void {
    for (const evidence of this.#rules) {
      evidence.addUnfinished(candidate);
      evidence.addForgotten(baseline);
    }
  }

  content(): ComparisonContent {
    const { candidate, baseline, level, policy, judges = [] } = this.plan;
    const decisions = this.#decisions();
    return {
      schema: "oloproof/comparison/1",
      candidate,
      baseline,
      level,
      policy,
      paired: this.#paired,
      unpaired: this.#unpaired(),
      metrics: baseline === null ? [] : this.#differences(this.#metrics),
      slices: this.#sliceDifferences(),
      changes: this.#changes.toSorted((a, b) =>
        compareText(a.case_id, b.case_id) || compareText(a.criterion, b.criterion)
      ),
      ...(judges.length === 0 ? {} : { judges }),
      decisions,
      gate: policy === null ? null : decideGate(decisions, policy),
    };
  }

  /** The evidence of the rules, in their order. */
  get rules(): readonly RuleEvidence[] {
    return this.#rules;
  }

  #unpaired(): Unpaired {
    return {
      only_in_candidate: this.plan.baseline === null ? 0 : this.#candidateOnly,
      only_in_baseline: this.#baselineOnly,
      changed: this.#changed,
    };
  }

  #decisions(): readonly Decision[] {
    const { level, policy, judges = [] } = this.plan;
    return (policy?.rules ?? []).flatMap((rule, index) => {
      const evidence = this.#rules[index];
      const licence = judges.find(({ criterion }) => criterion === rule.criterion);
      return evidence === undefined ? [] : [decideRule(rule, evidence, level, licence)];
    });
  }

  #sliceDifferences(): readonly SliceDifference[] {
    return [...this.#slices].flatMap(([slice, groups]) =>
      [...groups].sort(([a], [b]) => compareText(a, b)).map(([value, { cases, metrics }]) => ({
        slice,
        value,
        cases,
        metrics: cases < this.plan.min_slice_support ? null : this.#differences(metrics),
      }))
    );
  }

  #differences(folds: readonly DifferenceFold[]): readonly MetricDifference[] {
    const { level } = this.plan;
    return this.plan.criteria.flatMap((criterion, index) => {
      const fold = folds[index];
      return fold === undefined ? [] : [fold.difference(criterion, { level })];
    });
  }

  #addDifferences(folds: readonly DifferenceFold[], candidate: Outcomes, baseline: Outcomes): void {
    for (const [index, fold] of folds.entries()) {
      fold.add(candidate[index] ?? "missing", baseline[index] ?? "missing");
    }
  }

  #addToRules(
    case_id: string,
    candidate: Outcomes | undefined,
    baseline: Outcomes,
    slices: SliceValues,
  ): void {
    for (const [rule, evidence] of this.#eachRule()) {
      evidence.add({
        case_id,
        slices,
        baseline: baseline[rule] ?? "missing",
        candidate: candidate?.[rule] ?? "missing",
      });
    }
  }

  #addCandidateOnly(candidate: Outcomes): void {
    for (const [rule, evidence] of this.#eachRule()) evidence.addCandidateOnly(candidate[rule] ?? "missing");
  }

  /** The rules' evidence with the index of their criterion. */
  #eachRule(): readonly (readonly [number, RuleEvidence])[] {
    return (this.plan.policy?.rules ?? []).flatMap((rule, index) => {
      const evidence = this.#rules[index];
      return evidence === undefined ? [] : [[this.plan.criteria.indexOf(rule.criterion), evidence] as const];
    });
  }
}
