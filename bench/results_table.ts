/** The results of a bench as the tables that README.md shows. */
import type { Usage } from "./measure.ts";
import { median } from "./median.ts";

/** A run into an empty store, the same run again, and the floor of the first: one after the other, since machines change their speed. */
export interface Round {
  readonly run: Usage;
  readonly again: Usage;
  readonly floor: Usage;
}

/** Rounds of so many cases. */
export interface RunResult {
  readonly cases: number;
  /** Never empty. */
  readonly rounds: readonly Round[];
  /** Bytes of the store's file. */
  readonly stored_bytes: number;
  /** Bytes of `export --format jsonl`. */
  readonly exported_bytes: number;
}

/** Something else that is measured, with what it is held to. */
export interface OtherResult {
  readonly what: string;
  readonly usage: Pick<Usage, "wall_seconds"> & Partial<Usage>;
  /** Such as `≤ 1 s`; absent = it is only told. */
  readonly target?: string;
}

/** Everything that one bench found. */
export interface Results {
  /** ISO 8601, the day alone. */
  readonly date: string;
  readonly machine: string;
  readonly deno: string;
  /** The load average of the last minute, before and after. */
  readonly load: readonly [number, number];
  readonly runs: readonly RunResult[];
  readonly others: readonly OtherResult[];
}

/** What stands around the tables in README.md. */
export const BEGIN = "<!-- bench: written by `deno task bench` -->";
export const END = "<!-- /bench -->";

/** A document with the results in the place of those that it held. @throws {Error} When it has no place for them. */
export function withResults(document: string, results: Results): string {
  const [begin, end] = [document.indexOf(BEGIN), document.indexOf(END)];
  if (begin < 0 || end < begin) throw new Error(`the document has no place for results: ${BEGIN} … ${END}`);
  return `${document.slice(0, begin)}${BEGIN}\n\n${resultsMarkdown(results)}\n${document.slice(end)}`;
}

/** The results as Markdown, laid out as `deno fmt` would. */
export function resultsMarkdown({ date, machine, deno, load, runs, others }: Results): string {
  const loads = load.map((value) => value.toFixed(1)).join(" to ");
  return [
    `${date}, ${machine}, Deno ${deno}, load average ${loads}.`,
    "",
    table(RUN_HEAD, runs.map(runCells)),
    "",
    table(OTHER_HEAD, others.map(otherCells)),
    "",
  ].join("\n");
}

const RUN_HEAD = [
  "cases",
  "cases/s",
  "wall",
  "CPU",
  "floor",
  "÷ floor",
  "again",
  "÷ first",
  "peak memory",
  "stored",
  "jsonl export",
];

/** Medians of the rounds; those of ratios are of the ratio of each round. */
function runCells({ cases, rounds, stored_bytes, exported_bytes }: RunResult): readonly string[] {
  const middle = (of: (round: Round) => number) => median(rounds.map(of));
  const wall = middle(({ run }) => run.wall_seconds);
  return [
    count(cases),
    count(Math.round(cases / wall)),
    seconds(wall),
    seconds(middle(({ run }) => run.cpu_seconds)),
    seconds(middle(({ floor }) => floor.wall_seconds)),
    middle(({ run, floor }) => run.wall_seconds / floor.wall_seconds).toFixed(1),
    seconds(middle(({ again }) => again.wall_seconds)),
    middle(({ run, again }) => again.wall_seconds / run.wall_seconds).toFixed(2),
    megabytes(middle(({ run }) => run.peak_bytes)),
    megabytes(stored_bytes),
    megabytes(exported_bytes),
  ];
}

const OTHER_HEAD = ["besides", "wall", "CPU", "peak memory", "held to"];

function otherCells({ what, usage, target = "—" }: OtherResult): readonly string[] {
  const { wall_seconds, cpu_seconds, peak_bytes } = usage;
  return [
    what,
    seconds(wall_seconds),
    cpu_seconds === undefined ? "—" : seconds(cpu_seconds),
    peak_bytes === undefined ? "—" : megabytes(peak_bytes),
    target,
  ];
}

const count = (value: number) => value.toLocaleString("en-US");
const seconds = (value: number) => `${value.toFixed(2)} s`;
const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(bytes < 10e6 ? 1 : 0)} MB`;

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((name, column) =>
    Math.max(name.length, ...rows.map((row) => row[column]?.length ?? 0))
  );
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |`;
  return [line(head), line(widths.map((width) => "-".repeat(width))), ...rows.map(line)].join("\n");
}
