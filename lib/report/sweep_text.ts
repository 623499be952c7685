/** A sweep as text: one table of every combination, the calls, and what must be known beside them. */
import type { Combination, Sweep, SweptCalls, VariedSetting } from "../domain/sweep.ts";
import { isJsonObject, type Json } from "../domain/json.ts";
import { differenceText } from "./comparison_text.ts";
import { casesText, estimateText, intervalText } from "./metric_text.ts";
import { oneLine, shellWord } from "./printable.ts";
import { counted, type RunTextOptions } from "./run_text.ts";
import { textTable } from "./text_table.ts";

/** Runs that are named. */
const MAX_RUNS = 20;

/** A sweep as `sweep` prints it. */
export function sweepText(sweep: Sweep, { program = "oloproof" }: RunTextOptions = {}): string {
  const { content, sweep_id, calls, runs } = sweep;
  const { run_id, varied, combinations, cases } = content;
  const lines = [
    `Sweep of ${run_id} over ${varied.map(variedText).join(" and ")} · ${
      counted(combinations.length, "combination")
    } · ${counted(cases, "case")}`,
    sweepTable(sweep),
    `Calls: retrieve ${callsText(calls.retrieve)}; generate ${callsText(calls.generate)}`,
    ...sweepNotes(sweep),
    "Runs",
    ...runs.slice(0, MAX_RUNS).map(({ run_id }, index) => `  ${settingText(combinations[index])}: ${run_id}`),
    ...(runs.length > MAX_RUNS ? [`  … ${runs.length - MAX_RUNS} more; --json has them all`] : []),
    `Sweep ${sweep_id}`,
    `Next: ${program} report ${sweep_id} -o sweep.html`,
  ];
  return `${lines.join("\n")}\n`;
}

function sweepTable({ content }: Sweep): string {
  const rows = affected(content).flatMap((criterion) =>
    content.combinations.flatMap((combination) => {
      const { metric, difference } = partsOf(combination, criterion);
      return metric === undefined || difference === undefined ? [] : [[
        criterion,
        `${settingText(combination)}${combination.as_run ? " (as run)" : ""}`,
        estimateText(metric),
        intervalText(metric),
        casesText(metric),
        differenceText(difference, []),
      ]];
    })
  );
  if (rows.length === 0) {
    return "No criterion reads the context or the answer: nothing that was varied can change one.";
  }
  return textTable(
    ["Metric", "Settings", "Estimate", "95% interval", "Cases", "Difference from the run"],
    rows,
  );
}

/** The criteria that what is varied can change, in the run's order. */
export function affected({ combinations, unaffected }: Sweep["content"]): readonly string[] {
  const [first] = combinations;
  return (first?.metrics ?? []).map(({ criterion }) => criterion)
    .filter((criterion) => !unaffected.includes(criterion));
}

/** A combination's metric and paired difference of one criterion. */
export function partsOf({ metrics, differences }: Combination, wanted: string) {
  return {
    metric: metrics.find(({ criterion }) => criterion === wanted),
    difference: differences.find(({ criterion }) => criterion === wanted),
  };
}

/** `token_budget=80 top_k=2` */
export function settingText(combination: Combination | undefined): string {
  return Object.entries(combination?.set ?? {}).map(([setting, value = null]) =>
    `${oneLine(setting, 60)}=${valueText(value)}`
  ).join(" ");
}

/** `token_budget (40, 80, 120)` */
export function variedText({ setting, values }: VariedSetting): string {
  return `${oneLine(setting, 60)} (${values.map(valueText).join(", ")})`;
}

function valueText(value: Json): string {
  if (typeof value === "string") return shellWord(oneLine(value, 60));
  return oneLine(isJsonObject(value) ? JSON.stringify(value) : String(JSON.stringify(value)), 60);
}

function callsText({ made, saved }: SweptCalls): string {
  return `${made} made, ${saved} saved`;
}

/** What must be known to read a sweep right. */
export function sweepNotes({ content }: Sweep): readonly string[] {
  const { unaffected, combinations } = content;
  const others = combinations.filter(({ as_run }) => !as_run).length;
  return [
    ...(unaffected.length === 0
      ? []
      : [`The same in every combination, since the retrieval is the recorded one: ${unaffected.join(", ")}`]),
    ...(others > 1
      ? [
        `${others} combinations were looked at: the best of several looks better than it is; ` +
        "confirm it on cases that it was not chosen by",
      ]
      : []),
  ];
}
