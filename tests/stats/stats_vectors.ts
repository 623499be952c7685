import fixture from "../fixtures/stats_vectors.json" with { type: "json" };
import type { NumberStyle } from "../../lib/stats/number_style.ts";

/** An expected interval, and how its ends are printed. */
export interface ExpectedInterval {
  readonly lower: number;
  readonly upper: number;
  readonly printed: readonly string[];
}

/** An expected betting interval: on the 19 basic fractions, and on the full grid where that differs. */
export interface BettingVector {
  readonly id: string;
  readonly pairs: readonly (readonly [value: number, count: number])[];
  readonly cases: number;
  readonly alpha: number;
  readonly grid19: ExpectedInterval;
  readonly full: ExpectedInterval;
  readonly estimate: number;
}

interface BettingEntry {
  readonly id: string;
  readonly input: { readonly values: number[][]; readonly n: number; readonly alpha: number };
  readonly expected: {
    readonly grid19: ExpectedInterval;
    readonly gridN?: ExpectedInterval | undefined;
    readonly estimate: number;
  };
}

/** JSON has no pairs, only lists of any length. */
function toPairs(id: string, lists: readonly number[][]): BettingVector["pairs"] {
  return lists.map(([value, weight]) => {
    if (value === undefined || weight === undefined) throw new Error(`Vector ${id} has an incomplete pair`);
    return [value, weight] as const;
  });
}

function toBettingVector({ id, input, expected }: BettingEntry): BettingVector {
  const pairs = toPairs(id, input.values);
  const { grid19, gridN, estimate } = expected;
  return { id, pairs, cases: input.n, alpha: input.alpha, grid19, full: gridN ?? grid19, estimate };
}

const STYLES: Readonly<Record<string, NumberStyle>> = { pct: "percent", dec3: "decimal", pts: "points" };

export const clopperPearsonVectors = fixture.clopper_pearson;

export const bettingMeanVectors = fixture.betting_mean.map(toBettingVector);

export const bettingPairedVectors = fixture.betting_paired.map(toBettingVector);

export const outwardRoundingVectors = fixture.outward_rounding.map(({ id, input, expected }) => {
  const style = STYLES[input.style];
  if (style === undefined) throw new Error(`Vector ${id} has the unknown style ${input.style}`);
  return { id, lower: input.lower, upper: input.upper, style, printed: expected.printed };
});

export const mcnemarVectors = fixture.mcnemar_exact;

export const missingBoundsVectors = fixture.missing_bounds;

export const casesNeededVectors = fixture.cases_needed.map(({ id, input, expected }) => {
  return { id, shape: toPairs(id, input.shape), margin: input.margin, alpha: input.alpha, cases: expected.n };
});

export const judgeAgreementVectors = fixture.judge_agreement;

export const roganGladenVectors = fixture.rogan_gladen;
