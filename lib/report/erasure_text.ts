/** What was erased, as text. */
import type { EntryCounts, Erased } from "../domain/erasure.ts";
import { bytesText } from "./bytes_text.ts";
import { oneLine } from "./printable.ts";
import { counted } from "./run_text.ts";

/** Ids that are named on one line; all of them are in the JSON. */
const MAX_NAMED = 10;

/** What `forget` tells: the erased, and what was asked for. */
export interface Forgotten extends Erased {
  readonly dry_run: boolean;
  readonly case_ids: readonly string[];
  readonly before: string | null;
}

/** What was forgotten, what stays, and what the store cannot reach. */
export function forgetText(forgotten: Forgotten): string {
  const { runs, child_runs, documents, case_ids, before, dry_run } = forgotten;
  if (case_ids.length === 0 && runs.length === 0) {
    return `Nothing to forget: no run started before ${before ?? "now"}\n`;
  }
  const verb = dry_run ? "Would forget" : "Forgot";
  const head = case_ids.length > 0
    ? `${verb} ${counted(case_ids.length, "case")} in ${counted(forgotten.runs_with_losses, "run")}: ${
      named(case_ids)
    }`
    : `${verb} ${counted(runs.length, "run")}${
      child_runs.length === 0 ? "" : ` and ${counted(child_runs.length, "child run")}`
    }: ${named(runs)}`;
  const lines = [
    head,
    `Executions of cases: ${forgotten.cases}`,
    ...(documents.length === 0 ? [] : [`Diagnoses and comparisons: ${documents.length}`]),
    ...erasedLines(forgotten),
    ...(total(forgotten.shared) === 0
      ? []
      : [`Kept, since other cases use them, too: ${entriesText(forgotten.shared)}`]),
    ...sizeLines(forgotten),
    ...(dry_run ? ["Nothing was changed (--dry-run)"] : [
      ...(case_ids.length === 0
        ? []
        : ["The case files are as they were: a run of these cases would store them again"]),
      "Exports, bundles and backups of the store are not reached from here",
    ]),
  ];
  return `${lines.join("\n")}\n`;
}

/** What was pruned. */
export function pruneText(pruned: Erased & { readonly dry_run: boolean }): string {
  const { dry_run, entries, contents, judge_calls } = pruned;
  const found = total(entries) + contents + judge_calls > 0;
  const lines = [
    found
      ? `${dry_run ? "Would remove" : "Removed"} what no run points to`
      : "Nothing to prune: a run points to every entry",
    ...(found ? erasedLines(pruned) : []),
    ...sizeLines(pruned),
    ...(dry_run && found ? ["Nothing was changed (--dry-run)"] : []),
  ];
  return `${lines.join("\n")}\n`;
}

function named(ids: readonly string[]): string {
  const shown = ids.slice(0, MAX_NAMED).map((id) => oneLine(id, 60)).join(", ");
  return ids.length > MAX_NAMED ? `${shown}, … (${ids.length} in all)` : shown;
}

function erasedLines({ entries, contents, judge_calls }: Erased): readonly string[] {
  return [
    `Entries that no run points to any more: ${entriesText(entries)}`,
    `Contents of cases that no run has any more: ${contents}`,
    ...(judge_calls === 0 ? [] : [`Verdicts of judges on what is no longer there: ${judge_calls}`]),
  ];
}

function sizeLines({ file_bytes }: Erased): readonly string[] {
  return file_bytes === null
    ? []
    : [`Store: ${bytesText(file_bytes.before)} before, ${bytesText(file_bytes.after)} after`];
}

function entriesText({ retrievals, generations, judgments }: EntryCounts): string {
  const parts = [counted(retrievals, "retrieval"), counted(generations, "generation")];
  return `${parts.join(", ")}, ${counted(judgments, "set")} of judgments`;
}

function total({ retrievals, generations, judgments }: EntryCounts): number {
  return retrievals + generations + judgments;
}
