/** The system under test of the bench: it does as little as a system can, so that what is measured is oloproof. */

/** A candidate. */
interface Passage {
  readonly doc_id: string;
  readonly score: number;
  readonly text: string;
}

const WORDS =
  "the of a refund is paid within days after we receive item you may also ask for an exchange at any store with receipt and card"
    .split(
      " ",
    );

/** About 12,000 characters; every passage is a piece of it. */
const TEXT = Array.from({ length: 2400 }, (_, index) => WORDS[(index * index + 7 * index) % WORDS.length])
  .join(" ");

/** Short passages: a sentence or three. */
const PASSAGE_LENGTH = 300;

/** Two stages without any work in them. Each question has candidates of its own; one of them is labelled. */
export const echo = {
  name: "echo",
  version: "1",
  depth: 5,
  top_k: 5,

  retrieve({ number, question }: { number: number; question: string }, depth: number) {
    const candidates = Array.from({ length: depth }, (_, index): Passage => {
      const start = (number * 31 + index * 997) % (TEXT.length - PASSAGE_LENGTH);
      return {
        doc_id: `doc-${number + index}`,
        score: 1 / (index + 1),
        text: TEXT.slice(start, start + PASSAGE_LENGTH),
      };
    });
    return { query: question, candidates };
  },

  generate({ question }: { question: string }, context: readonly Passage[]) {
    return { answer: question, citations: context.slice(0, 1).map(({ doc_id }) => doc_id) };
  },
};
