/** The help desk of a fictional ferry line, as an HTTP service: it merges two searches and answers in text with `[doc]` citations. */
import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A page of the ferry line's handbook. */
interface Page {
  readonly doc_id: string;
  readonly title: string;
  readonly text: string;
}

/** What the desk reads before it answers. */
type Source = Pick<Page, "doc_id" | "text">;

const pages: readonly Page[] = readFileSync(new URL("corpus.jsonl", import.meta.url), "utf8")
  .trim().split("\n").map((line) => JSON.parse(line));

/** How many pages the desk reads. */
const LIMIT = 2;

const LITTLE_WORDS = new Set(
  "a an and are at can do does for how i in is it my of on the to what when where which with".split(" "),
);

function wordsOf(text: string): readonly string[] {
  return (text.toLowerCase().match(/[a-z0-9]+/g) ?? []).filter((word) => !LITTLE_WORDS.has(word));
}

function shared(question: ReadonlySet<string>, text: string): number {
  return new Set(wordsOf(text).filter((word) => question.has(word))).size;
}

/** The best pages by one of their fields; those that share no word are none. */
function search(question: ReadonlySet<string>, field: "title" | "text", count: number): readonly Page[] {
  return pages.map((page) => ({ page, score: shared(question, page[field]) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, count)
    .map(({ page }) => page);
}

/** Answers from the given sources, or from what two searches find: one over titles, one over texts. */
function answer(question: string, given: readonly Source[] | undefined) {
  const asked = new Set(wordsOf(question));
  const found = [...new Set([...search(asked, "title", 1), ...search(asked, "text", 2)])];
  const sources = given ?? found.slice(0, LIMIT);
  const sentences = sources.flatMap(({ doc_id, text }) =>
    text.split(/(?<=[.!?])\s+/).map((sentence) => ({ doc_id, sentence, score: shared(asked, sentence) }))
  );
  const best = sentences.toSorted((a, b) => b.score - a.score)[0];
  if (best === undefined) return { text: "I found nothing about that.", sources };
  const unread = given === undefined ? found[LIMIT] : undefined;
  const more = unread === undefined ? "" : ` See also [${unread.doc_id}].`;
  return { text: `${best.sentence} [${best.doc_id}]${more}`, sources };
}

async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const { question, sources } = JSON.parse(
    new TextDecoder().decode(await new Blob(chunks as BlobPart[]).arrayBuffer()),
  );
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify(answer(question, sources)));
}

/** Starts the service on a free port of this machine and answers with its address; it does not keep the program alive. */
export function startService(): Promise<string> {
  const server = createServer((request, response) => {
    respond(request, response).catch((cause) => {
      response.statusCode = 400;
      response.end(String(cause));
    });
  });
  server.unref();
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo;
      resolve(`http://127.0.0.1:${port}`);
    });
  });
}
