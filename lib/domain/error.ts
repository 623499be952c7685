/** Errors and issues: what went wrong, where, what is allowed and what to do next, as data. */

/** A mistake in something that the user wrote, with its place. `line` and `column` are 1-based. */
export interface Issue {
  readonly code: string;
  readonly message: string;
  readonly file: string;
  readonly line?: number;
  readonly column?: number;
  readonly hint?: string;
}

/** What {@link OloproofError} carries besides its message. */
export interface ErrorParts {
  /** A stable name for scripts. */
  readonly code: string;
  /** `configuration`: the user can mend it (exit 2); `surroundings`: machine, network or disk (exit 1). */
  readonly kind: "configuration" | "surroundings";
  readonly where?: string;
  readonly hint?: string;
  readonly issues?: readonly Issue[];
  readonly cause?: unknown;
}

/** Broken surroundings or a request that cannot be met. Expected trouble of a run is data, never this. */
export class OloproofError extends Error {
  override readonly name = "OloproofError";
  readonly code: string;
  readonly kind: "configuration" | "surroundings";
  readonly where: string | undefined;
  readonly hint: string | undefined;
  readonly issues: readonly Issue[];

  constructor(message: string, parts: ErrorParts) {
    super(message, "cause" in parts ? { cause: parts.cause } : undefined);
    this.code = parts.code;
    this.kind = parts.kind;
    this.where = parts.where;
    this.hint = parts.hint;
    this.issues = parts.issues ?? [];
  }
}

/** The error that reports every mistake of the user's files at once, sorted by place. */
export function issuesError(action: string, issues: readonly Issue[]): OloproofError {
  const sorted = [...issues].sort((a, b) =>
    compareText(a.file, b.file) || (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0)
  );
  const count = sorted.length === 1 ? "1 mistake" : `${sorted.length} mistakes`;
  const first = sorted[0];
  return new OloproofError(`${action}: ${count}`, {
    code: first !== undefined && sorted.length === 1 ? first.code : "invalid_project",
    kind: "configuration",
    issues: sorted,
    ...(first === undefined ? {} : { where: placeOf(first) }),
  });
}

/** `file:line:column`, as far as it is known. */
export function placeOf(issue: Pick<Issue, "file" | "line" | "column">): string {
  return [issue.file, issue.line, issue.column].filter((part) => part !== undefined).join(":");
}

/** Orders two texts by their code units: the same on every machine, whatever its language. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The message of anything that was thrown. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message || thrown.name : String(thrown);
}
