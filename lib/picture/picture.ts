/**
 * A picture as data: what is drawn, in the terms of a chart and not of a plotting library. Builders make these out of values, and one
 * place (`draw.ts`) draws them.
 */

/** What a colour means. Nothing is told by it alone: a shape, a filling or a word says the same. */
export type Tone = "value" | "good" | "bad" | "open" | "muted";

/** How an area is filled, so that it can be told in print. */
export type Filling = "solid" | "half" | "hollow";

/** The shape of a point. */
export type PointShape = "circle" | "diamond" | "square" | "cross";

/** One thing that is drawn in a row; positions are values of the axis. */
export type RowMark =
  /** An interval with its ends. */
  | { readonly kind: "interval"; readonly from: number; readonly to: number; readonly tone: Tone }
  | {
    readonly kind: "point";
    readonly at: number;
    readonly tone: Tone;
    readonly shape: PointShape;
    readonly hollow?: boolean;
  }
  /** A bar that begins at the axis's own beginning. */
  | { readonly kind: "bar"; readonly to: number; readonly tone: Tone; readonly filling: Filling }
  /** The values that a rule asks for; null = without end on that side. */
  | { readonly kind: "zone"; readonly from: number | null; readonly to: number | null }
  /** A value that something is measured against. */
  | { readonly kind: "mark"; readonly at: number };

/** One line of a picture: what it is about, what is drawn, and the figures in words. */
export interface Row {
  readonly label: string;
  readonly marks: readonly RowMark[];
  /** Stands to the right of the axis, with the number of cases. */
  readonly note: string;
}

/** Rows under one heading. */
export interface RowGroup {
  /** Null where there is but one group and the title says it. */
  readonly heading: string | null;
  readonly rows: readonly Row[];
}

/** What the numbers of an axis are. */
export type AxisUnit = "percent" | "decimal" | "points" | "count";

/** A horizontal axis. */
export interface Axis {
  readonly label: string;
  /** `percent` and `points` are fractions that are shown times 100. */
  readonly unit: AxisUnit;
  /** From least to greatest; everything that is drawn lies within. */
  readonly domain: readonly [number, number];
  readonly scale?: "log";
  /** Values that are marked by a line through all rows, each with its name. */
  readonly lines?: readonly { readonly at: number; readonly label: string }[];
}

/** A shape and what it stands for. */
export interface LegendItem {
  readonly text: string;
  readonly tone: Tone;
  readonly shape: PointShape | Filling | "zone" | "mark";
  readonly hollow?: boolean;
}

interface Told {
  /** What is shown, in a few words. */
  readonly title: string;
  /** Of what, and of how many cases; may have line feeds. */
  readonly subtitle: string;
  /** The figures in words: what a reader has who does not see the picture. */
  readonly description: string;
  readonly legend: readonly LegendItem[];
  /** What must be known to read it right, a line each. */
  readonly footnotes: readonly string[];
}

/** Values in rows along one horizontal axis. */
export interface RowPicture extends Told {
  readonly kind: "rows";
  readonly axis: Axis;
  readonly groups: readonly RowGroup[];
}

/** A column of stacked counts. */
export interface Column {
  readonly label: string;
  readonly parts: readonly { readonly count: number; readonly tone: Tone; readonly filling: Filling }[];
}

/** Counts in columns. */
export interface ColumnPicture extends Told {
  readonly kind: "columns";
  readonly x: string;
  readonly y: string;
  readonly columns: readonly Column[];
  /** Lines between columns: after how many of them, and what they cut. */
  readonly cuts: readonly { readonly after: number; readonly label: string }[];
}

/** A picture, ready to be drawn. */
export type Picture = RowPicture | ColumnPicture;
