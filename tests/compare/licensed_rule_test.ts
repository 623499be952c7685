import assert from "node:assert/strict";
import { decideRule } from "../../lib/compare/decide.ts";
import { licensedRule, refusalOf } from "../../lib/compare/licensed_rule.ts";
import { requirementsOf } from "../../lib/compare/requirement.ts";
import { RuleEvidence } from "../../lib/compare/rule_evidence.ts";
import type { JudgeLicence } from "../../lib/domain/comparison.ts";
import type { Rule } from "../../lib/domain/policy.ts";
import { pairedDifferenceInterval } from "../../lib/stats/paired_difference_interval.ts";

const rate = (value: number) => ({ value, successes: 0, trials: 1, lower: value, upper: value });

function licenceWith(margin_factor: number | null): JudgeLicence {
  return {
    criterion: "c",
    judge: "object judge:it",
    calibration_id: "sha256:1",
    labels: 100,
    sensitivity: rate(0.9),
    specificity: rate(0.8),
    problem: margin_factor === null ? "it errs" : null,
    margin_factor,
  };
}

const rule = (test: Rule["test"], more: object = {}): Rule =>
  ({ name: "r", criterion: "c", test, ...more }) as Rule;
const worse = rule("non-inferiority", { margin_points: 10 });

/** Evidence of pairs: so many tied, so many lost, so many won. */
function evidenceOf(of: Rule, tied: number, lost = 0, won = 0): RuleEvidence {
  const evidence = new RuleEvidence(of);
  const add = (count: number, baseline: boolean, candidate: boolean) => {
    for (let index = 0; index < count; index++) {
      evidence.add({ case_id: `${baseline}${candidate}${index}`, slices: new Map(), baseline, candidate });
    }
  };
  add(tied, true, true);
  add(lost, true, false);
  add(won, false, true);
  return evidence;
}

Deno.test("rules without a judge are as they are", () => {
  assert.equal(licensedRule(worse, undefined), worse);
  assert.equal(refusalOf(rule("threshold", { at_least: 0.5 }), undefined), undefined);
  assert.ok(!("shrunk_margin_points" in decideRule(worse, evidenceOf(worse, 500), 0.95)));
});

Deno.test("what may be lost shrinks; what must be gained does not", () => {
  const licence = licenceWith(0.5);
  const margin = (of: Rule) => {
    const licensed = licensedRule(of, licence);
    return "margin_points" in licensed ? licensed.margin_points : undefined;
  };
  assert.equal(margin(worse), 5);
  assert.equal(margin(rule("equivalence", { margin_points: 8 })), 4);
  assert.equal(margin(rule("superiority", { margin_points: 10 })), 10);
  assert.equal(margin(rule("no-regression")), undefined);
});

Deno.test("the shrunk margin decides, by unrounded bounds", () => {
  const pairs = 60;
  const excluded = -pairedDifferenceInterval([[0, pairs]]).lower;
  // Ten points are just cleared as they stand, and not any more when they are shrunk.
  assert.ok(excluded < 0.1);
  const evidence = evidenceOf(worse, pairs);
  assert.equal(decideRule(worse, evidence, 0.95).decision, "PASS");
  const barely = decideRule(worse, evidence, 0.95, licenceWith(excluded / 0.1 + 1e-6));
  assert.deepEqual([barely.decision, barely.reason], ["PASS", "interval_clears_margin"]);
  const not = decideRule(worse, evidence, 0.95, licenceWith(excluded / 0.1 - 1e-6));
  assert.deepEqual([not.decision, not.reason], ["INSUFFICIENT_EVIDENCE", "interval_overlaps_margin"]);
  assert.equal(not.margin_points, 10);
  assert.ok(Math.abs((not.shrunk_margin_points ?? 0) - 100 * excluded) < 0.001);
});

Deno.test("a judge that is not qualified decides nothing, for the better or the worse", () => {
  for (const  of of[worse, rule("superiority", { margin_points: 0 }), rule("no-regression")]) {
    for (const evidence of [evidenceOf(of, 500), evidenceOf(of, 0, 500), evidenceOf(of, 0, 0, 500)]) {
      const { decision, reason, lower, upper } = decideRule(of, evidence, 0.95, licenceWith(null));
      assert.deepEqual([decision, reason], ["INSUFFICIENT_EVIDENCE", "judge_not_qualified"]);
      assert.deepEqual([lower, upper], [null, null]);
    }
  }
});

Deno.test("a judged rate decides nothing, however good the judge and the rate", () => {
  for (const test of ["threshold", "suite-threshold"] as const) {
    const of = rule(test, { at_least: 0.1 });
    for (const licence of [licenceWith(1), licenceWith(null)]) {
      const decided = decideRule(of, evidenceOf(of, 80, 20), 0.95, licence);
      assert.deepEqual([decided.decision, decided.reason], ["INSUFFICIENT_EVIDENCE", "judge_rate_is_biased"]);
      assert.equal(decided.judged_share?.observed, 0.8);
      assert.ok(Math.abs((decided.judged_share?.corrected ?? 0) - 6 / 7) < 1e-12);
    }
  }
});

Deno.test("more cases are not asked for where they could not help", () => {
  for (
    const [of, licence] of [
      [worse, licenceWith(null)],
      [rule("threshold", { at_least: 0.9 }), licenceWith(1)],
    ] as const
  ) {
    const evidence = evidenceOf(of, 5);
    const decision = decideRule(of, evidence, 0.95, licence);
    assert.deepEqual(requirementsOf([of], [decision], [evidence], 0.95), []);
  }
});
