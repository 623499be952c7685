/** Passages, each once, however many cases retrieved it. */
import type { Passage } from "../domain/passage.ts";
import { printable } from "../report/printable.ts";
import type { EvidencePassage } from "./evidence.ts";

/** Hands out the index of a passage, and keeps what was not there before until it is taken. */
export class PassagePool {
  readonly #indices = new Map<string, number>();
  #fresh: EvidencePassage[] = [];

  /** @param withText Whether text and metadata are kept; without them passages of one name are one. */
  constructor(private readonly withText: boolean) {}

  /** The index of a passage; its score is none of its own. */
  add({ doc_id, chunk_id, text, metadata }: Passage): number {
    const name = printable(chunk_id === undefined ? doc_id : `${doc_id} ${chunk_id}`);
    const passage: EvidencePassage = this.withText
      ? [name, text === undefined ? null : printable(text), metadata === undefined ? null : shown(metadata)]
      : [name, null, null];
    const key = JSON.stringify(passage);
    const known = this.#indices.get(key);
    if (known !== undefined) return known;
    const index = this.#indices.size;
    this.#indices.set(key, index);
    this.#fresh.push(passage);
    return index;
  }

  /** The passages that were added since the last time. */
  takeFresh(): readonly EvidencePassage[] {
    const fresh = this.#fresh;
    this.#fresh = [];
    return fresh;
  }
}

/** A value as the text that is shown of it: JSON, without quotes around a text. */
export function shown(value: unknown): string {
  return printable(typeof value === "string" ? value : JSON.stringify(value, null, 2));
}
