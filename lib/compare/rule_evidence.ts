/** What a rule decides by: observed outcomes, and what the unobserved ones could have been. */
import type { Rule } from "../domain/policy.ts";
import type { Outcome } from "./outcome.ts";

/** A baseline case as a rule sees it. */
export interface RuleCase {
  readonly case_id: string;
  /** The baseline's values of the slices that rules name, by `slice`. */
  readonly slices: ReadonlyMap<string, string>;
  readonly baseline: Outcome;
  /** `missing` also where the case is absent from the candidate, or changed. */
  readonly candidate: Outcome;
}

/** Counts of values. */
export type Counts = ReadonlyMap<number, number>;

/**
 * Folds baseline cases into the evidence for one rule. Every baseline case counts: one without an observed pair is completed
 * at its worst and at its best, or shrinking the suite would open the gate.
 */
export class RuleEvidence {
  readonly #observed = new Map<number, number>();
  readonly #atWorst = new Map<number, number>();
  readonly #atBest = new Map<number, number>();
  readonly #candidate = new Map<number, number>();
  readonly #regressed: string[] = [];
  #unobserved = 0;
  #candidateUnobserved = 0;
  #unobservedPasses = 0;
  readonly #unseen: Set<string>;
  #numbers = false;

  constructor(private readonly rule: Rule) {
    this.#unseen = new Set(rule.test === "no-regression" ? rule.cases : []);
  }

  add(one: RuleCase): void {
    this.#unseen.delete(one.case_id);
    if (one.baseline === "excluded" && one.candidate === "excluded" || !isInScope(this.rule, one)) return;
    const [baseline, candidate] = [this.#read(one.baseline), this.#read(one.candidate)];
    const worst = (candidate === "missing" ? 0 : candidate) - (baseline === "missing" ? 1 : baseline);
    const best = (candidate === "missing" ? 1 : candidate) - (baseline === "missing" ? 0 : baseline);
    count(this.#atWorst, worst);
    count(this.#atBest, best);
    if (candidate === "missing") this.#candidateUnobserved++;
    else count(this.#candidate, candidate);
    if (candidate === "missing" || baseline === "missing") {
      this.#unobserved++;
      // Of a baseline that is missing, too, a pass is possible.
      if (baseline !== 0) this.#unobservedPasses++;
      return;
    }
    count(this.#observed, candidate - baseline);
    if (baseline === 1 && candidate < 1) this.#regressed.push(one.case_id);
  }

  /** A candidate case that the baseline lacks: it counts for rules about the candidate alone. */
  addCandidateOnly(outcome: Outcome): void {
    if (outcome === "excluded") return;
    const candidate = this.#read(outcome);
    if (candidate === "missing") this.#candidateUnobserved++;
    else count(this.#candidate, candidate);
  }

  /** Cases that the candidate set out to execute and did not finish, beyond those that the baseline has. */
  addUnfinished(cases: number): void {
    this.#candidateUnobserved += cases;
  }

  /**
   * Cases of the baseline that were erased. Each may have been a pass that the candidate lost, or the other way round; a rule that
   * names its cases knows of its own which of them are gone.
   */
  addForgotten(cases: number): void {
    if (cases === 0 || (this.rule.test === "no-regression" && this.rule.cases !== undefined)) return;
    this.#atWorst.set(-1, (this.#atWorst.get(-1) ?? 0) + cases);
    this.#atBest.set(1, (this.#atBest.get(1) ?? 0) + cases);
    this.#unobserved += cases;
    this.#unobservedPasses += cases;
  }

  /**
   * A verdict as 0 or 1, and that it was one. An exclusion lies with the case alone: on one side only, an outcome
   * was taken away.
   */
  #read(outcome: Outcome): number | "missing" {
    if (typeof outcome === "number") this.#numbers = true;
    if (outcome === "excluded") return "missing";
    return typeof outcome === "boolean" ? Number(outcome) : outcome;
  }

  /** Whether all values that were seen are verdicts: then a share is a proportion. */
  get isPassFail(): boolean {
    return !this.#numbers;
  }

  /** Differences of observed pairs. */
  get observed(): Counts {
    return this.#observed;
  }

  /** Differences of all pairs, the unobserved sides at their worst for the candidate. */
  get atWorst(): Counts {
    return this.#atWorst;
  }

  /** Differences of all pairs, the unobserved sides at their best for the candidate. */
  get atBest(): Counts {
    return this.#atBest;
  }

  /** The candidate's observed values, whatever the baseline has. */
  get candidate(): Counts {
    return this.#candidate;
  }

  /** Cases of which the candidate has no observed value. */
  get candidateUnobserved(): number {
    return this.#candidateUnobserved;
  }

  /** Baseline cases without an observed pair. */
  get unobserved(): number {
    return this.#unobserved + this.#unseen.size;
  }

  /** Cases that the rule names and the baseline does not have, sorted: whether they regressed is not known. */
  get unseen(): readonly string[] {
    return [...this.#unseen].sort();
  }

  /** Of these, the ones that passed or may have passed in the baseline. */
  get unobservedPasses(): number {
    return this.#unobservedPasses;
  }

  /** Cases that went from pass to fail, sorted. */
  get regressed(): readonly string[] {
    return this.#regressed.toSorted();
  }
}

function isInScope(rule: Rule, { case_id, slices }: RuleCase): boolean {
  if (rule.test !== "no-regression") return true;
  if (rule.cases !== undefined) return rule.cases.includes(case_id);
  return rule.slice === undefined || slices.get(rule.slice.slice) === rule.slice.value;
}

function count(counts: Map<number, number>, value: number): void {
  counts.set(value, (counts.get(value) ?? 0) + 1);
}
