import { readFileSync } from "node:fs";
import { ragSystem } from "oloproof";

type Question = { question: string };
type Article = { doc_id: string; text: string };
type Passage = { doc_id: string; text?: string };

const corpus: Article[] = readFileSync(new URL("./corpus.jsonl", import.meta.url), "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line));

const articlesWith = new Map<string, number>();
for (const article of corpus) {
  for (const word of wordsOf(article.text)) articlesWith.set(word, (articlesWith.get(word) ?? 0) + 1);
}

function wordsOf(text: string) {
  return new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []);
}

// Inverse document frequency in place of a stop list: the more articles share a word, the less it weighs.
function weightOf(word: string) {
  const count = articlesWith.get(word) ?? 0;
  return count === 0 ? 0 : Math.log(corpus.length / count);
}

/** The summed weights of the question's words that occur in the text, each word counted once. */
function overlap(question: string, text: string) {
  const words = wordsOf(text);
  let sum = 0;
  for (const word of wordsOf(question)) {
    if (words.has(word)) sum += weightOf(word);
  }
  return sum;
}

/** The articles that share a word with the question, best overlap first. */
function retrieve(input: Question, depth: number) {
  const candidates = corpus
    .map(({ doc_id, text }) => ({ doc_id, score: overlap(input.question, text), text }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score) // stable: equal scores keep the order of the corpus
    .slice(0, depth);
  return { query: input.question, depth, candidates };
}

/** Answers with the sentence of the context that overlaps most with the question; on a tie, with the first. */
function generate(input: Question, context: readonly Passage[]) {
  let answer = "";
  let citations: string[] = [];
  let best = -1; // below zero, so that a context without any shared word is still quoted
  for (const passage of context) {
    for (const sentence of (passage.text ?? "").split(/(?<=[.!?])\s+/)) {
      const score = overlap(input.question, sentence);
      if (score > best) {
        answer = sentence;
        citations = [passage.doc_id];
        best = score;
      }
    }
  }
  return { answer, citations };
}

/** Words stand in for the tokens of a model: this generator has no tokenizer. */
function countTokens(passage: Passage) {
  return (passage.text ?? "").split(/\s+/).filter(Boolean).length;
}

export const supportRag = ragSystem(
  {
    name: "support-rag",
    version: "slice-b-example",
    depth: 6,
    top_k: 2,
    token_budget: 40,
    index_version: "kb-2026-09-16",
  },
  { retrieve, generate, countTokens },
);
