/** Metrics of a run: one tally per evaluator, fed case by case. */
import type { Judgment } from "../domain/judgment.ts";
import type { Metric } from "../domain/metric.ts";
import type { EvaluatorSpec } from "../domain/project.ts";
import type { CaseRecord } from "../domain/record.ts";
import { type RelevanceUnit, relevantIn } from "../domain/relevance.ts";
import { Tally } from "./tally.ts";

/** Folds judged cases into metrics, in any order, without keeping them. */
export class MetricFold {
  readonly #tallies: readonly Tally[];

  /** @param repeats How many executions each judgment is the mean of. */
  constructor(private readonly evaluators: readonly EvaluatorSpec[], private readonly repeats = 1) {
    this.#tallies = evaluators.map(() => new Tally());
  }

  /** @param judgments One per evaluator, in the evaluators' order. */
  add(record: CaseRecord, judgments: readonly Judgment[]): void {
    for (const [index, evaluator] of this.evaluators.entries()) {
      const judgment = judgments[index];
      if (judgment === undefined) continue;
      // A mean of several recalls may be anything between 0 and 1.
      this.#tallies[index]?.add(judgment, this.repeats === 1 && isBinary(evaluator, record));
    }
  }

  /** One metric per evaluator, in the evaluators' order. */
  metrics(): readonly Metric[] {
    return this.#tallies.map((tally, index) => tally.metric(this.evaluators[index]?.criterion ?? ""));
  }
}

/** Recall with one relevant unit finds it or does not: its value is 0 or 1 by construction. */
function isBinary(evaluator: EvaluatorSpec, record: CaseRecord): boolean {
  if (evaluator.type !== "recall") return false;
  const unit: RelevanceUnit = evaluator.parameters.relevance_unit === "chunk" ? "chunk" : "document";
  return relevantIn(record.case.expected, unit).size === 1;
}
