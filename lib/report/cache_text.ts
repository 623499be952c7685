/** What the caches hold, and why they answered or not, as text. */
import type { CacheExplanation, FieldDifference, StepExplanation } from "../domain/cache_explanation.ts";
import type { Json } from "../domain/json.ts";
import type { EntryStats, StoreStats } from "../domain/store_stats.ts";
import { bytesText } from "./bytes_text.ts";
import { oneLine } from "./printable.ts";
import { counted } from "./run_text.ts";
import { textTable } from "./text_table.ts";

/** The numbers of a store. */
export function statsText(stats: StoreStats): string {
  const { runs, child_runs, cases, contents, judge_calls, documents, file_bytes } = stats;
  const row = (name: string, { entries, used, cases, runs, bytes }: EntryStats) => [
    name,
    String(entries),
    String(used),
    String(entries - used),
    String(cases),
    String(runs),
    bytesText(bytes),
  ];
  const lines = [
    `Runs: ${runs}${child_runs === 0 ? "" : `, and ${counted(child_runs, "child run")} of diagnoses`}`,
    `Executions of cases: ${cases}, with ${counted(contents.entries, "content")} (${
      bytesText(contents.bytes)
    })`,
    `Diagnoses and comparisons: ${documents.entries} (${bytesText(documents.bytes)})`,
    textTable(["Entries", "Stored", "Used", "Unused", "By executions", "Of runs", "Size"], [
      row("retrievals", stats.retrievals),
      row("generations", stats.generations),
      row("judgments", stats.judgments),
    ]),
    ...(judge_calls.entries === 0
      ? []
      : [`Verdicts of judges: ${judge_calls.entries} (${bytesText(judge_calls.bytes)})`]),
    ...(file_bytes === null ? [] : [`File: ${bytesText(file_bytes)}`]),
  ];
  return `${lines.join("\n")}\n`;
}

/** Why each step of a case was a hit or a miss. */
export function explanationText({ run_id, case_id, steps }: CacheExplanation): string {
  const stages = steps.filter(({ step }) => step !== "judgment").map((step) =>
    `${step.step}: ${whyText(step)}`
  );
  // Criteria of which the same is to be said stand on one line.
  const judgments = Map.groupBy(steps.filter(({ step }) => step === "judgment"), whyText);
  const lines = [...judgments].map(([why, alike]) =>
    `judgment of ${alike.map(({ criterion = "" }) => criterion).join(", ")}: ${why}`
  );
  return `${[`Case ${oneLine(case_id)} of ${run_id}`, ...stages, ...lines].join("\n")}\n`;
}

function whyText({ step, reason, run, difference }: StepExplanation): string {
  const judging = step === "judgment";
  switch (reason) {
    case "found":
      return `hit; made by ${run ?? "a run that was forgotten"}`;
    case "shared":
      return "hit; equal work of the same run";
    case "differs":
      return `miss; differs from ${run} in ${
        difference === undefined ? "a field" : differenceText(difference)
      }`;
    case "no_earlier_entry":
      return `miss; no earlier entry with this input${judging ? " and criterion" : ""}`;
    case "earlier_failed":
      return judging
        ? `miss; nothing differs from ${run}, where the judgment is missing for a reason that may pass`
        : `miss; nothing differs from ${run}, where it failed: failures are not kept`;
    case "passed_over":
      return `miss; nothing differs from ${run}: passed over by --refresh, or stored too late by a run at the same time`;
    case "other_version":
      return `miss; nothing differs from ${run} but the version of oloproof that made it`;
    case "not_reached":
      return "not reached; the execution ended before";
  }
}

function differenceText({ field, here, there }: FieldDifference): string {
  return `${oneLine(field, 80)}: ${valueText(here)} here, ${valueText(there)} there`;
}

function valueText(value: Json | undefined): string {
  if (value === undefined) return "absent";
  if (typeof value === "string" && /^[0-9a-f]{64}$/.test(value)) return `${value.slice(0, 12)}…`;
  return oneLine(JSON.stringify(value), 40);
}
