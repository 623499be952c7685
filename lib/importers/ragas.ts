/**
 * Rows as ragas reads and writes them: JSON, JSONL or CSV, with the names of today (`user_input`, `response`,
 * `retrieved_contexts`, `reference`, `reference_contexts`) or those of before (`question`, `answer`, `contexts`, `ground_truth`).
 */
import type { Case } from "../domain/case.ts";
import type { Passage } from "../domain/passage.ts";
import { CaseRows } from "./case_rows.ts";
import { passageIdOf } from "./content_id.ts";
import { type Importer, issue, type ProjectDraft, type RecordedAnswer, type SourceFile } from "./imported.ts";
import { type NamedText, type RagasRow, readRagasRow } from "./ragas_row.ts";
import { Remarks } from "./remarks.ts";
import { readTable } from "./table.ts";

/** The cut of the retrieval metrics, unless less was retrieved. */
const K = 5;

/**
 * One case a row, its response the recorded output `{answer}`. A context without an id of its own is named by the hash of its text,
 * so that a reference context and a retrieved one are the same passage when they are equal to the letter. The contexts are both
 * the candidates, in their order, and the context: ragas keeps one list and measures ranking and grounding on it. The id of a
 * row without one is made from question and expectation alone, so that two sets of answers to the same questions pair.
 */
export async function* importRagas(file: SourceFile, name: string): Importer {
  const remarks = new Remarks();
  const rows = new CaseRows(remarks);
  const survey = new Survey();
  for await (const reading of readTable(file)) {
    if (!reading.ok) {
      yield issue(reading.issue);
      continue;
    }
    const { place } = reading.row;
    const read = readRagasRow(reading.row, remarks);
    if (!read.ok) { for (const mistake of read.issues) yield issue(mistake); }
    if (!read.ok || read.row === undefined) continue;
    const { row } = read;
    const { metadata, ...asked } = caseOf(row);
    const content = { ...asked, ...(metadata === undefined ? {} : { metadata }) };
    const added = rows.add({ content, named_by: asked, id: row.id, beside: answerOf(row), place });
    if (added.status === "issue") yield issue(added.issue);
    if (added.status !== "added") continue;
    yield { kind: "case", case: { id: added.id, ...content }, place };
    for (const passage of survey.newPassages(row)) yield { kind: "passage", passage };
    if (row.response === undefined) remarks.add(NO_RESPONSE, place);
    else yield { kind: "record", record: { case_id: added.id, ...answerOf(row) } };
  }
  return survey.draft(name, remarks);
}

function caseOf({ question, reference, reference_contexts = [], metadata }: RagasRow): Omit<Case, "id"> {
  const relevant = [...new Set(reference_contexts.map(idOf))].map((doc_id) => ({ doc_id }));
  const gold_context = reference_contexts.flatMap((context) =>
    context.text === undefined ? [] : [{ doc_id: idOf(context), text: context.text }]
  );
  const expected = {
    ...(reference === undefined ? {} : { answer: reference }),
    ...(relevant.length === 0 ? {} : { relevant }),
    ...(gold_context.length === 0 ? {} : { gold_context }),
  };
  return {
    input: { question },
    ...(Object.keys(expected).length === 0 ? {} : { expected }),
    ...(Object.keys(metadata).length === 0 ? {} : { metadata }),
  };
}

function answerOf({ response = "", contexts }: RagasRow): Omit<RecordedAnswer, "case_id"> {
  const passages = contexts?.map(passageOf);
  return {
    output: { answer: response },
    ...(passages === undefined ? {} : { candidates: passages, context: passages }),
  };
}

function passageOf(context: NamedText): Passage {
  return { doc_id: idOf(context), ...(context.text === undefined ? {} : { text: context.text }) };
}

function idOf({ id, text = "" }: NamedText): string {
  return id ?? passageIdOf(text);
}

/** What the rows have in common, and which passages were met. */
class Survey {
  readonly #passages = new Set<string>();
  readonly #retrieved = new Set<string>();
  readonly #labelled = new Set<string>();
  #depth = 0;
  #references = false;
  #responses = false;

  /** The passages of a row that no earlier row had. */
  newPassages({ contexts = [], reference_contexts = [], reference, response }: RagasRow): readonly Passage[] {
    this.#depth = Math.max(this.#depth, contexts.length);
    this.#references ||= reference !== undefined;
    this.#responses ||= response !== undefined;
    for (const context of contexts) this.#retrieved.add(idOf(context));
    for (const context of reference_contexts) this.#labelled.add(idOf(context));
    return [...contexts, ...reference_contexts].map(passageOf).filter(({ doc_id, text }) => {
      const key = JSON.stringify([doc_id, text]);
      const isNew = text !== undefined && !this.#passages.has(key);
      if (isNew) this.#passages.add(key);
      return isNew;
    });
  }

  draft(name: string, remarks: Remarks): ProjectDraft {
    const labelled = this.#labelled.size;
    const known = [...this.#labelled].filter((id) => this.#retrieved.has(id)).length;
    // Without answers a starter searches, as deep as it is asked to.
    const k = this.#responses ? Math.min(K, this.#depth) : K;
    const measured = labelled > 0 && k > 0;
    return {
      name,
      evaluators: [
        ...(this.#references ? [{ type: "token_f1", field: "answer", expected_field: "answer" }] : []),
        ...(measured ? ["hit_rate", "recall"].map((type) => ({ type, k })) : []),
      ],
      ...(this.#responses && this.#depth > 0 ? { depth: this.#depth } : {}),
      slices: [],
      notices: [
        ...(measured && this.#responses
          ? [{
            severity: "notice" as const,
            code: "matched_contexts",
            message:
              `${known} of ${labelled} reference contexts are, to the letter or by their id, contexts that were retrieved`,
            hint:
              "hit_rate and recall know a passage by that alone: another way of cutting texts counts as not found",
          }]
          : []),
        ...remarks.notices(),
      ],
    };
  }
}

const NO_RESPONSE = {
  code: "row_without_response",
  message: "Rows without a response: cases without a record",
};
