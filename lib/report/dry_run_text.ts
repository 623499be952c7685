/** What a run would do, as text. */
import type { DryRun, PlannedCalls } from "../domain/dry_run.ts";
import { counted } from "./run_text.ts";

/** Counts of cases, executions, calls and judgments; `at most` where it may be fewer. */
export function dryRunText(
  { run_id, cases, repeats, executions, retrieve, generate, judgments }: DryRun,
): string {
  const { total, finished, cached, shared, to_execute } = executions;
  const times = repeats === 1 ? "" : ` × ${repeats} repeats`;
  const { total: all, known, at_least } = judgments;
  return [
    "Dry run: no stage was called and nothing was written",
    ...(run_id === null ? [] : [`Run ${run_id}: ${counted(finished, "execution")} of it kept`]),
    `Cases: ${cases}${times}, ${counted(total, "execution")}`,
    `Executions: ${cached} answered by the cache${
      shared === 0 ? "" : `, ${shared} by an equal one of this run`
    }, ${to_execute} to execute`,
    `Calls if none fails: retrieve ${callsText(retrieve)}; generate ${callsText(generate)}`,
    `Judgments: ${at_least ? "at least " : ""}${known} of ${all} known`,
  ].join("\n") + "\n";
}

function callsText({ calls, at_most }: PlannedCalls): string {
  return at_most ? `at most ${calls}` : String(calls);
}
