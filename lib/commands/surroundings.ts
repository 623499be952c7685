/** What every command is given of the outside. Tests bring their own clock and ids. */
import type { Clock } from "../domain/ports.ts";
import type { OpenSystems } from "./open_systems.ts";

/** How far a run has come. */
export interface Progress {
  /** Executions finished so far, those with a failed stage included, and those of earlier attempts. */
  readonly done: number;
  /** Executions that the run set out to make. */
  readonly total: number;
  /** Of `done`, those that a stage failure ended; low scores are no failures. */
  readonly failed: number;
  /** `cases` where each is executed once. */
  readonly unit: "cases" | "executions" | "verdicts";
}

/** The outside of a command. */
export interface Surroundings {
  /** Stamps runs, measures latencies and waits between attempts. */
  readonly clock: Clock;
  /** A new ULID; ids grow with time. */
  readonly newId: () => string;
  /** Fires when the user interrupts: finished work is kept, work under way is dropped. */
  readonly stop: AbortSignal;
  /** The folder that paths of the user are relative to. */
  readonly cwd: string;
  /** The value of an environment variable. */
  readonly env: (name: string) => string | undefined;
  /** Called after every finished execution. */
  readonly onProgress?: (progress: Progress) => void;
  /** Told of what a system's own process prints, piece by piece. */
  readonly onSystemLog?: (text: string) => void;
  /** Where a command keeps the systems that it opens, to close them; set by the command itself. */
  readonly systems?: OpenSystems;
}
