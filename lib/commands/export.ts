/** `export`: a run as data for other tools, case by case. */
import type { RunHeader, StoredCase } from "../domain/run.ts";
import { openStore, TOKEN_VARIABLE } from "../store/open_store.ts";
import type { RunSource } from "./run_source.ts";
import { findSource } from "./find_source.ts";
import type { Surroundings } from "./surroundings.ts";

/** One finished case with the run that it belongs to. */
export interface ExportedCase {
  readonly run: RunHeader;
  readonly stored: StoredCase;
}

/**
 * Streams the finished cases of a run in the order of its cases; the store stays open while it is consumed.
 *
 * @throws {OloproofError} As `inspect` does.
 */
export async function* exportCases(
  location: string,
  id: string,
  { env, cwd }: Surroundings,
): AsyncGenerator<ExportedCase> {
  const opened = await openStore(location, { mode: "read", token: env(TOKEN_VARIABLE) });
  try {
    const { header, store } = await findSource(opened, id, cwd);
    for await (const stored of store.readCases(header.run_id)) yield { run: header, stored };
  } finally {
    opened.close();
  }
}

/** Opens the run that an id or a bundle's path names, for as long as it is read. */
export async function withSource<T>(
  location: string,
  id: string,
  { env, cwd }: Surroundings,
  read: (source: RunSource) => Promise<T>,
): Promise<T> {
  const opened = await openStore(location, { mode: "read", token: env(TOKEN_VARIABLE) });
  try {
    return await read(await findSource(opened, id, cwd));
  } finally {
    opened.close();
  }
}
