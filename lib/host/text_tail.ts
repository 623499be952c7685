/** The end of a long text. */

/** How much of what a process prints is kept for messages, in characters. */
const KEPT = 4000;

/** Keeps the last characters of a text that comes in pieces. */
export class TextTail {
  #text = "";

  add(piece: string): void {
    this.#text = `${this.#text}${piece}`.slice(-KEPT);
  }

  /** The last lines, at most so many characters; "" when nothing came. */
  last(length = 1200): string {
    const text = this.#text.trimEnd();
    return text.length <= length ? text : `…${text.slice(-length)}`;
  }
}
