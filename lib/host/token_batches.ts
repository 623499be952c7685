/** Counts tokens in few messages: the passages of one moment go out together. */
import type { Passage } from "../domain/passage.ts";
import { InvalidOutput } from "../stages/read_output.ts";

interface Batch {
  readonly passages: Passage[];
  readonly counts: Promise<readonly unknown[]>;
}

/** Asks for the sizes of many passages at once. */
export class TokenBatches {
  /** By the signal of their call; those of different cases may be called off apart. */
  readonly #open = new Map<AbortSignal | undefined, Batch>();

  /** @param ask Answers with a size for each passage, in their order. */
  constructor(
    private readonly ask: (passages: readonly Passage[], signal: AbortSignal | undefined) => Promise<unknown>,
  ) {}

  /** The size of one passage, unchecked. */
  async count(passage: Passage, signal?: AbortSignal): Promise<number> {
    const batch = this.#open.get(signal) ?? this.#begin(signal);
    const place = batch.passages.push(passage) - 1;
    return (await batch.counts)[place] as number;
  }

  #begin(signal: AbortSignal | undefined): Batch {
    const passages: Passage[] = [];
    const counts = Promise.resolve().then(async () => {
      this.#open.delete(signal);
      const counted = await this.ask(passages, signal);
      if (Array.isArray(counted) && counted.length === passages.length) return counted;
      throw new InvalidOutput(`count_tokens returned no list of ${passages.length} numbers`);
    });
    const batch = { passages, counts };
    this.#open.set(signal, batch);
    return batch;
  }
}
