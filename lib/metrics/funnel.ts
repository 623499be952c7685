/** The evidence funnel: how far the relevant units came on their way to the generator. */
import { relevanceLabels } from "../domain/case.ts";
import type { CaseRecord } from "../domain/record.ts";
import { findRelevant, type RelevanceUnit, relevantUnits, unitKey } from "../domain/relevance.ts";
import type { Funnel } from "../domain/run_report.ts";

/** Folds records into a funnel, in any order. */
export class FunnelFold {
  #cases = 0;
  #relevant = 0;
  #retrieved = 0;
  #within = 0;
  #inContext = 0;

  constructor(private readonly unit: RelevanceUnit, private readonly topK: number) {}

  add(record: CaseRecord): void {
    const { candidates, context, error } = record;
    if (candidates === undefined || context === undefined || error !== undefined) return;
    const relevant = relevantUnits(relevanceLabels(record.case.expected), this.unit);
    const found = findRelevant(candidates, relevant, this.unit);
    if (relevant.size === 0 || found === undefined) return;
    const sent = new Set(context.map((passage) => unitKey(passage, this.unit)));
    this.#cases++;
    this.#relevant += relevant.size;
    this.#retrieved += found.length;
    this.#within += found.filter(({ position }) => position <= this.topK).length;
    this.#inContext += [...relevant.keys()].filter((unit) => sent.has(unit)).length;
  }

  funnel(): Funnel {
    return {
      unit: this.unit,
      cases: this.#cases,
      relevant: this.#relevant,
      retrieved: this.#retrieved,
      within_top_k: this.#within,
      in_context: this.#inContext,
    };
  }
}
