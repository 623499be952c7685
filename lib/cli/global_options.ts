/** What every command of the program takes. */

/** The options that every command takes. */
export interface GlobalOptions {
  /** The project's folder (`-C`). */
  readonly C: string;
  readonly store?: string;
  readonly json?: boolean;
  readonly quiet?: boolean;
  readonly debug?: boolean;
}
