/** What a run would do, as text. */
import type { DryRun, PlannedCalls } from "../domain/dry_run.ts";
import { counted } from "./run_text.ts";

/** Counts of cases, executions, calls and judgments; `at most` where it may be fewer. */
export function dryRunText(
  { run_id, cases, repeats, executions, calls, judge_calls = {}, judgments }: DryRun,
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
    ...callLines(calls),
    ...judgeLines(judge_calls),
    `Judgments: ${at_least ? "at least " : ""}${known} of ${all} known`,
  ].join("\n") + "\n";
}

/** Recorded outputs call nothing. */
function callLines(calls: DryRun["calls"]): readonly string[] {
  const parts = (["retrieve", "generate", "answer"] as const).flatMap((stage) => {
    const planned = calls[stage];
    return planned === undefined ? [] : [`${stage} ${callsText(planned)}`];
  });
  return parts.length === 0 ? [] : [`Calls if none fails: ${parts.join("; ")}`];
}

function judgeLines(judge_calls: NonNullable<DryRun["judge_calls"]>): readonly string[] {
  const parts = Object.entries(judge_calls).map(([criterion, planned]) =>
    `${criterion} ${callsText(planned)}`
  );
  return parts.length === 0 ? [] : [`Judge calls: ${parts.join("; ")}`];
}

function callsText({ calls, at_most }: PlannedCalls): string {
  return at_most ? `at most ${calls}` : String(calls);
}
