import { clopperPearson } from "./clopper_pearson.ts";
import type { Interval } from "./interval.ts";

/** How a judge's verdicts fall beside those of people: the four cells of a 2×2 table, each a count. */
export interface VerdictTable {
  /** People pass it, and so does the judge. */
  readonly human_pass_judge_pass: number;
  /** People pass it, the judge fails it. */
  readonly human_pass_judge_fail: number;
  /** People fail it, the judge passes it. */
  readonly human_fail_judge_pass: number;
  /** People fail it, and so does the judge. */
  readonly human_fail_judge_fail: number;
}

/** A share with its exact interval. */
export interface Rate extends Interval {
  /** Observed share, a proportion. */
  readonly value: number;
  /** How many of `trials` came out so. */
  readonly successes: number;
  /** The denominator, at least 1. */
  readonly trials: number;
}

/** How well a judge agrees with people; null where the table leaves nothing to divide by. */
export interface JudgeAgreement {
  /** Share of rows with the same verdict. */
  readonly agreement: Rate | null;
  /** Of what people pass, the share that the judge passes. */
  readonly sensitivity: Rate | null;
  /** Of what people fail, the share that the judge fails. */
  readonly specificity: Rate | null;
  /** Cohen's kappa; null when both give one verdict throughout. */
  readonly kappa: number | null;
  /** Prevalence-adjusted, bias-adjusted kappa: 2 × agreement − 1. */
  readonly pabak: number | null;
  /** Gwet's AC1. */
  readonly gwet_ac1: number | null;
}

/**
 * What a 2×2 table says of a judge: sensitivity, specificity and agreement with exact intervals, and three
 * chance-corrected coefficients.
 *
 * Kappa is about chance, not about harm: with few failures among the labels it is low for a judge that errs
 * seldom, and it has no interval here. Sensitivity and specificity are what a decision needs.
 *
 * Source: intervals as `clopperPearson`; Cohen (1960), "A coefficient of agreement for nominal scales",
 * Educational and Psychological Measurement 20(1); Byrt, Bishop and Carlin (1993), "Bias, prevalence and
 * kappa", Journal of Clinical Epidemiology 46(5), for PABAK; Gwet (2008), "Computing inter-rater reliability
 * and its variance in the presence of high agreement", British Journal of Mathematical and Statistical
 * Psychology 61(1), for AC1. Guarantee: each interval alone holds its rate with probability at least `level`
 * for independent rows. Accuracy: that of `clopperPearson`, and for the coefficients of a few roundings.
 *
 * Edge cases: without a row that people pass there is no sensitivity, without one that they fail no
 * specificity, without any row nothing at all.
 *
 * @param options `level` of the intervals as a proportion in (0, 1); 0.95 when left out.
 * @throws {RangeError} When a count is not an integer of at least 0, or `level` is out of range.
 *
 * @example Forty-five of fifty right answers are passed
 * ```ts
 * import assert from "node:assert/strict";
 *
 * const { sensitivity, kappa } = judgeAgreement({
 *   human_pass_judge_pass: 45,
 *   human_pass_judge_fail: 5,
 *   human_fail_judge_pass: 3,
 *   human_fail_judge_fail: 47,
 * });
 *
 * assert.equal(sensitivity?.value, 0.9);
 * assert.ok(Math.abs((sensitivity?.lower ?? 0) - 0.7818646336) < 1e-9);
 * assert.ok(Math.abs((kappa ?? 0) - 0.84) < 1e-12);
 * ```
 */
export function judgeAgreement(
  table: VerdictTable,
  options: { readonly level?: number } = {},
): JudgeAgreement {
  const { human_pass_judge_pass: tp, human_pass_judge_fail: fn } = table;
  const { human_fail_judge_pass: fp, human_fail_judge_fail: tn } = table;
  for (const count of [tp, fn, fp, tn]) {
    if (!Number.isSafeInteger(count) || count < 0) {
      throw new RangeError(`Cannot tabulate ${count} rows: each cell is an integer of at least 0`);
    }
  }
  const rows = tp + fn + fp + tn;
  const agreement = rateOf(tp + tn, rows, options);
  const passes = { human: (tp + fn) / rows, judge: (tp + fp) / rows };
  const observed = agreement?.value;
  const mean = (passes.human + passes.judge) / 2;
  return {
    agreement,
    sensitivity: rateOf(tp, tp + fn, options),
    specificity: rateOf(tn, tn + fp, options),
    kappa: beyondChance(
      observed,
      passes.human * passes.judge + (1 - passes.human) * (1 - passes.judge),
    ),
    pabak: observed === undefined ? null : 2 * observed - 1,
    gwet_ac1: beyondChance(observed, 2 * mean * (1 - mean)),
  };
}

function rateOf(successes: number, trials: number, options: { readonly level?: number }): Rate | null {
  if (trials === 0) return null;
  return { value: successes / trials, successes, trials, ...clopperPearson(successes, trials, options) };
}

/** The part of the agreement that chance leaves, as a share of what it could leave. */
function beyondChance(observed: number | undefined, chance: number): number | null {
  if (observed === undefined || chance === 1) return null;
  return (observed - chance) / (1 - chance);
}
