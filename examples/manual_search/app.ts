import { readFileSync } from "node:fs";
import MiniSearch from "minisearch";
import { ragSystem } from "oloproof";

type Question = { question: string };
type Section = { doc_id: string; title: string; text: string };
type Passage = { doc_id: string; text?: string };

const manual: Section[] = readFileSync(new URL("./corpus.jsonl", import.meta.url), "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line));

const LITTLE_WORDS = new Set(
  ("a an and any are as at be by can do does for from has have how i if in is it its may me my of off on or out " +
    "should so that the there this to was what when where which who why will with you your").split(" "),
);

/** The words of a text in lower case, without those that say nothing about its subject. */
function wordsOf(text: string) {
  const words: string[] = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.filter((word) => !LITTLE_WORDS.has(word));
}

// BM25+ over the texts alone; the titles only go along with the candidates.
const index = new MiniSearch<Section>({
  idField: "doc_id",
  fields: ["text"],
  storeFields: ["title", "text"],
  tokenize: wordsOf,
});
index.addAll(manual);

const sectionsWith = new Map<string, number>();
for (const { text } of manual) {
  for (const word of new Set(wordsOf(text))) sectionsWith.set(word, (sectionsWith.get(word) ?? 0) + 1);
}

/** The summed weights of the question's words that occur in the text: the fewer sections hold a word, the more it weighs. */
function overlap(question: string, text: string) {
  const words = new Set(wordsOf(text));
  let sum = 0;
  for (const word of new Set(wordsOf(question))) {
    const count = sectionsWith.get(word) ?? 0;
    if (count > 0 && words.has(word)) sum += Math.log(manual.length / count);
  }
  return sum;
}

/** The sections that share a word with the question, best BM25+ score first. */
function retrieve(input: Question, depth: number) {
  const candidates = index.search(input.question).slice(0, depth).map(({ id, score, title, text }) => ({
    doc_id: String(id),
    score,
    text: String(text),
    metadata: { title: String(title) },
  }));
  return { query: input.question, candidates };
}

/** The questions that were asked before, since the program began. */
const asked = new Set<string>();

/** Answers with the sentence of the context that overlaps most with the question, and cites its section. */
function generate(input: Question, context: readonly Passage[]) {
  const sentences = context.flatMap(({ doc_id, text = "" }) =>
    text.split(/(?<=[.!?])\s+/).map((sentence) => ({
      sentence,
      doc_id,
      score: overlap(input.question, sentence),
    }))
  );
  const best = Math.max(...sentences.map(({ score }) => score));
  const tied = sentences.filter(({ score }) => score === best);
  // Stands in for a model that samples, without any randomness: of sentences that tie, it gives the first one
  // when a question is new, and the last one whenever that question is asked again.
  const chosen = asked.has(input.question) ? tied.at(-1) : tied[0];
  asked.add(input.question);
  return { answer: chosen?.sentence ?? "", citations: chosen === undefined ? [] : [chosen.doc_id] };
}

export const manualSearch = ragSystem(
  { name: "manual-search", version: "1", depth: 8, top_k: 3, index_version: "manual-2026-09" },
  { retrieve, generate },
);
