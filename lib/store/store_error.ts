/** What a database says when it cannot go on, in words that name the file and the way out. */
import { messageOf, OloproofError } from "../domain/error.ts";

interface Explanation {
  readonly code: string;
  readonly problem: string;
  readonly hint: string;
}

/** By the beginning of SQLite's result codes; the first that fits. */
const explanations: readonly (readonly [prefix: string, explanation: Explanation])[] = [
  ["SQLITE_BUSY", {
    code: "store_locked",
    problem: "another process holds its lock and did not let go within 15 s",
    hint: "wait for the other process to finish, or give this one a store of its own with --store",
  }],
  ["SQLITE_FULL", {
    code: "disk_full",
    problem: "the disk is full; what was written before is kept",
    hint: "free some space and try again: finished work is found in the cache",
  }],
  ["SQLITE_READONLY", {
    code: "store_unwritable",
    problem: "it cannot be written",
    hint: "check the permissions of the file and its folder, or choose another with --store",
  }],
  ["SQLITE_CANTOPEN", {
    code: "store_unwritable",
    problem: "it cannot be opened",
    hint: "check the permissions of the file and its folder, or choose another with --store",
  }],
  ["SQLITE_NOTADB", {
    code: "store_damaged",
    problem: "the file is not a database",
    hint: "choose another file with --store, or move this one away",
  }],
  ["SQLITE_CORRUPT", {
    code: "store_damaged",
    problem: "the database is damaged",
    hint: "keep a copy, then try `sqlite3 FILE .recover`; a new store can be chosen with --store",
  }],
  ["malformed JSON", {
    code: "store_damaged",
    problem: "the database is damaged",
    hint: "keep a copy, then try `sqlite3 FILE .recover`; a new store can be chosen with --store",
  }],
  ["SQLITE_IOERR", {
    code: "store_unwritable",
    problem: "the disk reported an error",
    hint: "check the disk and its free space",
  }],
];

/** The error of ours for anything that a database client threw; ours pass through unchanged. */
export function storeError(action: string, store: string, cause: unknown): OloproofError {
  if (cause instanceof OloproofError) return cause;
  const said = messageOf(cause);
  const code = resultCode(cause) ?? said;
  const known = explanations.find(([prefix]) => code.startsWith(prefix) || said.includes(prefix));
  if (known !== undefined) {
    const [, { code, problem, hint }] = known;
    return new OloproofError(`Cannot ${action}: ${problem}`, {
      code,
      kind: "surroundings",
      where: store,
      hint,
      cause,
    });
  }
  return new OloproofError(`Cannot ${action}: ${said}`, {
    code: "store_failed",
    kind: "surroundings",
    where: store,
    hint: "run again with --debug to see where it happened",
    cause,
  });
}

/**
 * The error for a store out of which all was erased, and which could not be written anew, or whose log another program was reading:
 * until that is done, bytes of what was erased may still lie there.
 */
export function notTidied(store: string, cause: unknown, logInUse: boolean): OloproofError {
  const place = logInUse
    ? "its log, which another program is reading"
    : "the file, which could not be written anew";
  const reason = logInUse ? "" : ` (${messageOf(cause)})`;
  return new OloproofError(`It is erased, but bytes of it may still lie in ${place}${reason}`, {
    code: logInUse ? "store_in_use" : storeError("", store, cause).code,
    kind: "surroundings",
    where: store,
    hint: `${
      logInUse ? "close the other program" : "free some space"
    }, then \`oloproof cache prune\` ends what was begun`,
    cause,
  });
}

/** Whether the database refused to make a text of a gigabyte or more. */
export function isTooLarge(cause: unknown): boolean {
  return resultCode(cause)?.startsWith("SQLITE_TOOBIG") ?? false;
}

function resultCode(cause: unknown): string | undefined {
  if (typeof cause !== "object" || cause === null) return undefined;
  const code = Reflect.get(cause, "extendedCode") ?? Reflect.get(cause, "code");
  return typeof code === "string" ? code : undefined;
}
