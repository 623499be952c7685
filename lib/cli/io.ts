/** The program's outside: streams, environment, time. Tests give `main` one of their own. */
import type { Clock } from "../domain/ports.ts";

/** Everything that the program reads of its surroundings or writes to them. */
export interface Io {
  /** Results. What nobody reads any more is dropped. */
  stdout(text: string): void;
  /** Progress, warnings and errors. What nobody reads any more is dropped: that must not end a run. */
  stderr(text: string): void;
  /** Whether the reader of stdout went away, so that a long output may end. */
  readonly stdoutIsClosed: () => boolean;
  /** Whether stdout is a terminal; absent = no. */
  readonly stdoutIsTerminal?: boolean;
  /** Whether stderr is a terminal: then progress is a bar. */
  readonly stderrIsTerminal: boolean;
  env(name: string): string | undefined;
  readonly cwd: string;
  readonly clock: Clock;
  /** A new ULID; absent = a real one. */
  readonly newId?: () => string;
  /** Replaces the values of secrets, for text that goes into files; the streams do it themselves. Set by `main`. */
  readonly redact?: (text: string) => string;
  /** Called before code of a project can run in this process. */
  readonly guard?: () => void;
  /** Fires on ^C and on a request to terminate. */
  readonly stop: AbortSignal;
}
