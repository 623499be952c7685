/** `list`: the runs of a store, the newest first. */
import type { StoredRun } from "../domain/ports.ts";
import type { RunSummary } from "../domain/run_report.ts";
import type { Surroundings } from "./surroundings.ts";
import { withStore } from "./with_store.ts";

/** Lists the runs of the store at a location. @throws {OloproofError} `no_store`, and what opening throws. */
export async function list(
  store: string,
  options: { readonly limit?: number | undefined },
  surroundings: Surroundings,
): Promise<readonly RunSummary[]> {
  return await withStore(store, surroundings, async (opened) => {
    const runs = await opened.listRuns(options.limit);
    return runs.map(summarize);
  });
}

function summarize({ header, finished_cases }: StoredRun): RunSummary {
  const { run_id, name, status, started_at, system, cases, repeats, selection, forgotten_cases = 0 } = header;
  return {
    run_id,
    name: name ?? null,
    status,
    started_at,
    system: { name: system.name, version: system.version },
    cases: finished_cases,
    planned_cases: cases,
    repeats,
    forgotten_cases: Math.min(forgotten_cases, cases - finished_cases),
    selection,
  };
}
