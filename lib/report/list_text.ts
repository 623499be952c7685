/** A list of runs as text. */
import type { RunSummary } from "../domain/run_report.ts";
import { oneLine } from "./printable.ts";
import { textTable } from "./text_table.ts";

/** The runs of a store, the newest first. */
export function listText(runs: readonly RunSummary[]): string {
  if (runs.length === 0) return "The store holds no runs; `oloproof run` makes one.\n";
  return textTable(
    ["Run", "Started", "Status", "System", "Cases", "Name"],
    runs.map((run) => [
      run.run_id,
      run.started_at,
      run.status,
      `${oneLine(run.system.name, 30)} ${oneLine(run.system.version, 30)}`,
      casesText(run),
      oneLine(run.name ?? "", 30),
    ]),
  ) + "\n";
}

function casesText({ cases, planned_cases, repeats, forgotten_cases, selection }: RunSummary): string {
  const times = repeats === 1 ? "" : ` × ${repeats}`;
  const finished = `${cases === planned_cases ? cases : `${cases} of ${planned_cases}`}${times}`;
  const count = forgotten_cases === 0 ? finished : `${finished}, ${forgotten_cases} forgotten`;
  return selection.length === 0 ? count : `${count} (${oneLine(selection.join(" "), 40)})`;
}
