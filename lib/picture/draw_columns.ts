/** The marks of a picture in columns. */
import { ticksOf } from "./draw_rows.ts";
import { TEXT_SIZE } from "./layout.ts";
import { type Mark, paintOf, type Plotting } from "./marks.ts";
import { ink, line, quiet } from "./palette.ts";
import type { Column, ColumnPicture } from "./picture.ts";

function sizeOf({ parts }: Column): number {
  return parts.reduce((sum, { count }) => sum + count, 0);
}

/** The scales: columns across, counts upwards, with room for a number above the highest. */
export function columnScales({ columns }: ColumnPicture) {
  const highest = Math.max(1, ...columns.map(sizeOf));
  return {
    x: { type: "linear", domain: [0, Math.max(1, columns.length)], axis: null },
    y: { type: "linear", domain: [0, highest * 1.12], axis: null },
  } as const;
}

/** All marks of the frame, the lower ones first. */
export function columnMarks(picture: ColumnPicture, plot: Plotting): readonly Mark[] {
  const { columns, cuts } = picture;
  return [
    ...axisMarks(picture, plot),
    ...columns.flatMap((column, index) => partMarks(column, index, plot)),
    plot.text(columns, {
      x: (_, index) => index + 0.5,
      y: sizeOf,
      dy: -8,
      text: (column) => sizeOf(column) === 0 ? "" : String(sizeOf(column)),
      fontSize: TEXT_SIZE,
      fill: ink.light,
    }),
    ...cuts.flatMap(({ after, label }) => [
      plot.ruleX([after], { stroke: ink.light, strokeWidth: 1.5, strokeDasharray: "5,3" }),
      plot.text([after], {
        x: (d: number) => d,
        frameAnchor: "top",
        dy: -8,
        lineAnchor: "middle",
        text: () => label,
        fontSize: TEXT_SIZE,
        fill: ink.light,
      }),
    ]),
  ];
}

function partMarks({ parts }: Column, index: number, plot: Plotting): readonly Mark[] {
  let below = 0;
  return parts.filter(({ count }) => count > 0).map(({ count, tone, filling }) => {
    const from = below;
    below += count;
    return plot.rect([0], {
      x1: index + 0.16,
      x2: index + 0.84,
      y1: () => from,
      y2: () => from + count,
      ...paintOf(tone, filling),
    });
  });
}

function axisMarks({ columns, x, y }: ColumnPicture, plot: Plotting): readonly Mark[] {
  const ticks = ticksOf({ domain: [0, Math.max(1, ...columns.map(sizeOf))], unit: "count" });
  const words = { lineAnchor: "middle", fontSize: TEXT_SIZE } as const;
  return [
    plot.gridY({ stroke: line.light, strokeOpacity: 1, ticks: [...ticks] }),
    plot.axisY({
      anchor: "left",
      label: null,
      tickSize: 0,
      color: quiet.light,
      fontSize: TEXT_SIZE,
      ticks: [...ticks],
      tickFormat: String,
    }),
    plot.ruleY([0], { stroke: ink.light, strokeWidth: 1 }),
    plot.text(columns, {
      x: (_, index) => index + 0.5,
      frameAnchor: "bottom",
      dy: 12,
      text: "label",
      fill: ink.light,
      ...words,
    }),
    plot.text([x], { frameAnchor: "bottom", dy: 32, text: (d: string) => d, fill: quiet.light, ...words }),
    plot.text([y], {
      frameAnchor: "left",
      rotate: -90,
      textAnchor: "middle",
      dx: -40,
      text: (d: string) => d,
      fill: quiet.light,
      ...words,
    }),
  ];
}
