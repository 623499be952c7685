/** What is told of a value where people look rather than read: tables and pictures, before they are HTML. */
import type { Picture } from "../picture/picture.ts";

/** A cell: its text, and what it is sorted by where that is not the text. */
export type Cell = string | { readonly text: string; readonly order: number };

/** A column; numbers stand to the right. */
export interface TableColumn {
  readonly name: string;
  readonly numeric?: boolean;
}

/** A table; every row has a cell per column. */
export interface Table {
  readonly caption: string;
  readonly columns: readonly TableColumn[];
  readonly rows: readonly (readonly Cell[])[];
}

/** A part of a sheet. What is `brief` is shown in notebooks, too; the rest in reports alone. */
export interface Section {
  readonly heading: string;
  readonly brief: boolean;
  readonly tables: readonly Table[];
  readonly pictures: readonly Picture[];
  /** Sentences, a line each. */
  readonly lines: readonly string[];
}

/** Everything that is told of a value. */
export interface Sheet {
  readonly title: string;
  /** Name and value, in the order of their importance. */
  readonly facts: readonly (readonly [string, string])[];
  readonly sections: readonly Section[];
}

/** A section of which only some parts are given. */
export function section(heading: string, parts: Partial<Omit<Section, "heading">>): Section {
  return { heading, brief: false, tables: [], pictures: [], lines: [], ...parts };
}

/** The text of a cell. */
export function cellText(cell: Cell): string {
  return typeof cell === "string" ? cell : cell.text;
}
