/** A module of the user's as a process that serves it. */

/** The module that is served. */
export interface ServedModule {
  /** The module's whole path. */
  readonly path: string;
  /** The name that it exports. */
  readonly name: string;
  /** The folder of the project. */
  readonly root: string;
}

/** How a process that serves a module is started. */
export interface HostProgram {
  readonly command: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** What to do when there is no such program. */
  readonly absentHint: string;
  /** Puts away what was made for it. */
  readonly cleanUp: () => Promise<void>;
}
