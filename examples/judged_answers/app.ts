import { readFileSync } from "node:fs";
import { ragSystem } from "oloproof";

type Question = { question: string };
type Passage = { doc_id: string; text?: string };

const corpus: { doc_id: string; text: string }[] = readFileSync(
  new URL("./corpus.jsonl", import.meta.url),
  "utf8",
)
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line));

function wordsOf(text: string) {
  return new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []);
}

const passagesWith = new Map<string, number>();
for (const { text } of corpus) {
  for (const word of wordsOf(text)) passagesWith.set(word, (passagesWith.get(word) ?? 0) + 1);
}

/** The summed weights of the words that both texts hold; a word weighs more the fewer passages have it. */
function overlap(question: string, text: string) {
  const words = wordsOf(text);
  return [...wordsOf(question)]
    .filter((word) => words.has(word))
    .reduce((sum, word) => sum + Math.log(1 + corpus.length / (passagesWith.get(word) ?? 1)), 0);
}

/** The passages that share words with the question, the best first. */
function retrieve({ question }: Question, depth: number) {
  const candidates = corpus
    .map(({ doc_id, text }) => ({ doc_id, score: overlap(question, text), text }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, depth);
  return { query: question, candidates };
}

/** Answers with the sentence that fits best; asked for a flourish, it praises what nobody told it about. */
function generate(
  { question }: Question,
  context: readonly Passage[],
  { params }: { params: { flourish?: boolean } },
) {
  const sentences = context.flatMap(({ doc_id, text = "" }) =>
    text.split(/(?<=[.!?])\s+/).map((sentence) => ({ doc_id, sentence, score: overlap(question, sentence) }))
  );
  const [best] = sentences.sort((a, b) => b.score - a.score);
  if (best === undefined) return { answer: "I do not know.", citations: [] };
  const praise = params.flourish ? " Visitors from all over Europe come to admire it." : "";
  return { answer: `${best.sentence}${praise}`, citations: [best.doc_id] };
}

export const gardenGuide = ragSystem(
  { name: "garden-guide", version: "1", depth: 4, top_k: 2, index_version: "2026-09" },
  { retrieve, generate },
);
