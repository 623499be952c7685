type Question = { question: string };
type Candidate = { doc_id: string; text?: string; metadata?: { title?: string } };

/** Titles repeat little words like "the" by chance, so words under four letters do not count. */
function wordsOf(text = "") {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** How many of the question's words the title has; words under four letters say nothing about a subject. */
function titleMatches(question: string, title = "") {
  const titleWords = new Set(wordsOf(title));
  return new Set(wordsOf(question).filter((word) => word.length > 3 && titleWords.has(word))).size;
}

/** The number of words in the longest run of words that question and text have in common. */
function longestPhrase(question: string, text = "") {
  const words = wordsOf(question);
  const haystack = ` ${wordsOf(text).join(" ")} `;
  let longest = 0;
  for (let start = 0; start < words.length; start++) {
    while (
      start + longest < words.length &&
      haystack.includes(` ${words.slice(start, start + longest + 1).join(" ")} `)
    ) longest++;
  }
  return longest;
}

/** Passages whose title shares more words with the question come first; then those with the longer common phrase. */
export function byTitle({ question }: Question, candidates: readonly Candidate[]) {
  return candidates
    .map((candidate) => ({
      candidate,
      title: titleMatches(question, candidate.metadata?.title),
      phrase: longestPhrase(question, candidate.text),
    }))
    .sort((a, b) => b.title - a.title || b.phrase - a.phrase) // stable: equals keep the retriever's order
    .map(({ candidate }) => candidate);
}
