/** The marks of a picture in rows. */
import { wrapParts, wrapText } from "./text_width.ts";
import { labelWidth, type Layout, noteWidth, ROW_HEIGHT, rowMargins, TEXT_SIZE } from "./layout.ts";
import { type Mark, paintOf, type Plotting, pointPaint } from "./marks.ts";
import { ink, line, paper, quiet, tones, zone } from "./palette.ts";
import type { Axis, AxisUnit, RowMark, RowPicture } from "./picture.ts";

/** A row or heading with its place: a row of one line is 1 high, and `y` is the middle, counted from above. */
interface Slot {
  readonly y: number;
  readonly height: number;
  /** The whole label, and the lines in which it stands. */
  readonly label: string;
  readonly labelLines: readonly string[];
  readonly noteLines: readonly string[];
  readonly heading: boolean;
  readonly marks: readonly RowMark[];
}

/** The height of a line among several in a row, in heights of a row; what a row of several lines has beside them. */
const LINE = 15 / ROW_HEIGHT;
const BETWEEN = 10 / ROW_HEIGHT;

/** Labels and notes take as many lines as they need: the end of a note tells what is missing. */
function slotsOf(picture: RowPicture): readonly Slot[] {
  const margins = rowMargins(picture);
  const lines = picture.groups.flatMap(({ heading, rows }) => [
    ...(heading === null
      ? []
      : [{ label: heading, labelLines: [heading], noteLines: [], heading: true, marks: [] }]),
    ...rows.map(({ label, note, marks }) => ({
      label,
      labelLines: wrapText(label, labelWidth(margins), TEXT_SIZE),
      noteLines: wrapParts(note, noteWidth(margins), TEXT_SIZE),
      heading: false,
      marks,
    })),
  ]);
  let above = 0;
  return lines.map((slot) => {
    const most = Math.max(slot.labelLines.length, slot.noteLines.length);
    const height = most <= 1 ? 1 : most * LINE + BETWEEN;
    above += height;
    return { ...slot, height, y: above - height / 2 };
  });
}

/** The rows' heights together; an empty picture has the place of one. */
function heightOf(picture: RowPicture): number {
  return Math.max(1, slotsOf(picture).reduce((sum, { height }) => sum + height, 0));
}

/** The height of the frame. */
export function rowHeight(picture: RowPicture): number {
  return heightOf(picture) * ROW_HEIGHT;
}

/** The scales: values across, rows down. */
export function rowScales(picture: RowPicture) {
  const { domain, scale = "linear" } = picture.axis;
  return {
    x: { type: scale, domain: [...domain], axis: null, clamp: false },
    y: { type: "linear", domain: [0, heightOf(picture)], reverse: true, axis: null },
  } as const;
}

/** All marks of the frame, the lower ones first. */
export function rowMarks(picture: RowPicture, layout: Layout, plot: Plotting): readonly Mark[] {
  const slots = slotsOf(picture);
  const all = slots.flatMap(({ y, marks }) => marks.map((mark) => ({ y, mark })));
  const of = <K extends RowMark["kind"]>(kind: K) =>
    all.flatMap(({ y, mark }) => mark.kind === kind ? [{ y, ...mark as Extract<RowMark, { kind: K }> }] : []);
  const [least, greatest] = picture.axis.domain;
  return [
    plot.rect(of("zone"), {
      x1: ({ from }) => from ?? least,
      x2: ({ to }) => to ?? greatest,
      y1: ({ y }) => y - 0.46,
      y2: ({ y }) => y + 0.46,
      fill: zone.light,
    }),
    ...axisMarks(picture.axis, plot),
    ...all.flatMap(({ y, mark }) => barMark(mark, y, least, plot)),
    ...intervalMarks(of("interval"), plot),
    plot.ruleX(of("mark"), {
      x: "at",
      y1: ({ y }) => y - 0.46,
      y2: ({ y }) => y + 0.46,
      stroke: ink.light,
      strokeWidth: 2.5,
    }),
    ...of("point").map(({ y, at, tone, shape, hollow = false }) =>
      plot.dot([0], { x: () => at, y: () => y, r: 4.5, ...pointPaint(tone, shape, hollow) })
    ),
    ...wordMarks(slots, layout, plot),
  ];
}

function barMark(mark: RowMark, y: number, least: number, plot: Plotting): readonly Mark[] {
  if (mark.kind !== "bar") return [];
  return [
    plot.rect([0], {
      x1: () => least,
      x2: () => mark.to,
      y1: y - 0.3,
      y2: y + 0.3,
      ...paintOf(mark.tone, mark.filling),
    }),
  ];
}

/** A line with a short stroke at each end: where the stroke is missing, the interval would go on. */
function intervalMarks(
  intervals: readonly (Extract<RowMark, { kind: "interval" }> & { readonly y: number })[],
  plot: Plotting,
): readonly Mark[] {
  return intervals.flatMap(({ y, from, to, tone }) => {
    const stroke = tones[tone].light;
    return [
      plot.ruleY([y], { x1: () => from, x2: () => to, stroke, strokeWidth: 2 }),
      plot.ruleX([from, to], { y1: () => y - 0.2, y2: () => y + 0.2, stroke, strokeWidth: 2 }),
    ];
  });
}

function wordMarks(slots: readonly Slot[], layout: Layout, plot: Plotting): readonly Mark[] {
  const words = { y: "y", lineAnchor: "middle", fontSize: TEXT_SIZE, fill: ink.light } as const;
  const labels = labelWidth(layout);
  const rows = slots.filter(({ heading }) => !heading);
  return [
    plot.text(rows, {
      ...words,
      frameAnchor: "left",
      textAnchor: "end",
      dx: -10,
      lineHeight: LINE * ROW_HEIGHT / TEXT_SIZE,
      text: ({ labelLines }) => labelLines.join("\n"),
      title: ({ label, labelLines }) => labelLines.join(" ") === label ? null : label,
    }),
    plot.text(rows, {
      ...words,
      frameAnchor: "right",
      textAnchor: "start",
      dx: 12,
      fontVariant: "tabular-nums",
      lineHeight: LINE * ROW_HEIGHT / TEXT_SIZE,
      text: ({ noteLines }) => noteLines.join("\n"),
    }),
    plot.text(slots.filter(({ heading }) => heading), {
      ...words,
      frameAnchor: "left",
      textAnchor: "start",
      dx: -labels - 10,
      fontWeight: 600,
      // The lines of the axis pass behind it.
      stroke: paper.light,
      strokeWidth: 5,
      text: "label",
    }),
  ];
}

function axisMarks(axis: Axis, plot: Plotting): readonly Mark[] {
  const { domain: [least, greatest], unit, label, lines = [] } = axis;
  const options = {
    tickFormat: (value: number) => tickText(value, unit),
    ...(axis.scale === "log" ? { ticks: powersWithin(least, greatest) } : { ticks: ticksOf(axis) }),
  };
  const signed = least < 0 && greatest > 0;
  return [
    plot.gridX({ stroke: line.light, strokeOpacity: 1, ticks: options.ticks }),
    plot.axisX({
      anchor: "bottom",
      label: null,
      tickSize: 4,
      color: quiet.light,
      fontSize: TEXT_SIZE,
      ...options,
    }),
    ...(signed || least === 0 ? [plot.ruleX([0], { stroke: ink.light, strokeWidth: signed ? 1.5 : 1 })] : []),
    ...lines.flatMap(({ at, label }) => [
      plot.ruleX([at], { stroke: ink.light, strokeWidth: 1.2, strokeDasharray: "4,3" }),
      plot.text([at], {
        x: (d: number) => d,
        frameAnchor: "top",
        dy: -8,
        lineAnchor: "middle",
        text: () => label,
        fontSize: TEXT_SIZE,
        fill: quiet.light,
      }),
    ]),
    plot.text([label], {
      frameAnchor: "bottom",
      dy: 32,
      lineAnchor: "middle",
      text: (d: string) => d,
      fontSize: TEXT_SIZE,
      fill: quiet.light,
    }),
  ];
}

/** Round numbers within the domain, some six of them; counts have whole ones. */
export function ticksOf(
  { domain: [least, greatest], unit }: Pick<Axis, "domain" | "unit">,
): readonly number[] {
  const rough = (greatest - least) / 7;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((one) => one >= rough * 0.999) ?? rough;
  const whole = unit === "count" ? Math.max(1, Math.round(step)) : step;
  const first = Math.ceil(least / whole - 1e-9);
  const count = Math.floor(greatest / whole + 1e-9) - first + 1;
  // Counted in steps, so that no sum of fractions grows.
  return Array.from(
    { length: Math.max(0, count) },
    (_, index) => Number(((first + index) * whole).toPrecision(12)),
  );
}

function powersWithin(least: number, greatest: number): number[] {
  const powers: number[] = [];
  for (let power = 1; power <= greatest; power *= 10) if (power >= least) powers.push(power);
  return powers;
}

function tickText(value: number, unit: AxisUnit): string {
  switch (unit) {
    case "percent":
      return `${Number((value * 100).toPrecision(6))}%`;
    case "points": {
      const points = Number((value * 100).toPrecision(6));
      return points > 0 ? `+${points}` : String(points).replace("-", "−");
    }
    case "decimal":
      return String(Number(value.toPrecision(6)));
    case "count":
      return String(Math.round(value));
  }
}
