/** TREC's files: qrels, the run of a retriever and, where there are some, topics. Source: NIST trec_eval 10. */
import { quote } from "../config/quote.ts";
import type { DocumentLabel } from "./grade.ts";
import { type Importer, issue, type SourceFile } from "./imported.ts";
import { Remarks } from "./remarks.ts";
import { type RankedDocument, readQrels, readRun, readTopics, type Topics } from "./trec_lines.ts";

/** The files of a run. */
export interface TrecSource {
  readonly name: string;
  readonly qrels: SourceFile;
  readonly run: SourceFile;
  readonly topics?: SourceFile;
}

/** The cut of the measures, unless less was retrieved. */
const K = 10;

/**
 * One case a topic of the qrels, then those of the run that have no labels. The candidates stand as trec_eval reads them: by score,
 * the highest first, and equal scores by document, the last first; neither ranks nor the order of lines count. A topic without a
 * line of the run is one of which nothing was retrieved, as under `trec_eval -c`. There are no answers: the output is null.
 */
export async function* importTrec({ name, qrels, run, topics }: TrecSource): Importer {
  const remarks = new Remarks();
  const labels: Topics<DocumentLabel> = new Map();
  const ranked: Topics<RankedDocument> = new Map();
  const questions = new Map<string, string>();
  for await (const found of readQrels(qrels, labels, remarks)) yield issue(found);
  for await (const found of readRun(run, ranked)) yield issue(found);
  if (topics !== undefined) { for await (const found of readTopics(topics, questions)) yield issue(found); }
  let depth = 1;
  for (const topic of new Set([...labels.keys(), ...ranked.keys()])) {
    const [labelled, retrieved] = [labels.get(topic), ranked.get(topic)];
    const place = labelled?.place ?? retrieved?.place ?? { file: qrels.shown };
    if (labelled === undefined) remarks.add(UNLABELLED, place);
    if (retrieved === undefined) remarks.add(NOT_RETRIEVED, place);
    const question = questions.get(topic);
    if (topics !== undefined && question === undefined) remarks.add(NO_TEXT, place);
    const relevant = [...labelled?.documents.values() ?? []];
    const candidates = [...retrieved?.documents.values() ?? []].sort(asTrecEvalReads)
      .map(({ doc_id, score }) => ({ doc_id, score }));
    depth = Math.max(depth, candidates.length);
    const input = question === undefined ? { topic } : { question };
    const expected = relevant.length === 0 ? {} : { expected: { relevant } };
    yield { kind: "case", case: { id: topic, input, ...expected }, place };
    yield { kind: "record", record: { case_id: topic, output: null, candidates } };
  }
  for (const topic of questions.keys()) {
    if (!labels.has(topic) && !ranked.has(topic)) remarks.add(NEITHER, quote(topic));
  }
  const k = Math.min(K, depth);
  return {
    name,
    evaluators: ["ndcg", "recall", "mrr", "hit_rate"].map((type) => ({ type, k })),
    depth,
    slices: ["relevant_position"],
    notices: remarks.notices(),
  };
}

/** trec_eval holds scores in single precision, so that two of them may be equal there that are not in the file. */
function asTrecEvalReads(a: RankedDocument, b: RankedDocument): number {
  return Math.fround(b.score) - Math.fround(a.score) || compareBytes(b.doc_id, a.doc_id);
}

/** The order of two texts by their code points, which is that of their bytes in UTF-8. */
function compareBytes(a: string, b: string): number {
  const [left, right] = [[...a], [...b]];
  for (const [index, character] of left.entries()) {
    const order = (character.codePointAt(0) ?? 0) - (right[index]?.codePointAt(0) ?? -1);
    if (order !== 0) return order;
  }
  return left.length - right.length;
}

const UNLABELLED = {
  code: "topic_without_labels",
  message: "Topics of the run without a label: cases without expectation, which retrieval metrics exclude",
};
const NOT_RETRIEVED = {
  code: "topic_not_in_run",
  message:
    "Topics without a line of the run: nothing was retrieved, and they count as 0, as under `trec_eval -c`",
};
const NO_TEXT = {
  code: "topic_without_text",
  message: "Topics that the file of topics lacks: their input is the id",
};
const NEITHER = {
  code: "topic_left_out",
  message: "Left out: topics that stand in the file of topics alone",
};
