/** The questions that judges are asked: each as a prompt for a model, and as data for a function. */
import { canonicalJson } from "../domain/identity.ts";
import type { Json } from "../domain/json.ts";
import type { JudgeQuestion } from "../domain/judge.ts";
import { buildPrompt, type Part } from "./prompt.ts";
import { rubricText } from "./rubric.ts";

/** A passage with its text; a judge cannot read what is only named. */
export interface ReadPassage {
  readonly doc_id: string;
  readonly chunk_id?: string;
  readonly text: string;
}

/** A citation: the statement that cites, and the passages that it may mean. */
export interface StatedCitation {
  readonly statement: string;
  /** At least one; several when a document is cited of which several chunks are there. */
  readonly passages: readonly ReadPassage[];
}

/** Whether every claim of an answer is supported by the passages that it was given. */
export function askGroundedness(
  input: Json,
  answer: string,
  passages: readonly ReadPassage[],
  claims: readonly string[],
): JudgeQuestion {
  return {
    task: "groundedness",
    items: claims.length,
    prompt: buildPrompt("groundedness", [
      questionPart(input),
      { name: "ANSWER", text: answer },
      ...passages.map(passagePart),
      ...claims.map((text, index) => ({ name: `CLAIM ${index + 1}`, text })),
    ]),
    material: { task: "groundedness", input, answer, passages: passages.map(plain), claims },
  };
}

/** Whether each cited passage supports the statement that cites it. */
export function askCitationSupport(
  input: Json,
  answer: string,
  citations: readonly StatedCitation[],
): JudgeQuestion {
  const passages = distinct(citations.flatMap((citation) => citation.passages));
  const statements = [...new Set(citations.map(({ statement }) => statement))];
  const guide = citations.map(({ statement, passages: cited }, index) => {
    const numbers = cited.map((passage) => `PASSAGE ${passages.indexOf(passage) + 1}`);
    return `Citation ${index + 1}: STATEMENT ${statements.indexOf(statement) + 1} cites ${
      numbers.join(" or ")
    }.`;
  });
  return {
    task: "citation_support",
    items: citations.length,
    prompt: buildPrompt("citation_support", [
      questionPart(input),
      { name: "ANSWER", text: answer },
      ...passages.map(passagePart),
      ...statements.map((text, index) => ({ name: `STATEMENT ${index + 1}`, text })),
    ], { guide }),
    material: {
      task: "citation_support",
      input,
      answer,
      citations: citations.map(({ statement, passages }) => ({ statement, passages: passages.map(plain) })),
    },
  };
}

/** Whether an answer passes a rubric, beside references and passages where they are given. */
export function askRubric(
  rubric: string,
  input: Json,
  answer: string,
  beside: { readonly references?: readonly string[]; readonly passages?: readonly ReadPassage[] },
): JudgeQuestion {
  const { references = [], passages = [] } = beside;
  const text = rubricText(rubric);
  return {
    task: "rubric",
    items: 0,
    prompt: buildPrompt("rubric", [
      questionPart(input),
      { name: "ANSWER", text: answer },
      ...references.map((text, index) => ({ name: `REFERENCE ${index + 1}`, text })),
      ...passages.map(passagePart),
    ], { rubric: text }),
    material: {
      task: "rubric",
      rubric: text,
      input,
      answer,
      ...(beside.references === undefined ? {} : { references }),
      ...(beside.passages === undefined ? {} : { passages: passages.map(plain) }),
    },
  };
}

function questionPart(input: Json): Part {
  return { name: "QUESTION", text: typeof input === "string" ? input : canonicalJson(input) };
}

function passagePart({ doc_id, chunk_id, text }: ReadPassage, index: number): Part {
  const id = chunk_id === undefined ? doc_id : `${doc_id} ${chunk_id}`;
  return { name: `PASSAGE ${index + 1}`, text: `id: ${id}\n${text}` };
}

function plain({ doc_id, chunk_id, text }: ReadPassage) {
  return { doc_id, ...(chunk_id === undefined ? {} : { chunk_id }), text };
}

/** The same objects, each once. */
function distinct<T>(items: readonly T[]): readonly T[] {
  return [...new Set(items)];
}
