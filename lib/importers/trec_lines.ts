/** Lines of TREC's files: qrels, runs and topics. */
import { type Issue, placeOf } from "../domain/error.ts";
import { quote } from "../config/quote.ts";
import { type DocumentLabel, gradeOf, NEGATIVE_GRADE } from "./grade.ts";
import type { SourceFile, SourcePlace } from "./imported.ts";
import type { Remarks } from "./remarks.ts";

/** A document that a run retrieved, as its line gives it. */
export interface RankedDocument {
  readonly doc_id: string;
  readonly score: number;
  readonly place: SourcePlace;
}

/** What a file holds of one topic, in the order of its lines. */
export interface TopicLines<T> {
  readonly place: SourcePlace;
  readonly documents: Map<string, T>;
}

/** By topic, in the order in which they first stand in the file. */
export type Topics<T> = Map<string, TopicLines<T>>;

const QRELS = "topic, iteration, document and grade";
const RUN = "topic, Q0, document, rank, score and tag";

/** Reads qrels; every mistake is yielded. */
export async function* readQrels(
  file: SourceFile,
  topics: Topics<DocumentLabel>,
  remarks: Remarks,
): AsyncGenerator<Issue> {
  for await (const { cells, place, text } of readCells(file)) {
    const [topic = "", , doc_id = "", written = ""] = cells;
    const grade = gradeOf(written);
    if (cells.length !== 4) {
      const hint = cells.length === 6
        ? { hint: "this looks like a run; the order is QRELS RUN [TOPICS]" }
        : {};
      yield { ...badLine("qrels", QRELS, text, place), ...hint };
    } else if (!grade.ok) yield { code: "invalid_qrels", message: grade.problem, ...place };
    else {
      if (grade.negative) remarks.add(NEGATIVE_GRADE, place);
      yield* addTo(topics, topic, { doc_id, place, of: { doc_id, grade: grade.grade } });
    }
  }
}

/** Reads a run file; every mistake is yielded. */
export async function* readRun(file: SourceFile, topics: Topics<RankedDocument>): AsyncGenerator<Issue> {
  for await (const { cells, place, text } of readCells(file)) {
    const [topic = "", , doc_id = "", , written = ""] = cells;
    if (cells.length !== 6) yield badLine("run", RUN, text, place);
    else if (
      !/^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(written) || !Number.isFinite(Number(written))
    ) {
      const message = `The score must be a finite number, not ${quote(written)}`;
      yield { code: "invalid_run", message, ...place };
    } else yield* addTo(topics, topic, { doc_id, place, of: { doc_id, score: Number(written), place } });
  }
}

/** Reads topics, a line each: an id, a tab, a text. */
export async function* readTopics(file: SourceFile, topics: Map<string, string>): AsyncGenerator<Issue> {
  for await (const { number: line, text } of file.lines()) {
    if (text.trim() === "") continue;
    const place = { file: file.shown, line };
    const [, topic = "", question = ""] = /^\s*([^\t]*?)\s*\t([^\t]*?)\s*$/.exec(text) ?? [];
    if (topic === "" || question === "") yield badLine("topics", "an id, a tab and a text", text, place);
    else if (topics.has(topic)) {
      const message = `The topic ${quote(topic)} is already given above`;
      yield { code: "duplicate_topic", message, ...place };
    } else topics.set(topic, question);
  }
}

async function* readCells(file: SourceFile) {
  for await (const { number: line, text } of file.lines()) {
    const cells = text.split(/[ \t\r\v\f]+/).filter((cell) => cell !== "");
    if (cells.length > 0) yield { cells, text, place: { file: file.shown, line } };
  }
}

function* addTo<T>(
  topics: Topics<T>,
  topic: string,
  { doc_id, place, of }: { readonly doc_id: string; readonly place: SourcePlace; readonly of: T },
): Generator<Issue> {
  const lines = topics.get(topic) ?? { place, documents: new Map<string, T>() };
  topics.set(topic, lines);
  if (!lines.documents.has(doc_id)) lines.documents.set(doc_id, of);
  else {
    const message = `The document ${quote(doc_id)} stands twice under the topic ${quote(topic)}, ` +
      `which begins at ${placeOf(lines.place)}; trec_eval refuses that, too`;
    yield { code: "duplicate_document", message, ...place };
  }
}

function badLine(kind: string, parts: string, text: string, place: SourcePlace): Issue {
  return {
    code: `invalid_${kind}`,
    message: `A line of ${kind} holds ${parts}, not ${quote(text.trim())}`,
    ...place,
  };
}
