/** Figures that would mislead: what a run should say beside its numbers. */
import { relevanceLabels } from "../domain/case.ts";
import { compareText } from "../domain/error.ts";
import { isJsonObject, type Json } from "../domain/json.ts";
import type { Judgment } from "../domain/judgment.ts";
import type { EvaluatorSpec } from "../domain/project.ts";
import type { CaseRecord } from "../domain/record.ts";
import { relevantUnits, unitKey } from "../domain/relevance.ts";
import type { RunHeader, StoredCase } from "../domain/run.ts";
import type { Notice } from "../domain/run_report.ts";

const NOTHING_READ = { excluded: 0, applies: 0, absent: 0, reason: undefined };

/** Why an evaluator applies to nothing that a system answers, whatever the cases. */
const SYSTEM_REASONS: ReadonlySet<string> = new Set([
  "system_reports_no_candidates",
  "system_reports_no_context",
  "no_single_ranking",
]);
/** One execution of a case. */
type Execution = Pick<StoredCase, "record" | "judgments">;

/** Looks for figures that would mislead: zeros that come from ids of two kinds, verdicts on a field that is never there. */
export class SuspicionFold {
  #comparable = 0;
  #matched = false;
  /** The least of the ids, so that the order of cases cannot show. */
  #labelled: string | undefined;
  #retrieved: string | undefined;
  #unjudged = 0;
  #cases = 0;
  readonly #expectedKeys = new Set<string>();
  /** By evaluator: cases that it excludes, finished cases that it applies to, and those whose output lacks its field. */
  readonly #reads: { excluded: number; applies: number; absent: number; reason?: string }[];
  readonly #fields = new Set<string>();

  constructor(private readonly header: RunHeader) {
    this.#reads = header.evaluators.map(() => ({ excluded: 0, applies: 0, absent: 0 }));
  }

  /** @param repeats All executions of one case: what any of them shows is there. */
  add(repeats: readonly [Execution, ...Execution[]]): void {
    const [{ record: { case: { expected } }, judgments }] = repeats;
    if (repeats.map(({ record }) => this.#matchIds(record)).includes(true)) this.#comparable++;
    if (judgments.length > 0 && judgments.every((judgment) => judgment.status === "excluded")) {
      this.#unjudged++;
    }
    this.#cases++;
    collectKeys(expected, this.#expectedKeys);
    for (const [index, reads] of this.#reads.entries()) {
      const reason = exclusionOf(judgments[index]);
      if (reason !== undefined) {
        reads.excluded++;
        reads.reason = reason;
      }
      const applies = repeats.flatMap(({ record, judgments: { [index]: judgment } }) =>
        judgment === undefined || judgment.status === "excluded" || record.error !== undefined
          ? []
          : [judgment]
      );
      if (applies.length > 0) reads.applies++;
      if (applies.length > 0 && applies.every(isFieldAbsent)) reads.absent++;
    }
    for (const { record } of repeats) collectKeys(record.output, this.#fields);
  }

  /** Whether ids could be compared; not looked at any more once some matched. */
  #matchIds({ case: testCase, candidates }: CaseRecord): boolean {
    const unit = this.header.relevance_unit;
    const labels = relevanceLabels(testCase.expected);
    const relevant = relevantUnits(labels, unit);
    const [first] = candidates ?? [];
    if (this.#matched || candidates === undefined || first === undefined || relevant.size === 0) return false;
    for (const label of labels) {
      if (label.grade > 0) this.#labelled = least(this.#labelled, this.#show(label));
    }
    this.#retrieved = least(this.#retrieved, this.#show(first));
    this.#matched = candidates.some((candidate) => relevant.has(unitKey(candidate, unit) ?? ""));
    return true;
  }

  #show(named: Named): string {
    const chunk = this.header.relevance_unit === "chunk" && named.chunk_id !== undefined;
    return chunk
      ? `${JSON.stringify(named.doc_id)} ${JSON.stringify(named.chunk_id)}`
      : JSON.stringify(named.doc_id);
  }

  notices(): readonly Notice[] {
    const notices: Notice[] = [];
    if (this.header.evaluators.length === 0) {
      notices.push({
        severity: "notice",
        code: "no_evaluators",
        message: "The project has no evaluators: everything was recorded and nothing was judged",
        hint: "add evaluators to the project and run again: no stage is called twice",
      });
    }
    if (!this.#matched && this.#comparable > 1) {
      notices.push({
        severity: "notice",
        code: "no_labelled_id_retrieved",
        message:
          `No labelled id of any case occurs among the retrieved ids (labelled: ${this.#labelled}; retrieved: ${this.#retrieved})`,
        hint: "are they ids of one kind? Document ids do not match chunk ids; see relevance_unit",
      });
    }
    if (this.#unjudged > 0) {
      const cases = this.#unjudged === 1 ? "1 case" : `${this.#unjudged} cases`;
      notices.push({
        severity: "notice",
        code: "cases_without_judgment",
        message: `No evaluator can judge ${cases}: every judgment is excluded`,
        hint:
          "give the cases what the evaluators need (an expected value, relevance labels), or add an evaluator",
      });
    }
    for (const [index, evaluator] of this.header.evaluators.entries()) {
      const { excluded, applies, absent, reason } = this.#reads[index] ?? NOTHING_READ;
      // That the system's own settings exclude it was said by the reason already.
      const bySystem = reason !== undefined && SYSTEM_REASONS.has(reason);
      if (this.#cases > 0 && excluded === this.#cases && !bySystem) {
        notices.push(this.#neverApplies(evaluator));
      }
      if (applies > 0 && absent === applies) notices.push(this.#alwaysAbsent(evaluator));
    }
    return notices;
  }

  #neverApplies({ criterion, parameters: { expected_field } }: EvaluatorSpec): Notice {
    const keys = sortedKeys(this.#expectedKeys).map((key) => JSON.stringify(key)).join(", ");
    const reads = typeof expected_field === "string" ? ` (it reads expected.${expected_field})` : "";
    return {
      severity: "notice",
      code: "evaluator_never_applies",
      message: `The evaluator of ${criterion} applies to no case${reads}`,
      hint: keys === "" ? "no case has an expectation" : `the cases expect ${keys}`,
    };
  }

  /** A field that no answer has: a mistake where verdicts need it; for citations, verdicts that say nothing. */
  #alwaysAbsent({ type, criterion, parameters }: EvaluatorSpec): Notice {
    const fields = sortedKeys(this.#fields).map((field) => JSON.stringify(field)).join(", ");
    const field = JSON.stringify(parameters.field ?? "citations");
    const hint = fields === "" ? "the outputs are not objects" : `the outputs have ${fields}`;
    if (type !== "citation_validity") {
      return {
        severity: "problem",
        code: "output_field_absent",
        message:
          `The evaluator of ${criterion} reads the output field ${field}, which is absent in every case`,
        hint,
      };
    }
    return {
      severity: "notice",
      code: "nothing_is_cited",
      message: `No answer has the field ${field}: ${criterion} says only that nothing is cited`,
      hint: `${hint}; name the field with \`field\`, or read citations out of text with \`pattern\``,
    };
  }
}

/** What names a passage. */
interface Named {
  readonly doc_id: string;
  readonly chunk_id?: string;
}

function least(a: string | undefined, b: string): string {
  return a === undefined || compareText(b, a) < 0 ? b : a;
}

/** Keys that are named at most; nobody reads more. */
const MAX_KEYS = 20;
/** Keys that are remembered at most. */
const MAX_COLLECTED = 1000;

function collectKeys(value: Json | undefined, keys: Set<string>): void {
  if (!isJsonObject(value)) return;
  for (const key of Object.keys(value)) if (keys.size < MAX_COLLECTED) keys.add(key);
}

function sortedKeys(keys: ReadonlySet<string>): readonly string[] {
  return [...keys].sort(compareText).slice(0, MAX_KEYS);
}

function exclusionOf(judgment: Judgment | undefined): string | undefined {
  return judgment?.status === "excluded" ? judgment.reason : undefined;
}

function isFieldAbsent(judgment: Judgment): boolean {
  if (judgment.status === "missing") return judgment.reason === "output_field_absent";
  return judgment.status === "observed" && isJsonObject(judgment.details) &&
    judgment.details.field_absent === true;
}
