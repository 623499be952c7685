/** What a rule needs at best: exact for pass/fail, by the betting interval for numbers. */
import assert from "node:assert/strict";
import { neededAtBest } from "../../lib/compare/requirement.ts";
import { RuleEvidence } from "../../lib/compare/rule_evidence.ts";
import { decideRule } from "../../lib/compare/decide.ts";
import type { Rule } from "../../lib/domain/policy.ts";

for (const at_least of [0.3, 0.5, 0.8, 0.9]) {
  for (const isPassFail of [true, false]) {
    const values = isPassFail ? "verdicts" : "numbers";
    Deno.test(`a threshold of ${at_least} on ${values} passes with the cases it needs and not with one less`, () => {
      const rule: Rule = { name: "share", criterion: "right", test: "threshold", at_least };
      const needed = neededAtBest(rule, 0.95, isPassFail);
      assert.ok(typeof needed === "number");
      assert.equal(decide(rule, needed, isPassFail), "PASS");
      assert.equal(decide(rule, needed - 1, isPassFail), "INSUFFICIENT_EVIDENCE");
    });
  }
}

function decide(rule: Rule, cases: number, isPassFail: boolean) {
  const evidence = new RuleEvidence(rule);
  for (let at = 0; at < cases; at++) evidence.addCandidateOnly(isPassFail ? true : 1);
  return decideRule(rule, evidence, 0.95).decision;
}
