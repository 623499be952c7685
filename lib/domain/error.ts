/** Errors and issues: what went wrong, where, what is allowed and what to do next, as data. */

/** A mistake in something that the user wrote, with its place. `line` and `column` are 1-based. */
export interface Issue {
  /** A stable snake_case name for scripts, such as `unknown_key`. */
  readonly code: string;
  /** The offending value and what is allowed, without a final period. */
  readonly message: string;
  /** The file as the user names it, or what stands for one: `--set`, `cases[3]`, `defineProject`. */
  readonly file: string;
  /** 1-based; absent when the mistake stands in no text. */
  readonly line?: number;
  /** 1-based, in UTF-16 code units; absent when the mistake stands in no text. */
  readonly column?: number;
  /** The nearest spelling or the next step; absent when there is nothing to suggest. */
  readonly hint?: string;
}

/** What {@link OloproofError} carries besides its message. */
export interface ErrorParts {
  /** A stable name for scripts. */
  readonly code: string;
  /** `configuration`: the user can mend it (exit 2); `surroundings`: machine, network or disk (exit 1). */
  readonly kind: "configuration" | "surroundings";
  /** A file with line and column as far as known, a folder or a URL; absent when no place is to blame. */
  readonly where?: string;
  /** What to do next; absent when there is nothing to suggest. */
  readonly hint?: string;
  /** The mistakes behind the error; absent = none to list. */
  readonly issues?: readonly Issue[];
  /** What was thrown underneath, of any type; absent when nothing was. */
  readonly cause?: unknown;
}

/**
 * Broken surroundings or a request that cannot be met: the one error that the functions of this package throw
 * on purpose. Expected trouble of a run (a stage that fails, a judgment that is missing) is data in its
 * report, never this.
 *
 * `code` is for scripts, `message` for people; `issues` lists every mistake at once when the trouble is in
 * what the user wrote.
 *
 * @example Tell a mistake from a failure by its code
 * ```ts
 * import assert from "node:assert/strict";
 * import { OloproofError, openProject } from "oloproof";
 *
 * const emptyFolder = await Deno.makeTempDir();
 * const error = await openProject(emptyFolder).catch((cause) => cause);
 *
 * assert.ok(error instanceof OloproofError);
 * assert.equal(error.code, "no_project");
 * assert.equal(error.kind, "configuration");
 * assert.deepEqual(error.issues, []);
 * ```
 */
export class OloproofError extends Error {
  /** Always the same; tells the error apart where `instanceof` cannot, as across copies of the package. */
  override readonly name = "OloproofError";
  /** A stable snake_case name for scripts, such as `no_project`; messages may change, codes do not. */
  readonly code: string;
  /** `configuration`: the user can mend it (exit 2); `surroundings`: machine, network or disk (exit 1). */
  readonly kind: "configuration" | "surroundings";
  /** A file with line and column as far as known, a folder or a URL; undefined when no place is to blame. */
  readonly where: string | undefined;
  /** What to do next; undefined when there is nothing to suggest. */
  readonly hint: string | undefined;
  /** Every mistake found in what the user wrote, sorted by place; empty for trouble of another sort. */
  readonly issues: readonly Issue[];

  /** The action that failed and why, alone; `message` adds places and hints, for whoever merely prints it. */
  readonly summary: string;

  /** Builds one from the action that failed and its reason, without place, hint or final period. */
  constructor(summary: string, parts: ErrorParts) {
    super(wholeMessage(summary, parts), "cause" in parts ? { cause: parts.cause } : undefined);
    this.summary = summary;
    this.code = parts.code;
    this.kind = parts.kind;
    this.where = parts.where;
    this.hint = parts.hint;
    this.issues = parts.issues ?? [];
  }
}

/**
 * The error that reports every mistake of the user's files at once, sorted by place.
 *
 * @param areAll False when the search was given up after these.
 */
export function issuesError(action: string, issues: readonly Issue[], areAll = true): OloproofError {
  const sorted = [...issues].sort((a, b) =>
    compareText(a.file, b.file) || (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0)
  );
  const mistakes = sorted.length === 1 ? "1 mistake" : `${sorted.length} mistakes`;
  const count = areAll ? mistakes : `the first ${mistakes}`;
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

/** The message of anything that was thrown: of an error, of an object that has one, else its text. Never throws itself. */
export function messageOf(thrown: unknown): string {
  try {
    if (typeof thrown !== "object" || thrown === null) return String(thrown);
    const message = Reflect.get(thrown, "message");
    if (typeof message === "string" && message !== "") return message;
    return thrown instanceof Error ? thrown.name : String(thrown);
  } catch {
    // Objects without a prototype, and those whose toString throws, have no text at all.
    return "something without a text was thrown";
  }
}

function wholeMessage(summary: string, { where, hint, issues = [] }: ErrorParts): string {
  const lines = issues.length > 0
    ? issues.map((issue) =>
      `${placeOf(issue)}: ${issue.message}${issue.hint === undefined ? "" : ` (${issue.hint})`}`
    )
    : where === undefined
    ? []
    : [`at ${where}`];
  return [summary, ...lines, ...(hint === undefined ? [] : [`hint: ${hint}`])].join("\n  ");
}
