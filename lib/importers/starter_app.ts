/** The system of an imported project that has no recorded answers: something that runs at once and is meant to be replaced. */

/** What the starter's module exports. */
export const STARTER_EXPORT = "wordSearch";

const IMPORTS = [
  'import { readFileSync } from "node:fs";',
  'import { type Passage, ragSystem } from "oloproof";',
].join("\n");

/** The text of `app.ts`. */
export function starterApp(name: string): string {
  return `// A starter, here to be replaced by your own system: it finds passages of corpus.jsonl by the words that they share with
// the input, and answers with the best of them, unread.
${IMPORTS}

const passages: readonly Passage[] = readFileSync(new URL("corpus.jsonl", import.meta.url), "utf8")
  .split("\\n")
  .filter((line) => line.trim() !== "")
  .map((line) => JSON.parse(line));

const wordsOf = (text: string) => new Set(text.toLowerCase().match(/[\\p{L}\\p{N}]+/gu) ?? []);

/** The passages that hold a word, by their places in the corpus. */
const holders = new Map<string, number[]>();
for (const [place, { text = "" }] of passages.entries()) {
  for (const word of wordsOf(text)) {
    const places = holders.get(word);
    if (places === undefined) holders.set(word, [place]);
    else places.push(place);
  }
}

/** Shared words, a rare one counting for more than a common one. */
function search(question: string, depth: number): Passage[] {
  const scores = new Map<number, number>();
  for (const word of wordsOf(question)) {
    const places = holders.get(word) ?? [];
    const weight = Math.log(1 + passages.length / places.length);
    for (const place of places) scores.set(place, (scores.get(place) ?? 0) + weight);
  }
  return [...scores]
    .sort(([a, left], [b, right]) => right - left || a - b)
    .slice(0, depth)
    .flatMap(([place, score]) => {
      const passage = passages[place];
      return passage === undefined ? [] : [{ ...passage, score }];
    });
}

/** All texts of an input, whatever its form. */
function textOf(input: unknown): string {
  if (typeof input !== "object" || input === null) return String(input ?? "");
  return Object.values(input).map(textOf).join(" ");
}

export const ${STARTER_EXPORT} = ragSystem(
  // version names the generator: change it when it changes. depth, top_k and index_version are in oloproof.yaml.
  { name: ${JSON.stringify(name)}, version: "starter", depth: 10, top_k: 3, index_version: "1" },
  {
    // Your retriever: up to depth candidates, the best first. May be async.
    retrieve(input: unknown, depth: number) {
      const query = textOf(input);
      return { query, candidates: search(query, depth) };
    },
    // Your generator: it sees exactly the passages of the context, and may return any JSON.
    generate(_input: unknown, context: readonly Passage[]) {
      const [best] = context;
      return best === undefined ? { answer: "I do not know." } : { answer: best.text ?? "", citations: [best.doc_id] };
    },
  },
);
`;
}
