/** Figures that would mislead: what a run should say beside its numbers. */
import { relevanceLabels } from "../domain/case.ts";
import { isJsonObject } from "../domain/json.ts";
import type { Judgment } from "../domain/judgment.ts";
import type { CaseRecord } from "../domain/record.ts";
import { relevantUnits, unitKey } from "../domain/relevance.ts";
import type { RunHeader } from "../domain/run.ts";
import type { Notice } from "../domain/run_report.ts";

/** Looks for figures that would mislead: zeros that come from ids of two kinds, verdicts on a field that is never there. */
export class SuspicionFold {
  #comparable = 0;
  #matched = false;
  #labelled: Named | undefined;
  #retrieved: Named | undefined;
  #unjudged = 0;
  /** By evaluator: finished cases that it applies to, and those of them whose output lacks its field. */
  readonly #reads: { applies: number; absent: number }[];
  readonly #fields = new Set<string>();

  constructor(private readonly header: RunHeader) {
    this.#reads = header.evaluators.map(() => ({ applies: 0, absent: 0 }));
  }

  add(record: CaseRecord, judgments: readonly Judgment[]): void {
    this.#matchIds(record);
    if (judgments.length > 0 && judgments.every((judgment) => judgment.status === "excluded")) {
      this.#unjudged++;
    }
    if (record.error !== undefined) return;
    for (const [index, reads] of this.#reads.entries()) {
      const judgment = judgments[index];
      if (judgment === undefined || judgment.status === "excluded") continue;
      reads.applies++;
      if (isFieldAbsent(judgment)) reads.absent++;
    }
    if (isJsonObject(record.output) && this.#fields.size < 50) {
      for (const key of Object.keys(record.output)) this.#fields.add(key);
    }
  }

  #matchIds({ case: testCase, candidates }: CaseRecord): void {
    const unit = this.header.relevance_unit;
    const labels = relevanceLabels(testCase.expected);
    const relevant = relevantUnits(labels, unit);
    const [first] = candidates ?? [];
    if (this.#matched || candidates === undefined || first === undefined || relevant.size === 0) return;
    this.#comparable++;
    this.#labelled ??= labels.find(({ grade }) => grade > 0);
    this.#retrieved ??= first;
    this.#matched = candidates.some((candidate) => relevant.has(unitKey(candidate, unit) ?? ""));
  }

  #show(named: Named | undefined): string {
    if (named === undefined) return "none";
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
        message: `No labelled id of any case occurs among the retrieved ids (labelled: ${
          this.#show(this.#labelled)
        }; retrieved: ${this.#show(this.#retrieved)})`,
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
    for (const [index, { criterion, parameters }] of this.header.evaluators.entries()) {
      const { applies, absent } = this.#reads[index] ?? { applies: 0, absent: 0 };
      if (absent === 0 || absent < applies) continue;
      const fields = [...this.#fields].map((field) => JSON.stringify(field)).join(", ");
      notices.push({
        severity: "problem",
        code: "output_field_absent",
        message: `The evaluator of ${criterion} reads the output field ${
          JSON.stringify(parameters.field)
        }, which is absent in every case`,
        hint: fields === ""
          ? "the outputs are not objects; leave `field` out to read them whole"
          : `the outputs have ${fields}`,
      });
    }
    return notices;
  }
}

/** What names a passage. */
interface Named {
  readonly doc_id: string;
  readonly chunk_id?: string;
}

function isFieldAbsent(judgment: Judgment): boolean {
  if (judgment.status === "missing") return judgment.reason === "output_field_absent";
  return judgment.status === "observed" && isJsonObject(judgment.details) &&
    judgment.details.field_absent === true;
}
