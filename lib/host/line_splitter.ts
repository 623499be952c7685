/** Bytes as they come → whole lines. */

const LINE_FEED = 10;

/** Longer than any message that could be kept; more would only fill the memory. */
export const MAX_LINE_BYTES = 100_000_000;

/** Collects the pieces of a stream until a line is whole. */
export class LineSplitter {
  #parts: Uint8Array[] = [];
  #size = 0;

  /** Bytes that wait for the end of their line. */
  get pending(): number {
    return this.#size;
  }

  /** The lines that a piece completes, without their ends. */
  push(piece: Uint8Array): readonly Uint8Array[] {
    const lines: Uint8Array[] = [];
    let from = 0;
    for (let end = piece.indexOf(LINE_FEED); end >= 0; end = piece.indexOf(LINE_FEED, from)) {
      lines.push(this.#take(piece.subarray(from, end)));
      from = end + 1;
    }
    if (from < piece.length) {
      this.#parts.push(piece.subarray(from));
      this.#size += piece.length - from;
    }
    return lines;
  }

  /** What came after the last end of a line. */
  rest(): Uint8Array {
    return this.#take(new Uint8Array());
  }

  #take(last: Uint8Array): Uint8Array {
    if (this.#parts.length === 0) return last;
    const whole = new Uint8Array(this.#size + last.length);
    let at = 0;
    for (const part of [...this.#parts, last]) {
      whole.set(part, at);
      at += part.length;
    }
    this.#parts = [];
    this.#size = 0;
    return whole;
  }
}
