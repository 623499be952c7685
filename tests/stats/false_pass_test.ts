/** The promise of the gate: a candidate that is worse by the margin passes at most 2.5 % of the time. */
import assert from "node:assert/strict";
import { pairedDifferenceInterval } from "../../lib/stats/paired_difference_interval.ts";
import { binomialProbability } from "./binomial_probability.ts";

interface Outcome {
  readonly pairs: number;
  readonly better: number;
  readonly worse: number;
}

type Decide = (outcome: Outcome, margin: number) => boolean;

const passesRule: Decide = ({ pairs, better, worse }, margin) => {
  const counts = [[1, better], [-1, worse], [0, pairs - better - worse]] as const;
  return pairedDifferenceInterval(counts.filter(([, count]) => count > 0)).lower > -margin;
};

/** What the rule would be with the interval of the normal approximation: good for many pairs only. */
const passesNormal: Decide = ({ pairs, better, worse }, margin) => {
  const mean = (better - worse) / pairs;
  return mean - 1.96 * Math.sqrt(((better + worse) / pairs - mean ** 2) / pairs) > -margin;
};

interface Truth {
  readonly pairs: number;
  readonly margin: number;
  /** The probability that a pair goes from fail to pass. Pass to fail is likelier by the margin. */
  readonly churn: number;
}

/**
 * The probability of a pass, by summing the trinomial.
 *
 * With more better, or fewer worse, in the place of ties a pass stays a pass. So the largest number of worse
 * that still passes only grows with better, and one walk along it decides every outcome.
 */
function passProbability(decide: Decide, { pairs, margin, churn }: Truth): number {
  // Pass to fail, among the pairs that are not better.
  const worseRate = (margin + churn) / (1 - churn);
  let passing = 0;
  let left = 1;
  let worse = -1;
  // What is left after this many better is too small to matter. Counting it as a pass errs on the safe side.
  for (let better = 0; better <= pairs && left > 1e-12; better++) {
    while (better + worse < pairs && decide({ pairs, better, worse: worse + 1 }, margin)) worse++;
    worse = Math.min(worse, pairs - better);
    const probability = binomialProbability(better, pairs, churn);
    left -= probability;
    for (let count = 0; count <= worse; count++) {
      passing += probability * binomialProbability(count, pairs - better, worseRate);
    }
  }
  return passing + Math.max(0, left);
}

const TRUTHS: readonly Truth[] = [0.02, 0.05].flatMap((margin) =>
  [0, 0.02].flatMap((churn) => [13, 30, 50, 100, 200].map((pairs) => ({ pairs, margin, churn })))
);

for (const truth of TRUTHS) {
  const { pairs, margin, churn } = truth;
  const title = `${pairs} pairs, ${margin + churn} worse and ${churn} better`;
  Deno.test(`${title}: non-inferiority by ${margin} passes at most 2.5 % of the time`, () => {
    const probability = passProbability(passesRule, truth);
    assert.ok(probability <= 0.025, `a pass has probability ${probability}`);
  });
}

Deno.test("the promise is kept by passing seldom, not by passing never", () => {
  const probability = passProbability(passesRule, { pairs: 200, margin: 0.05, churn: 0 });
  assert.ok(probability > 0.002, `a pass has probability ${probability}`);
});

Deno.test("the sum finds the false passes of a rule that does not keep the promise", () => {
  for (const truth of TRUTHS) {
    // Every outcome is counted, and once.
    assert.ok(Math.abs(passProbability(() => true, truth) - 1) < 1e-11);
    assert.ok(passProbability(() => false, truth) < 1e-11);
    assert.ok(passProbability(passesNormal, truth) > 0.025);
  }
  // Thirteen ties, which is 0.98^13 likely, are all it takes.
  const none = passProbability(passesNormal, { pairs: 13, margin: 0.02, churn: 0 });
  assert.ok(Math.abs(none - 0.98 ** 13) < 1e-12);
});
