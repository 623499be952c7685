/** A project of any size for the bench: its cases, its system, its evaluators. */
import { copyFile, open, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const PROJECT = `system:
  rag: { object: app:echo }
evaluators:
  - { type: contains, criterion: answer_correct, field: answer, expected_field: answer }
  - { type: hit_rate, k: 3 }
  - { type: recall, k: 5 }
  - { type: ndcg, k: 5 }
  - { type: citation_validity }
slices: [metadata.topic, relevant_position]
`;

/** Cases that are written at once. */
const CHUNK = 1000;

/** Writes a project of so many cases into a folder. */
export async function writeWorkload(folder: string, cases: number): Promise<void> {
  await writeFile(join(folder, "oloproof.yaml"), PROJECT);
  await copyFile(fileURLToPath(new URL("echo_system.ts", import.meta.url)), join(folder, "app.ts"));
  const file = await open(join(folder, "cases.jsonl"), "w");
  for (let first = 0; first < cases; first += CHUNK) {
    const numbers = Array.from({ length: Math.min(CHUNK, cases - first) }, (_, index) => first + index);
    await file.write(numbers.map((number) => `${JSON.stringify(caseOf(number))}\n`).join(""));
  }
  await file.close();
}

/** One case: a question, its answer, two labelled documents, a topic. Every seventh answer is wrong. */
function caseOf(number: number) {
  const question = `After how many days is order ${number} refunded, and to which card?`;
  return {
    id: `case-${String(number).padStart(6, "0")}`,
    input: { number, question },
    expected: {
      answer: number % 7 === 0 ? "nobody knows" : `order ${number} refunded`,
      relevant: [{ doc_id: `doc-${number + number % 6}` }, { doc_id: `doc-${number + 1}`, grade: 2 }],
    },
    metadata: { topic: `topic-${number % 10}` },
  };
}
