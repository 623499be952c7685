/** Keeps two processes from writing one run: only its newest attempt does. */
import type { InStatement } from "@libsql/client";
import { messageOf, OloproofError } from "../domain/error.ts";

/** A run as a statement names it. */
export interface FencedRun {
  readonly column: "number" | "run_id";
  readonly value: number | string;
  readonly attempt: number;
}

/**
 * The first statement of a batch that writes a run. It adds nothing where the attempt is the run's newest; else it would add a run
 * without an id, which the schema refuses, and the batch with it.
 */
export function fenceStatement({ column, value, attempt }: FencedRun): InStatement {
  return {
    sql: `INSERT INTO runs (run_id, kind, status, attempt, header)
      SELECT NULL, '', '', 0, '' WHERE NOT EXISTS (SELECT 1 FROM runs WHERE ${column} = ? AND attempt = ?)`,
    args: [value, attempt],
  };
}

/** Whether it was the fence that a batch failed at. */
export function isFenced(cause: unknown): boolean {
  return messageOf(cause).includes("runs.run_id") && messageOf(cause).includes("NOT NULL");
}

/** Why the fence holds: the run is gone, or somebody else goes on with it. */
export function fencedError(isThere: boolean, where: string | undefined): OloproofError {
  const place = where === undefined ? {} : { where };
  return isThere
    ? new OloproofError("Cannot keep the finished cases: another process resumed this run", {
      code: "run_taken_over",
      kind: "surroundings",
      ...place,
      hint: "the other process goes on from what was written, and executes again what was not",
    })
    : new OloproofError("Cannot keep the finished cases: the run is not in the store any more", {
      code: "run_gone",
      kind: "surroundings",
      ...place,
      hint: "it was forgotten while it ran; run again",
    });
}
