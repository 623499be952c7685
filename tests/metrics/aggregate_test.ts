import assert from "node:assert/strict";
import type { Json } from "../../lib/domain/json.ts";
import { excluded, type Judgment, missing, observed } from "../../lib/domain/judgment.ts";
import type { EvaluatorSpec } from "../../lib/domain/project.ts";
import { MetricFold } from "../../lib/metrics/aggregate.ts";
import { evaluator, finishedCase, relevant } from "./judged_case.ts";

/** One case of a fold: its expectation and its judgments. */
type Judged = readonly [expected: Json | undefined, ...judgments: readonly Judgment[]];

function metricsOf(evaluators: readonly EvaluatorSpec[], cases: readonly Judged[]) {
  const fold = new MetricFold(evaluators);
  for (const [expected, ...judgments] of cases) {
    fold.add(finishedCase(expected === undefined ? {} : { expected }).record, judgments);
  }
  return fold.metrics();
}

/** The kind of the metric of a recall. */
function kindOf(cases: readonly Judged[], parameters = {}): string | undefined {
  return metricsOf([evaluator("recall", parameters)], cases)[0]?.kind;
}

Deno.test("MetricFold: a metric per evaluator, in their order, each of its own judgments", () => {
  const metrics = metricsOf([evaluator("contains"), evaluator("ndcg"), evaluator("completed")], [
    [undefined, observed(true), observed(0.5), observed(true)],
    [undefined, observed(false), missing("execution_failed"), observed(false)],
    [undefined, excluded("no_expected_value"), observed(1), observed(true)],
  ]);
  const told = metrics.map(({ criterion, kind, estimate, observed, missing, excluded }) => [
    criterion,
    kind,
    estimate,
    observed,
    missing,
    excluded,
  ]);
  assert.deepEqual(told, [
    ["contains", "proportion", 0.5, 2, 0, 1],
    ["ndcg", "mean", 0.75, 2, 1, 0],
    ["completed", "proportion", 2 / 3, 3, 0, 0],
  ]);
  assert.deepEqual(metricsOf([], [[undefined]]), []);
});

Deno.test("MetricFold: recall is a proportion when every selected case has one relevant unit", () => {
  assert.equal(kindOf([[relevant("a"), observed(1)], [relevant("b"), observed(0)]]), "proportion");
  assert.equal(kindOf([[relevant("a"), observed(1)], [relevant("a", "b"), observed(0)]]), "mean");
  const unlabelled: Judged = [undefined, excluded("no_relevance_labels")];
  assert.equal(kindOf([[relevant("a"), observed(1)], unlabelled]), "proportion");
  const failed = missing("execution_failed");
  assert.equal(kindOf([[relevant("a"), observed(1)], [relevant("a", "b"), failed]]), "mean");
  assert.equal(kindOf([[relevant("a"), observed(1)], [relevant("a"), failed]]), "proportion");
});

Deno.test("MetricFold: what one unit is depends on the evaluator", () => {
  const chunks: readonly Judged[] = [[relevant("a|1", "a|2"), observed(1)]];
  assert.equal(kindOf(chunks, { relevance_unit: "document" }), "proportion");
  assert.equal(kindOf(chunks, { relevance_unit: "chunk" }), "mean");
  assert.equal(kindOf(chunks), "proportion");
});

Deno.test("MetricFold: labels of grade 0 are no relevant units", () => {
  const expected = { relevant: [{ doc_id: "a" }, { doc_id: "b", grade: 0 }] };
  assert.equal(kindOf([[expected, observed(1)]]), "proportion");
});

Deno.test("MetricFold: a recall that is a mean of repeats is a mean, whatever it comes to", () => {
  const fold = new MetricFold([evaluator("recall")], 2);
  const { record } = finishedCase({ expected: relevant("a") });
  for (const value of [1, 0.5]) fold.add(record, [observed(value)]);
  assert.deepEqual(fold.metrics().map(({ kind, estimate }) => [kind, estimate]), [["mean", 0.75]]);
});

Deno.test("MetricFold: precision is a mean, though one label makes few values possible", () => {
  const [metric] = metricsOf([evaluator("precision")], [[relevant("a"), observed(1)]]);
  assert.equal(metric?.kind, "mean");
});
