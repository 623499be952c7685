/** The exit codes of the program. */

/** What the exit codes mean. */
export const EXIT = {
  done: 0,
  unexpected: 1,
  configuration: 2,
  outcomes_missing: 4,
  interrupted: 130,
} as const;
