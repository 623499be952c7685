/** `export`: a run as data for other tools, case by case. */
import type { StoredCase } from "../domain/run.ts";
import type { StoredRun } from "../domain/ports.ts";
import { openStore, TOKEN_VARIABLE } from "../store/open_store.ts";
import { findRun } from "./find_run.ts";
import type { Surroundings } from "./surroundings.ts";

/** One finished case with the run that it belongs to. */
export interface ExportedCase {
  readonly run: StoredRun["header"];
  readonly stored: StoredCase;
}

/**
 * Streams the finished cases of a run in the order of its cases; the store stays open while it is consumed.
 *
 * @throws {OloproofError} As `inspect` does.
 */
export async function* exportCases(
  store: string,
  id: string,
  { env }: Surroundings,
): AsyncGenerator<ExportedCase> {
  const opened = await openStore(store, { mode: "read", token: env(TOKEN_VARIABLE) });
  try {
    const run = await findRun(opened, id);
    for await (const stored of opened.readCases(run.header.run_id)) yield { run: run.header, stored };
  } finally {
    opened.close();
  }
}
