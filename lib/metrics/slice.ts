/** Slices: the metrics of the cases that share a value. */
import { compareText } from "../domain/error.ts";
import { canonicalJson } from "../domain/identity.ts";
import { type Json, readPath } from "../domain/json.ts";
import type { Judgment } from "../domain/judgment.ts";
import type { SliceMetrics } from "../domain/metric.ts";
import type { EvaluatorSpec } from "../domain/project.ts";
import type { CaseRecord } from "../domain/record.ts";
import type { SystemSettings } from "../domain/settings.ts";
import { findRelevant, type RelevanceUnit, relevantIn } from "../domain/relevance.ts";
import { MetricFold } from "./aggregate.ts";

/** How slices are made, as the project says. */
export interface SliceSettings {
  readonly slices: readonly string[];
  /** Fewer cases than this are counted, not estimated. */
  readonly min_slice_support: number;
  readonly relevance_unit: RelevanceUnit;
  readonly evaluators: readonly EvaluatorSpec[];
  /** What the system tells of itself. */
  readonly system: Pick<SystemSettings, "reports" | "ranked">;
  /** How many executions each judgment is the mean of. */
  readonly repeats: number;
}

/**
 * The value of one slice for one case, as text.
 *
 * `metadata.<path>` and `input.<path>` read the case; `relevant_position` is the best position of a relevant unit among the
 * candidates (`none` when it is not among them, `unlabelled` without labels, `no_single_ranking` where they are none); `context_truncated` is true when the budget
 * dropped a passage that top_k had kept. What is not there, or was never reached, is `absent`.
 */
export function sliceValue(
  slice: string,
  record: CaseRecord,
  { relevance_unit: unit, system }: Pick<SliceSettings, "relevance_unit" | "system">,
): string {
  if (slice === "relevant_position") {
    return system.ranked === false ? "no_single_ranking" : relevantPosition(record, unit);
  }
  if (slice === "context_truncated") {
    // Of a context that the system assembled itself it is not known what a budget did.
    return record.dropped === undefined || system.reports !== undefined ||
        record.dropped.some(({ reason }) => reason === "left_out_by_system")
      ? "absent"
      : String(record.dropped.some((passage) => passage.reason === "over_token_budget"));
  }
  const [root, ...path] = slice.split(".");
  const source = root === "metadata" ? record.case.metadata : record.case.input;
  return textOf(readPath(source, path.join(".")));
}

function relevantPosition(record: CaseRecord, unit: RelevanceUnit): string {
  const relevant = relevantIn(record.case.expected, unit);
  if (relevant.size === 0) return "unlabelled";
  if (record.candidates === undefined) return "absent";
  const found = findRelevant(record.candidates, relevant, unit);
  return found === undefined ? "absent" : String(found[0]?.position ?? "none");
}

function textOf(value: Json | undefined): string {
  if (value === undefined) return "absent";
  // The word itself, as a value, must not fall together with the absence of one.
  if (value === "absent") return '"absent"';
  // Canonical, since the order of keys is no difference and the store does not keep it.
  return typeof value === "string" ? value : canonicalJson(value);
}

/** Folds judged cases into slice metrics, in any order. */
export class SliceFold {
  readonly #groups: ReadonlyMap<string, Map<string, { cases: number; fold: MetricFold }>>;

  constructor(private readonly settings: SliceSettings) {
    this.#groups = new Map(settings.slices.map((slice) => [slice, new Map()]));
  }

  add(record: CaseRecord, judgments: readonly Judgment[]): void {
    for (const [slice, groups] of this.#groups) {
      const value = sliceValue(slice, record, this.settings);
      const group = groups.get(value) ?? this.#newGroup();
      groups.set(value, group);
      group.cases++;
      group.fold.add(record, judgments);
    }
  }

  #newGroup() {
    const { evaluators, repeats } = this.settings;
    return { cases: 0, fold: new MetricFold(evaluators, repeats) };
  }

  /** Slices in the project's order, their values in order of number, then of text. */
  slices(): readonly SliceMetrics[] {
    return [...this.#groups].flatMap(([slice, groups]) =>
      [...groups].sort(([a], [b]) => compareValues(a, b)).map(([value, { cases, fold }]) => ({
        slice,
        value,
        cases,
        metrics: cases < this.settings.min_slice_support ? null : fold.metrics(),
      }))
    );
  }
}

function compareValues(a: string, b: string): number {
  const [x, y] = [Number(a), Number(b)];
  if (!Number.isNaN(x) && !Number.isNaN(y) && x !== y) return x - y;
  if (Number.isNaN(x) !== Number.isNaN(y)) return Number.isNaN(x) ? 1 : -1;
  return compareText(a, b);
}
