/** The marks around the frame of every picture: title, legend, footnotes. */
import { type Layout, type PlacedItem, TEXT_SIZE, TITLE_SIZE } from "./layout.ts";
import { ink, quiet, tones, zone } from "./palette.ts";
import type { Filling, PointShape, Tone } from "./picture.ts";

/** The plotting library, as the functions that use it are given it. */
export type Plotting = typeof import("@observablehq/plot");
/** What it draws. */
export type Mark = import("@observablehq/plot").Markish;

/** How the library calls a shape. */
export const SYMBOLS = { circle: "circle", diamond: "diamond", square: "square", cross: "times" } as const;

/** An upright stroke, as margins are drawn. */
const STROKE = {
  draw(path: { rect(x: number, y: number, width: number, height: number): void }): void {
    path.rect(-1.25, -7, 2.5, 14);
  },
};

/** The paint of an area. */
export function paintOf(tone: Tone, filling: Filling): {
  readonly fill: string;
  readonly fillOpacity: number;
  readonly stroke: string;
  readonly strokeWidth: number;
} {
  const colour = tones[tone].light;
  const opacity = { solid: 1, half: 0.3, hollow: 0 };
  return { fill: colour, fillOpacity: opacity[filling], stroke: colour, strokeWidth: 1.5 };
}

/** The paint of a point. */
export function pointPaint(tone: Tone, shape: PointShape, hollow: boolean): {
  readonly symbol: (typeof SYMBOLS)[PointShape];
  readonly fill: string;
  readonly stroke: string;
  readonly strokeWidth: number;
} {
  const colour = tones[tone].light;
  return {
    symbol: SYMBOLS[shape],
    // A cross has no area; a hollow point lets its interval be seen.
    fill: shape === "cross" || hollow ? "none" : colour,
    stroke: colour,
    strokeWidth: shape === "cross" ? 2.5 : 1.8,
  };
}

/** Title, legend and footnotes of a picture. */
export function frameMarks(layout: Layout, plot: Plotting): readonly Mark[] {
  const { left, top } = layout;
  const place = (x: number, y: number) =>
    ({
      frameAnchor: "top-left",
      dx: x - left,
      dy: y - top,
      lineAnchor: "middle",
      textAnchor: "start",
    }) as const;
  const texts = (items: Layout["title"], options: object) =>
    items.map(({ x, y, text }) => plot.text([text], { ...place(x, y), text: (d: string) => d, ...options }));
  return [
    ...texts(layout.title, { fontSize: TITLE_SIZE, fontWeight: 600, fill: ink.light }),
    ...texts(layout.subtitle, { fontSize: TEXT_SIZE, fill: quiet.light }),
    ...texts(layout.footnotes, { fontSize: TEXT_SIZE, fill: quiet.light }),
    ...layout.legend.flatMap((item) => [
      legendShape(item, layout, plot),
      ...texts([{ ...item, x: item.x + 12 }], { fontSize: TEXT_SIZE, fill: ink.light }),
    ]),
  ];
}

function legendShape(
  { x, y, tone, shape, hollow = false }: PlacedItem,
  { left, top }: Layout,
  plot: Plotting,
): Mark {
  const place = { frameAnchor: "top-left", dx: x - left, dy: y - top } as const;
  switch (shape) {
    case "solid":
    case "half":
    case "hollow":
      return plot.dot([0], { ...place, ...paintOf(tone, shape), symbol: "square", r: 6 });
    case "zone":
      return plot.dot([0], {
        ...place,
        fill: zone.light,
        stroke: quiet.light,
        strokeWidth: 0.5,
        symbol: "square",
        r: 6,
      });
    case "mark":
      return plot.dot([0], { ...place, symbol: STROKE, fill: ink.light, r: 6 });
    default:
      return plot.dot([0], { ...place, ...pointPaint(tone, shape, hollow), r: 4.5 });
  }
}
