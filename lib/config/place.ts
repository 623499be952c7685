/** Places: where the parts of a value stand in the text that it was read from. */
import type { Issue } from "../domain/error.ts";
import { shorten } from "./quote.ts";

/** The keys and list positions that lead from the whole value to a part of it. */
export type Path = readonly PropertyKey[];

/** A place in a text, as far as it is known; both numbers are 1-based, columns count UTF-16 code units. */
export type Place = Pick<Issue, "line" | "column">;

/** Where one value begins, in code units from the start of the text, and the values within it. */
export interface PlacedPart {
  readonly at: number;
  /** Where its key begins; absent for the whole and for members of a list. */
  readonly key_at?: number;
  /** Nothing is written for it, as for `b` in `{a: 1, b: }`. */
  readonly empty?: boolean;
  /** A scalar as it is written, without quotes. */
  readonly written?: string;
  /** By key, or by the list position as text. */
  readonly parts?: ReadonlyMap<string, PlacedPart>;
}

/** Finds the places of a value's parts. What cannot be found has the place of the nearest part around it. */
export class Places {
  constructor(
    /** The file as messages name it. */
    readonly file: string,
    private readonly root: PlacedPart | undefined,
    private readonly locate: (offset: number) => Place,
  ) {}

  /** Where a value begins; an empty one is where its key is. */
  value(path: Path): Place {
    const { part } = this.find(path);
    if (part === undefined) return {};
    return this.locate(part.empty ? part.key_at ?? part.at : part.at);
  }

  /** Where the key of a value begins; the value itself when it has no key. */
  key(path: Path): Place {
    const { part } = this.find(path);
    return part === undefined ? {} : this.locate(part.key_at ?? part.at);
  }

  /** The text of a scalar as it is written, without quotes: `1.0` where the value is 1. */
  written(path: Path): string | undefined {
    const { part, whole } = this.find(path);
    return whole ? part?.written : undefined;
  }

  private find(path: Path): { readonly part: PlacedPart | undefined; readonly whole: boolean } {
    let part = this.root;
    for (const key of path) {
      const next = part?.parts?.get(String(key));
      if (next === undefined) return { part, whole: false };
      part = next;
    }
    return { part, whole: true };
  }
}

/**
 * Turns offsets into places; lines end with a line feed, and a carriage return before it is part of its
 * line.
 */
export function locateIn(
  text: string,
): (offset: number) => { readonly line: number; readonly column: number } {
  const starts = [0, ...Array.from(text.matchAll(/\n/g), ({ index }) => index + 1)];
  return (offset) => {
    const line = starts.findLastIndex((start) => start <= offset);
    return { line: line + 1, column: offset - (starts[line] ?? 0) + 1 };
  };
}

/** The places of a value that was never text: only the name of its origin is known. */
export function noPlaces(file: string): Places {
  return new Places(file, undefined, () => ({}));
}

/** A path as messages show it: `evaluators[1].k`. */
export function showPath(path: Path): string {
  return path.reduce<string>(
    (shown, key) =>
      typeof key === "number"
        ? `${shown}[${key}]`
        : `${shown === "" ? "" : `${shown}.`}${shorten(String(key))}`,
    "",
  );
}

/** Orders issues of one file by their places; equal places keep their order. */
export function sortIssues(issues: readonly Issue[]): readonly Issue[] {
  return [...issues].sort((a, b) => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0));
}
