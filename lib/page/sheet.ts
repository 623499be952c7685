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

/** A part of a sheet. Notebooks are brief; a report has every case anyway. */
export interface Section {
  readonly heading: string;
  readonly place: "both" | "notebook" | "report";
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
  return { heading, place: "both", tables: [], pictures: [], lines: [], ...parts };
}

/** The text of a cell. */
export function cellText(cell: Cell): string {
  return typeof cell === "string" ? cell : cell.text;
}

/** The sections of a sheet that have something to show in a place. */
export function sectionsFor({ sections }: Sheet, place: "notebook" | "report"): readonly Section[] {
  return sections.filter((one) =>
    (one.place === "both" || one.place === place) &&
    one.tables.length + one.pictures.length + one.lines.length > 0
  );
}
