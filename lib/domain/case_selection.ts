/** Which of a project's cases are meant. */

/** A path into a case, and the text of the value that is asked for. */
export interface CaseFilter {
  /** `metadata.<path>` or `input.<path>`. */
  readonly path: string;
  /** Compared exactly with text as it is, and with numbers, true, false and null as JSON writes them. */
  readonly value: string;
}

/** Which of the project's cases are meant. All filters hold at once; the limit is of what they leave. */
export interface CaseSelection {
  /** Case ids, each of which must exist; absent = any. */
  readonly ids?: readonly string[] | undefined;
  /** Values that the cases must have, all of them; absent or empty = any. */
  readonly where?: readonly CaseFilter[] | undefined;
  /** At most so many cases, the first in the order of the files; absent = no limit. */
  readonly limit?: number | undefined;
}
