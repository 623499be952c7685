/** Where the parts of a picture stand, in pixels. */
import type { LegendItem, Picture, RowPicture } from "./picture.ts";
import { textWidth, wrapText } from "./text_width.ts";

/** Font sizes in pixels. */
export const TITLE_SIZE = 14;
export const TEXT_SIZE = 12;
/** The height of a line of small text, and of a row. */
export const LINE_HEIGHT = 17;
export const ROW_HEIGHT = 26;

const WIDTH = 760;
const EDGE = 14;
const AXIS_HEIGHT = 44;
const LONGEST_LABEL = 250;
const LONGEST_NOTE = 320;
/** What the axis itself has at least. */
const LEAST_PLOT = 260;

/** A text and its place, from the upper left corner. */
export interface PlacedText {
  readonly x: number;
  readonly y: number;
  readonly text: string;
}

/** A legend item and the place of its shape. */
export interface PlacedItem extends LegendItem {
  readonly x: number;
  readonly y: number;
}

/** The frame of a picture and what stands around it. */
export interface Layout {
  readonly width: number;
  readonly height: number;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
  readonly title: readonly PlacedText[];
  readonly subtitle: readonly PlacedText[];
  readonly legend: readonly PlacedItem[];
  readonly footnotes: readonly PlacedText[];
}

/** Lays a picture out; `inner` is the height of its frame. */
export function layOut(picture: Picture, inner: number): Layout {
  const { left, right, width } = picture.kind === "rows"
    ? rowMargins(picture)
    : { left: EDGE + 44, right: EDGE + 10, width: WIDTH };
  const across = width - 2 * EDGE;
  // Bold letters are wider.
  const title = linesAt(wrapText(picture.title, across * 0.92, TITLE_SIZE), EDGE + 8);
  const subtitle = linesAt(
    wrapText(picture.subtitle, across, TEXT_SIZE),
    EDGE + 10 + title.length * LINE_HEIGHT,
  );
  const afterTitle = EDGE + 12 + (title.length + subtitle.length) * LINE_HEIGHT;
  const legend = placeLegend(picture.legend, afterTitle, across);
  const afterLegend = legend.reduce((most, { y }) => Math.max(most, y + LINE_HEIGHT), afterTitle);
  // The names of lines and cuts stand above the frame.
  const named = picture.kind === "rows" ? picture.axis.lines ?? [] : picture.cuts;
  const top = afterLegend + (named.length === 0 ? 4 : LINE_HEIGHT + 4);
  const notes = picture.footnotes.flatMap((note) => wrapText(note, across, TEXT_SIZE));
  const footnotes = linesAt(notes, top + inner + AXIS_HEIGHT + 8);
  const bottom = AXIS_HEIGHT + notes.length * LINE_HEIGHT + 8;
  return {
    width,
    height: top + inner + bottom,
    left,
    right,
    top,
    bottom,
    title,
    subtitle,
    legend,
    footnotes,
  };
}

function linesAt(texts: readonly string[], top: number): readonly PlacedText[] {
  return texts.map((text, index) => ({ x: EDGE, y: top + index * LINE_HEIGHT, text }));
}

/** What stands beside the frame of a picture in rows, and its whole width. */
export function rowMargins({ groups }: RowPicture): Pick<Layout, "left" | "right" | "width"> {
  const rows = groups.flatMap((group) => group.rows);
  const widest = (texts: readonly string[], most: number) =>
    Math.min(most, Math.max(40, ...texts.map((text) => textWidth(text, TEXT_SIZE))));
  const left = EDGE + widest(rows.map(({ label }) => label), LONGEST_LABEL) + 12;
  const right = EDGE + widest(rows.map(({ note }) => note), LONGEST_NOTE) + 14;
  return { left, right, width: Math.max(WIDTH, Math.ceil(left + right + LEAST_PLOT)) };
}

/** In as many lines as it takes. */
function placeLegend(items: readonly LegendItem[], top: number, across: number): readonly PlacedItem[] {
  let x = EDGE;
  let y = top + 2;
  return items.map((item) => {
    const needs = 20 + textWidth(item.text, TEXT_SIZE) + 18;
    if (x > EDGE && x + needs > across) {
      x = EDGE;
      y += LINE_HEIGHT + 2;
    }
    const placed = { ...item, x: x + 6, y };
    x += needs;
    return placed;
  });
}

/** The width that a label or a note may take. */
export function labelWidth({ left }: Pick<Layout, "left">): number {
  return left - EDGE - 10;
}

/** Likewise, to the right of the frame. */
export function noteWidth({ right }: Pick<Layout, "right">): number {
  return right - EDGE - 10;
}
