/** Plans: what is asked of numbers, of verdicts, and of values that are not known yet. */
import assert from "node:assert/strict";
import { planPolicy } from "../../lib/commands/plan.ts";
import { numberCriteria } from "../../lib/commands/read_policy.ts";
import type { Policy } from "../../lib/domain/policy.ts";

const policy: Policy = {
  level: 0.95,
  on_insufficient: "block",
  rules: ["contains", "function", "recall"].map((criterion) => ({
    name: criterion,
    criterion,
    test: "threshold",
    at_least: 0.9,
  })),
};

Deno.test("a plan says that a rule cannot pass only where no values could make it pass", () => {
  const evaluators = ["contains", "function", "recall"].map((type) => ({
    type,
    criterion: type,
    parameters: {},
  }));
  const numbers = numberCriteria({ evaluators, repeats: 1 });
  assert.deepEqual([...numbers], ["recall"]);
  const present = new Map(evaluators.map(({ criterion }) => [criterion, 40]));
  const { too_few, rules } = planPolicy(policy, present, numbers);
  assert.deepEqual(too_few, ["recall"]);
  const [verdicts, unknown, values] = rules.map(({ needed_at_best }) => needed_at_best ?? 0);
  assert.ok(verdicts === 36 && unknown === 36 && (values ?? 0) > 40);
});
