/** `export`: a run as data for other tools, case by case. */
import { resolve } from "node:path";
import { OloproofError } from "../domain/error.ts";
import type { EvaluatorSpec } from "../domain/project.ts";
import type { RunHeader, StoredCase } from "../domain/run.ts";
import { evaluatorTypes } from "../evaluators/table.ts";
import { openStore, TOKEN_VARIABLE } from "../store/open_store.ts";
import { writeFiles } from "./file_set.ts";
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

/** An evaluator of a run and its place among the judgments of a case. */
export interface PlacedEvaluator {
  readonly place: number;
  readonly evaluator: EvaluatorSpec;
}

/**
 * The evaluators that pass or fail. What a user's function gives is known from what it gave; where it gave
 * nothing, it counts as pass/fail, since its missing judgments must be seen.
 */
export async function passFailEvaluators({ header, store }: RunSource): Promise<readonly PlacedEvaluator[]> {
  const numbers = new Set<number>();
  for await (const { judgments } of store.readCases(header.run_id)) {
    for (const [index, judgment] of judgments.entries()) {
      if (judgment.status === "observed" && typeof judgment.value === "number") numbers.add(index);
    }
  }
  return header.evaluators.map((evaluator, place) => ({ evaluator, place })).filter(
    ({ evaluator, place }) => {
      const observes = evaluatorTypes.get(evaluator.type)?.observes ?? "either";
      return observes === "pass" || (observes === "either" && !numbers.has(place));
    },
  );
}

/** Writes text in pieces to a file, which appears when it is whole and replaces what was there. */
export async function writeToFile(
  path: string,
  { cwd }: Surroundings,
  pieces: (write: (text: string) => Promise<void>) => Promise<void>,
): Promise<void> {
  await writeFiles({ overwrite: true, hint: "-o names a file" }, async (files) => {
    const file = await files.create(resolve(cwd, path));
    await pieces((text) => file.write(text));
  });
}

/** What was written of a run for trec_eval. */
export interface TrecExport {
  readonly qrels: { readonly path: string; readonly topics: number; readonly lines: number };
  readonly run: { readonly path: string; readonly topics: number; readonly lines: number };
  /** Cases (and repeats) that stand in neither file, by reason. */
  readonly left_out: ReadonlyMap<string, number>;
}

/** The lines of one case for trec_eval, or why there are none. */
type TrecOfCase = (
  run: RunHeader,
  stored: StoredCase,
) =>
  | { readonly status: "written"; readonly qrels: readonly string[]; readonly run: readonly string[] }
  | { readonly status: "left_out"; readonly reason: string };

/**
 * Writes `qrels.txt` and `run.txt` into a folder, which is made when there is none.
 *
 * @throws {OloproofError} `nothing_to_export` when no case has labels and a finished retrieval.
 */
export async function exportTrec(
  { header, store }: RunSource,
  folder: string,
  { cwd }: Surroundings,
  linesOf: TrecOfCase,
): Promise<TrecExport> {
  const paths = { qrels: resolve(cwd, folder, "qrels.txt"), run: resolve(cwd, folder, "run.txt") };
  const counts = { qrels: { topics: 0, lines: 0 }, run: { topics: 0, lines: 0 } };
  const left_out = new Map<string, number>();
  await writeFiles({ overwrite: true, hint: "-o names a folder" }, async (files) => {
    const opened = { qrels: await files.create(paths.qrels), run: await files.create(paths.run) };
    for await (const stored of store.readCases(header.run_id)) {
      const lines = linesOf(header, stored);
      if (lines.status === "left_out") left_out.set(lines.reason, (left_out.get(lines.reason) ?? 0) + 1);
      else {
        for (const part of ["qrels", "run"] as const) {
          counts[part].topics += lines[part].length === 0 ? 0 : 1;
          counts[part].lines += lines[part].length;
          for (const line of lines[part]) await opened[part].write(`${line}\n`);
        }
      }
    }
    if (counts.qrels.topics === 0) throw nothingToExport(header.run_id);
  });
  return {
    qrels: { path: paths.qrels, ...counts.qrels },
    run: { path: paths.run, ...counts.run },
    left_out,
  };
}

function nothingToExport(run_id: string): OloproofError {
  return new OloproofError(`Cannot export ${run_id} as trec: no case has labels and a finished retrieval`, {
    code: "nothing_to_export",
    kind: "configuration",
    hint: "expected.relevant of a case names the documents that answer it: [{doc_id, grade}]",
  });
}
