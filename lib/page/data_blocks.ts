/** Data that a page carries with it, packed: a browser unpacks a block when it is needed. */
import { gzipSync } from "node:zlib";
import { type Markup, markup } from "./markup.ts";

/** Characters of JSON from which a block is closed. */
const BLOCK_SIZE = 400_000;

/** A value as gzip in base64, in an element that no browser runs. */
export function dataBlock(id: string, value: unknown): Markup {
  const packed = gzipSync(JSON.stringify(value)).toString("base64");
  return markup`<script type="application/gzip" id="${id}">${packed}</script>\n`;
}

/** Gathers values into blocks `name-0`, `name-1`, …; says where each of them will be found. */
export class BlockWriter<T> {
  #block = 0;
  #size = 0;
  #values: T[] = [];
  #count = 0;
  readonly #starts: number[] = [];

  constructor(private readonly name: string) {}

  /** Adds a value. @returns The block that it will be in and its place there, and a full block once there is one. */
  add(value: T): { readonly block: number; readonly place: number; readonly full: Markup | undefined } {
    if (this.#values.length === 0) this.#starts.push(this.#count);
    const at = { block: this.#block, place: this.#values.push(value) - 1 };
    this.#count++;
    this.#size += JSON.stringify(value).length;
    return { ...at, full: this.#size >= BLOCK_SIZE ? this.close() : undefined };
  }

  /** The last block; undefined when nothing is left. */
  close(): Markup | undefined {
    if (this.#values.length === 0) return undefined;
    const block = dataBlock(`${this.name}-${this.#block}`, this.#values);
    this.#block++;
    this.#size = 0;
    this.#values = [];
    return block;
  }

  /** The index of the first value of each block. */
  get starts(): readonly number[] {
    return this.#starts;
  }
}
