/** The ferry desk as oloproof sees it: one call that answers, and tells what it read. */
import process from "node:process";
import { ragSystem } from "oloproof";
import { startService } from "./service.ts";

/** A desk that runs elsewhere, or one that is started here. */
const address = process.env.FERRY_DESK_URL ?? await startService();

interface Source {
  readonly doc_id: string;
  readonly text: string;
}

export const ferryDesk = ragSystem(
  // Two searches are merged, so there is no single ranking; the desk tells what it read, not what it found.
  { name: "ferry-desk", version: "2", reports: ["context"], accepts_context: true, ranked: false },
  {
    async answer(input: { question: string }, { context, signal }) {
      const response = await fetch(`${address}/answer`, {
        method: "POST",
        body: JSON.stringify({ question: input.question, sources: context }),
        signal,
      });
      if (!response.ok) throw new Error(`the desk said ${response.status}: ${await response.text()}`);
      const { text, sources }: { text: string; sources: readonly Source[] } = await response.json();
      return { output: { text }, context: sources.map(({ doc_id, text }) => ({ doc_id, text })) };
    },
  },
);
