/** What every command of the program takes. */
import type { Command } from "commander";

/** The options that every command takes. */
export interface GlobalOptions {
  /** The project's folder (`-C`). */
  readonly C: string;
  readonly store?: string;
  readonly json?: boolean;
  readonly quiet?: boolean;
  readonly debug?: boolean;
}

/** Takes the exit code of a command. */
export type Done = (code: number) => void;

/** The options of a command, together with the global ones. */
export function optionsOf<T>(command: Command): T & GlobalOptions {
  return command.optsWithGlobals<T & GlobalOptions>();
}
