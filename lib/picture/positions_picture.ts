/** Where the relevant evidence stands among the candidates, and what the cuts do to it. */
import { counted } from "../report/run_text.ts";
import type { Funnel, UnitPosition } from "../domain/run_report.ts";
import type { Column, ColumnPicture, Filling, LegendItem, Tone } from "./picture.ts";

type Fate = UnitPosition["fate"];

/** From the ground of a column upwards. */
const fates: Readonly<
  Record<Fate, { readonly tone: Tone; readonly filling: Filling; readonly text: string }>
> = {
  in_context: { tone: "value", filling: "solid", text: "in the context" },
  over_token_budget: { tone: "bad", filling: "half", text: "dropped by the token budget" },
  left_out_by_system: { tone: "bad", filling: "half", text: "left out by the system" },
  beyond_top_k: { tone: "open", filling: "hollow", text: "beyond top-k" },
  not_known: { tone: "muted", filling: "half", text: "context not reported" },
  not_retrieved: { tone: "muted", filling: "hollow", text: "not retrieved" },
};
const ORDER = Object.keys(fates) as Fate[];

/** Positions with a column of their own; what stands lower is gathered. */
const SINGLE = 16;
const BOUNDS = [20, 30, 50, 100, 200, 500, 1000, Infinity];

/** A column per position (the lower ones gathered), and one for what was not retrieved; undefined where no positions are known. */
export function positionsPicture(
  { funnel, run_id, top_k, token_budget }: {
    readonly funnel: Funnel;
    readonly run_id: string;
    readonly top_k: number | null;
    readonly token_budget: number | null;
  },
): ColumnPicture | undefined {
  const { positions, unit, cases, relevant } = funnel;
  if (positions === null || relevant === 0) return undefined;
  const bins = binsOf(positions, top_k);
  const columns: readonly Column[] = [
    ...bins.map(({ from, to }) => ({
      label: from === to ? String(from) : to === Infinity ? `${from}+` : `${from}–${to}`,
      parts: partsOf(
        positions.filter(({ position }) => position !== null && position >= from && position <= to),
      ),
    })),
    { label: "none", parts: partsOf(positions.filter(({ position }) => position === null)) },
  ];
  const cut = top_k === null ? -1 : bins.findIndex(({ to }) => to === top_k);
  return {
    kind: "columns",
    title: "Positions of relevant evidence",
    subtitle: `${run_id} · ${counted(relevant, `relevant ${unit}`)} of ${counted(cases, "labelled case")}`,
    description: describe(positions),
    x: `first position of a relevant ${unit} among the candidates`,
    y: `relevant ${unit}s`,
    columns,
    cuts: cut < 0 ? [] : [{ after: cut + 1, label: `top_k ${top_k}` }],
    legend: legendOf(positions),
    footnotes: token_budget === null
      ? []
      : [`Within top_k, what does not fit the token budget of ${token_budget} is dropped.`],
  };
}

interface Bin {
  readonly from: number;
  readonly to: number;
}

/** Columns up to the lowest position that occurs; none of them lies on both sides of the cut. */
function binsOf(positions: readonly UnitPosition[], topK: number | null): readonly Bin[] {
  const last = Math.max(topK ?? 1, ...positions.map(({ position }) => position ?? 0));
  const ends = [
    ...Array.from({ length: Math.min(SINGLE, last) }, (_, index) => index + 1),
    ...BOUNDS.filter((_, index) => (BOUNDS[index - 1] ?? SINGLE) < last),
    ...(topK === null ? [] : [topK]),
  ];
  const sorted = [...new Set(ends)].sort((a, b) => a - b);
  return sorted.map((to, index) => ({ from: (sorted[index - 1] ?? 0) + 1, to }));
}

function unitsOf(positions: readonly UnitPosition[], fate: Fate): number {
  return positions.filter((one) => one.fate === fate).reduce((sum, { units }) => sum + units, 0);
}

function partsOf(positions: readonly UnitPosition[]): Column["parts"] {
  return ORDER.map((fate) => {
    const { tone, filling } = fates[fate];
    return { count: unitsOf(positions, fate), tone, filling };
  }).filter(({ count }) => count > 0);
}

function legendOf(positions: readonly UnitPosition[]): readonly LegendItem[] {
  return ORDER.filter((fate) => unitsOf(positions, fate) > 0).map((fate) => {
    const { tone, filling, text } = fates[fate];
    return { text: `${text} ${unitsOf(positions, fate)}`, tone, shape: filling };
  });
}

function describe(positions: readonly UnitPosition[]): string {
  return positions.map(({ position, fate, units }) => {
    const place = position === null ? "Not among the candidates" : `Position ${position}`;
    return `${place}: ${units}${fate === "not_retrieved" ? "" : ` ${fates[fate].text}`}.`;
  }).join(" ");
}
