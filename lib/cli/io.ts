/** The program's outside: streams, environment, time. Tests give `main` one of their own. */
import type { Clock } from "../domain/ports.ts";

/** Everything that the program reads of its surroundings or writes to them. */
export interface Io {
  /** Results. Throws {@link ClosedPipe} when nobody reads any more. */
  stdout(text: string): void;
  /** Progress, warnings and errors. */
  stderr(text: string): void;
  /** Whether stderr is a terminal: then progress is a bar. */
  readonly stderrIsTerminal: boolean;
  env(name: string): string | undefined;
  readonly cwd: string;
  readonly clock: Clock;
  /** A new ULID; absent = a real one. */
  readonly newId?: () => string;
  /** Fires on ^C and on a request to terminate. */
  readonly stop: AbortSignal;
}

/** The reader of a pipe went away; the program ends without a word. */
export class ClosedPipe extends Error {}
