/** From what a user types to a run: its name, its id, a unique prefix of that, `latest` or `latest~n`. */
import { distance } from "fastest-levenshtein";
import { OloproofError } from "../domain/error.ts";
import type { Store, StoredRun } from "../domain/ports.ts";
import { namesDocument } from "./find_document.ts";

/**
 * Finds a run.
 *
 * @throws {OloproofError} `no_runs`, `unknown_run` (with the nearest id), `ambiguous_run`.
 */
export async function findRun(store: Store, typed: string): Promise<StoredRun> {
  if (namesDocument(typed)) {
    throw new OloproofError(`Cannot find the run ${JSON.stringify(typed)}: that is the id of a document`, {
      code: "wrong_kind",
      kind: "configuration",
      hint: "`oloproof inspect` shows documents; a run is named by run_…, latest or its name",
    });
  }
  const back = /^latest(?:~(\d{1,9}))?$/.exec(typed);
  if (back !== null) return await findRecent(store, typed, Number(back[1] ?? 0));
  // Both the whole id and its ULID alone may be shortened; ULIDs are upper case.
  const prefix = /^run_/i.test(typed) ? `run_${typed.slice(4).toUpperCase()}` : `run_${typed.toUpperCase()}`;
  const matches = await store.matchRuns(prefix);
  const [only, second] = matches;
  if (only === undefined) {
    const named = (await store.listRuns()).find(({ header }) => header.name === typed);
    if (named !== undefined) return named;
  }
  if (only === undefined || typed === "") throw await unknownRun(store, typed);
  if (second === undefined || only.header.run_id === prefix) return only;
  throw new OloproofError(`Cannot find the run ${JSON.stringify(typed)}: ${matches.length} runs begin so`, {
    code: "ambiguous_run",
    kind: "configuration",
    hint: `write more of it: ${matches.slice(0, 3).map(({ header }) => header.run_id).join(", ")}`,
  });
}

async function findRecent(store: Store, typed: string, back: number): Promise<StoredRun> {
  const runs = await store.listRuns(back + 1);
  const run = runs[back];
  if (run !== undefined) return run;
  if (runs.length === 0) throw noRuns(typed);
  throw new OloproofError(`Cannot find the run ${JSON.stringify(typed)}: the store has ${runs.length}`, {
    code: "unknown_run",
    kind: "configuration",
    hint: "`oloproof list` shows them",
  });
}

async function unknownRun(store: Store, typed: string): Promise<OloproofError> {
  const runs = await store.listRuns(1000);
  if (runs.length === 0) return noRuns(typed);
  const [nearest] = runs.map(({ header }) => header.run_id)
    .sort((a, b) => distance(a, typed) - distance(b, typed));
  return new OloproofError(`Cannot find the run ${JSON.stringify(typed)}`, {
    code: "unknown_run",
    kind: "configuration",
    hint: `the nearest is ${nearest}; \`oloproof list\` shows all, \`latest\` names the last`,
  });
}

function noRuns(typed: string): OloproofError {
  return new OloproofError(`Cannot find the run ${JSON.stringify(typed)}: the store holds no runs`, {
    code: "no_runs",
    kind: "configuration",
    hint: "`oloproof run` makes one",
  });
}
