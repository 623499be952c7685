/**
 * BEIR data sets: `corpus.jsonl` (`_id`, `title`, `text`), `queries.jsonl` (`_id`, `text`) and `qrels/<split>.tsv`.
 *
 * Source: Thakur et al. 2021 (BEIR), and the layout of its data sets.
 */
import { type Issue, placeOf } from "../domain/error.ts";
import { isJsonObject } from "../domain/json.ts";
import type { Passage } from "../domain/passage.ts";
import { quote } from "../config/quote.ts";
import { type DocumentLabel, gradeOf, NEGATIVE_GRADE } from "./grade.ts";
import { type Imported, type Importer, issue, type SourceFile, type SourcePlace } from "./imported.ts";
import { readJsonLines } from "./json_rows.ts";
import { Remarks } from "./remarks.ts";
import { readText } from "./row_text.ts";

/** The three files of a data set. */
export interface BeirSource {
  readonly name: string;
  readonly split: string;
  readonly corpus: SourceFile;
  readonly queries: SourceFile;
  readonly qrels: SourceFile;
}

/** The labels of one query, by document. */
interface Topic {
  readonly place: SourcePlace;
  readonly labels: Map<string, DocumentLabel>;
}

/**
 * One case a query that the split labels, in the order of the queries. A passage's text is its title, a line break, and its text.
 * Labels of documents that the corpus lacks are kept, since a retriever is measured by them, and are remarked on.
 */
export async function* importBeir({ name, split, corpus, queries, qrels }: BeirSource): Importer {
  const remarks = new Remarks();
  const topics = new Map<string, Topic>();
  for await (const found of readQrels(qrels, topics, remarks)) yield issue(found);
  const texts = new Map<string, string | undefined>();
  for (const { labels } of topics.values()) {
    for (const { doc_id, grade } of labels.values()) if (grade > 0) texts.set(doc_id, undefined);
  }
  yield* readCorpus(corpus, texts);
  yield* readQueries(queries, { split, topics, texts, remarks });
  return {
    name,
    evaluators: ["ndcg", "recall", "mrr", "hit_rate"].map((type) => ({ type, k: 10 })),
    depth: 10,
    slices: ["relevant_position"],
    notices: remarks.notices(),
  };
}

async function* readQrels(
  file: SourceFile,
  topics: Map<string, Topic>,
  remarks: Remarks,
): AsyncGenerator<Issue> {
  for await (const { number: line, text } of file.lines()) {
    const place = { file: file.shown, line };
    const cells = text.replace(/\r$/, "").split("\t");
    const [query = "", doc_id = "", written = ""] = cells;
    // The header, which some sets lack.
    if (text.trim() === "" || (line === 1 && cells.length === 3 && !/^[+-]?\d/.test(written))) continue;
    const grade = gradeOf(written.trim());
    if (cells.length !== 3 || query === "" || doc_id === "") {
      yield {
        code: "invalid_qrels",
        message: `A line of the qrels is a query id, a document id and a grade, parted by tabs, not ${
          quote(text)
        }`,
        ...place,
      };
    } else if (!grade.ok) yield { code: "invalid_qrels", message: grade.problem, ...place };
    else {
      if (grade.negative) remarks.add(NEGATIVE_GRADE, place);
      const topic = topics.get(query) ?? { place, labels: new Map() };
      topics.set(query, topic);
      if (topic.labels.has(doc_id)) {
        const message = `The document ${quote(doc_id)} of the query ${quote(query)} has a label already`;
        yield { code: "duplicate_label", message, ...place };
      } else topic.labels.set(doc_id, { doc_id, grade: grade.grade });
    }
  }
}

/** Passes the corpus on, and keeps the texts of the relevant documents alone. */
async function* readCorpus(
  file: SourceFile,
  texts: Map<string, string | undefined>,
): AsyncGenerator<Imported> {
  const lines = new Map<string, number | undefined>();
  for await (const reading of readJsonLines(file)) {
    if (!reading.ok) {
      yield issue(reading.issue);
      continue;
    }
    const { row } = reading;
    const [id, body] = [readText(row, "_id", "id"), readText(row, "text", "text")];
    if (!id.ok) yield issue(id.issue);
    if (!body.ok) yield issue(body.issue);
    if (!id.ok || !body.ok) continue;
    if (lines.has(id.text)) {
      const first = placeOf({ file: file.shown, ...lineOf(lines.get(id.text)) });
      const message = `The _id ${quote(id.text)} is already that of the document at ${first}`;
      yield issue({ code: "duplicate_id", message, ...row.place });
      continue;
    }
    lines.set(id.text, row.place.line);
    const { title, metadata } = row.value;
    const text = typeof title === "string" && title !== "" ? `${title}\n${body.text}` : body.text;
    if (texts.has(id.text)) texts.set(id.text, text);
    const described = isJsonObject(metadata) && Object.keys(metadata).length > 0 ? { metadata } : {};
    const passage: Passage = { doc_id: id.text, text, ...described };
    yield { kind: "passage", passage };
  }
}

function lineOf(line: number | undefined): { readonly line?: number } {
  return line === undefined ? {} : { line };
}

async function* readQueries(
  file: SourceFile,
  { split, topics, texts, remarks }: {
    readonly split: string;
    readonly topics: ReadonlyMap<string, Topic>;
    readonly texts: ReadonlyMap<string, string | undefined>;
    readonly remarks: Remarks;
  },
): AsyncGenerator<Imported> {
  const asked = new Set<string>();
  for await (const reading of readJsonLines(file)) {
    if (!reading.ok) {
      yield issue(reading.issue);
      continue;
    }
    const { row } = reading;
    const [id, question] = [readText(row, "_id", "id"), readText(row, "text", "text")];
    if (!id.ok) yield issue(id.issue);
    if (!question.ok) yield issue(question.issue);
    if (!id.ok || !question.ok) continue;
    const topic = topics.get(id.text);
    if (topic === undefined) {
      const message = `Left out: queries that have no label in the split ${split}`;
      remarks.add({ code: "query_without_labels", message }, row.place);
      continue;
    }
    asked.add(id.text);
    const relevant = [...topic.labels.values()];
    const gold_context = relevant.filter(({ grade }) => grade > 0).flatMap(({ doc_id }) => {
      const text = texts.get(doc_id);
      if (text !== undefined) return [{ doc_id, text }];
      remarks.add(NOT_IN_CORPUS, quote(doc_id));
      return [];
    });
    const expected = { relevant, ...(gold_context.length === 0 ? {} : { gold_context }) };
    const input = { question: question.text };
    yield { kind: "case", case: { id: id.text, input, expected }, place: row.place };
  }
  for (const [query, { place }] of topics) {
    if (asked.has(query)) continue;
    const message = `The query ${quote(query)} has labels and is not in ${file.shown}`;
    yield issue({ code: "unknown_query", message, ...place });
  }
}

const NOT_IN_CORPUS = {
  code: "label_not_in_corpus",
  message:
    "Relevant documents that the corpus lacks: no retriever can find them, and they have no gold context",
};
