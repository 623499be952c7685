type Question = { question: string };
type Candidate = { doc_id: string; text?: string; metadata?: { title?: string } };

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** How many of the question's words the title holds. Words of one to three letters say nothing about a subject. */
function countTitleWords(question: string, title: string) {
  const titleWords = new Set(wordsOf(title));
  return new Set(wordsOf(question).filter((word) => word.length > 3 && titleWords.has(word))).size;
}

/** The number of words in the longest phrase that the question and the text have in common. */
function longestPhrase(question: string, text: string) {
  const words = wordsOf(question);
  const spaced = ` ${wordsOf(text).join(" ")} `;
  const isShared = (start: number, length: number) =>
    start + length <= words.length && spaced.includes(` ${words.slice(start, start + length).join(" ")} `);
  let longest = 0;
  for (const start of words.keys()) {
    while (isShared(start, longest + 1)) longest++;
  }
  return longest;
}

/** Puts passages with more of the question's words in their titles first, and of equal ones those with the longer phrase. */
export function byTitle({ question }: Question, candidates: readonly Candidate[]) {
  return candidates
    .map((candidate) => ({
      candidate,
      titleWords: countTitleWords(question, candidate.metadata?.title ?? ""),
      phrase: longestPhrase(question, candidate.text ?? ""),
    }))
    .sort((a, b) => b.titleWords - a.titleWords || b.phrase - a.phrase) // stable: equal ones stay as retrieved
    .map(({ candidate }) => candidate);
}
