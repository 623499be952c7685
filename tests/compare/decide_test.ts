/** Decisions: reference values, every test's three answers, and outcomes that nobody observed. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { decideGate, decideRule } from "../../lib/compare/decide.ts";
import type { Outcome } from "../../lib/compare/outcome.ts";
import { RuleEvidence } from "../../lib/compare/rule_evidence.ts";
import type { Decision, Verdict } from "../../lib/domain/comparison.ts";
import type { Rule } from "../../lib/domain/policy.ts";
import vectors from "../fixtures/stats_vectors.json" with { type: "json" };

const NONE: ReadonlyMap<string, string> = new Map();

/** Decides a rule on pairs of outcomes, [candidate, baseline] each, so many times. */
function decide(rule: Rule, pairs: readonly (readonly [Outcome, Outcome, number])[], level = 0.95): Decision {
  const evidence = new RuleEvidence(rule);
  let case_id = 0;
  for (const [candidate, baseline, times] of pairs) {
    for (let time = 0; time < times; time++) {
      evidence.add({ case_id: `c${case_id++}`, slices: NONE, candidate, baseline });
    }
  }
  return decideRule(rule, evidence, level);
}

const named = { name: "rule", criterion: "right" };

function differenceRule(test: string, margin: number): Rule {
  const tests = ["non-inferiority", "superiority", "equivalence"] as const;
  const known = tests.find((one) => one === test.replace("_", "-"));
  assert.ok(known !== undefined, test);
  return { ...named, test: known, margin_points: margin * 100 };
}

/** A pair of verdicts with a difference of -1, 0 or 1. */
function pairOf(difference: number): readonly [Outcome, Outcome] {
  return difference > 0 ? [true, false] : difference < 0 ? [false, true] : [true, true];
}

for (const { id, input, expected } of vectors.decision_paired) {
  Deno.test(`decision ${id}: ${input.rule}, margin ${input.margin}`, () => {
    const pairs = input.values.map(([difference = 0, times = 0]) => [...pairOf(difference), times] as const);
    const decided = decide(differenceRule(input.rule, input.margin), pairs, 1 - input.alpha);
    assert.equal(decided.decision, expected.decision);
    assert.ok(Math.abs((decided.lower ?? 2) - expected.lower) < 1e-9);
    assert.ok(Math.abs((decided.upper ?? 2) - expected.upper) < 1e-9);
  });
}

for (const { id, input, expected } of vectors.decision_threshold) {
  Deno.test(`decision ${id}: threshold ${input.at_least}`, () => {
    const rule: Rule = { ...named, test: "threshold", at_least: input.at_least };
    const pairs = [[true, true, input.successes], [false, true, input.n - input.successes]] as const;
    const decided = decide(rule, pairs, 1 - input.alpha);
    assert.equal(decided.decision, expected.decision);
    assert.ok(Math.abs((decided.lower ?? 2) - expected.lower) < 1e-9);
  });
}

const rows: readonly (readonly [
  what: string,
  rule: Rule,
  pairs: readonly (readonly [Outcome, Outcome, number])[],
  expected: string,
])[] = [
  [
    "nothing observed",
    differenceRule("non-inferiority", 0.05),
    [["missing", true, 9]],
    "INSUFFICIENT_EVIDENCE no_observed_outcomes",
  ],
  [
    "only excluded",
    differenceRule("superiority", 0),
    [["excluded", "excluded", 9]],
    "INSUFFICIENT_EVIDENCE no_observed_outcomes",
  ],
  ["all tie", differenceRule("non-inferiority", 0.05), [[true, true, 109]], "PASS interval_clears_margin"],
  [
    "all tie, one unobserved that may have been lost",
    differenceRule("non-inferiority", 0.05),
    [[true, true, 120], ["missing", true, 1]],
    "INSUFFICIENT_EVIDENCE missing_outcomes",
  ],
  [
    "all tie, one unobserved among very many",
    differenceRule("non-inferiority", 0.05),
    [[true, true, 400], ["missing", true, 1]],
    "PASS interval_clears_margin",
  ],
  [
    "equivalence could be left in either direction",
    differenceRule("equivalence", 0.05),
    [[true, true, 120], [true, "missing", 1]],
    "INSUFFICIENT_EVIDENCE missing_outcomes",
  ],
  [
    "worse whatever the unobserved are",
    differenceRule("non-inferiority", 0.05),
    [[false, true, 50], [true, true, 50], ["missing", true, 1]],
    "FAIL interval_beyond_margin",
  ],
  [
    "a share with room for what is missing",
    { ...named, test: "threshold", at_least: 0.8 },
    [[true, true, 100], ["missing", true, 1]],
    "PASS interval_clears_margin",
  ],
  [
    "a share that only lacks its failures",
    { ...named, test: "threshold", at_least: 0.7 },
    [[true, true, 13], ["missing", true, 3]],
    "INSUFFICIENT_EVIDENCE missing_outcomes",
  ],
  ["a suite that reaches its share", { ...named, test: "suite-threshold", at_least: 0.5 }, [[true, true, 1], [
    false,
    true,
    1,
  ]], "PASS share_reached"],
  ["a suite that does not", { ...named, test: "suite-threshold", at_least: 0.6 }, [[true, true, 1], [
    false,
    true,
    1,
  ]], "FAIL share_not_reached"],
  [
    "a suite that could miss it",
    { ...named, test: "suite-threshold", at_least: 0.6 },
    [[true, true, 2], [false, true, 1], ["missing", true, 1]],
    "INSUFFICIENT_EVIDENCE missing_outcomes",
  ],
  ["no case lost", { ...named, test: "no-regression" }, [[true, true, 3], [true, false, 1], [
    false,
    false,
    1,
  ]], "PASS no_regressed_cases"],
  [
    "a case lost",
    { ...named, test: "no-regression" },
    [[true, true, 3], [false, true, 1]],
    "FAIL regressed_cases",
  ],
  [
    "a passing case not observed",
    { ...named, test: "no-regression" },
    [[true, true, 3], ["missing", true, 1]],
    "INSUFFICIENT_EVIDENCE missing_outcomes",
  ],
  ["a failing case not observed", { ...named, test: "no-regression" }, [[true, true, 3], [
    "missing",
    false,
    1,
  ]], "PASS no_regressed_cases"],
  [
    "a named case that is not there",
    { ...named, test: "no-regression", cases: ["c0", "typo"] },
    [[true, true, 3]],
    "INSUFFICIENT_EVIDENCE missing_outcomes",
  ],
  [
    "a suite of numbers, which do not pass or fail",
    { ...named, test: "suite-threshold", at_least: 0.5 },
    [[0.9, 0.9, 3]],
    "INSUFFICIENT_EVIDENCE not_pass_fail",
  ],
  [
    "numbers have no pass to be lost",
    { ...named, test: "no-regression" },
    [[0.1, 0.9, 3]],
    "INSUFFICIENT_EVIDENCE not_pass_fail",
  ],
  [
    "cases that only the candidate leaves out",
    differenceRule("non-inferiority", 0.05),
    [[true, true, 120], ["excluded", true, 1]],
    "INSUFFICIENT_EVIDENCE missing_outcomes",
  ],
  ["a lost case out of scope", { ...named, test: "no-regression", cases: ["c0"] }, [[true, true, 1], [
    false,
    true,
    1,
  ]], "PASS no_regressed_cases"],
];

for (const [what, rule, pairs, expected] of rows) {
  Deno.test(`decision: ${what}`, () => {
    const { decision, reason } = decide(rule, pairs);
    assert.equal(`${decision} ${reason}`, expected);
  });
}

Deno.test("decision: a number criterion has no exact proportion, and its threshold uses the betting interval", () => {
  const { lower } = decide({ ...named, test: "threshold", at_least: 0.5 }, [[0.5, 0.5, 1], [1, 1, 12]]);
  assert.ok(lower !== null && lower < 0.76);
});

Deno.test("decision: an unobserved outcome never turns a rule into a pass, nor a fail into anything better", () => {
  const outcome = fc.constantFrom<Outcome>(true, false, "missing", "excluded");
  const pair = fc.tuple(outcome, outcome, fc.integer({ min: 1, max: 60 }));
  const test = fc.constantFrom("non-inferiority", "superiority", "equivalence");
  const better: Readonly<Record<Verdict, number>> = { FAIL: 0, INSUFFICIENT_EVIDENCE: 1, PASS: 2 };
  fc.assert(
    fc.property(
      fc.array(pair, { minLength: 1, maxLength: 6 }),
      test,
      fc.integer({ min: 1, max: 30 }),
      (pairs, name, margin) => {
        const rule = differenceRule(name, margin / 100);
        const before = decide(rule, pairs).decision;
        const after = decide(rule, [...pairs, ["missing", true, 1]]).decision;
        assert.ok(better[after] <= better[before]);
      },
    ),
    { seed: 5, numRuns: 200 },
  );
});

Deno.test("gate: all must pass; undecided rules block unless the policy lets them through; a failed rule always does", () => {
  const decisionOf = (decision: Verdict) => ({
    ...decide(differenceRule("superiority", 0), [[true, true, 1]]),
    decision,
  });
  const gate = (verdicts: readonly Verdict[], on_insufficient: "block" | "allow") =>
    decideGate(verdicts.map(decisionOf), { level: 0.95, on_insufficient, rules: [] });
  assert.equal(gate(["PASS", "PASS"], "block"), "PASS");
  assert.equal(gate(["PASS", "INSUFFICIENT_EVIDENCE"], "block"), "BLOCK");
  assert.equal(gate(["PASS", "INSUFFICIENT_EVIDENCE"], "allow"), "NOT_BLOCKED");
  assert.equal(gate(["FAIL", "INSUFFICIENT_EVIDENCE"], "allow"), "BLOCK");
});
