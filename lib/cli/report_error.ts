/** An error on its way out: as text or JSON, with its exit code. */
import { messageOf, OloproofError } from "../domain/error.ts";
import { errorJson, errorText } from "../report/error_text.ts";
import { printable } from "../report/printable.ts";
import type { Io } from "./io.ts";
import { EXIT } from "./exit_code.ts";
import { jsonText } from "./json_text.ts";

/** Prints an error and answers with the exit code. A stack is shown only with --debug. */
export function reportError(cause: unknown, args: readonly string[], io: Io): number {
  const error = cause instanceof OloproofError ? cause : unexpected(cause);
  if (args.includes("--json")) io.stdout(jsonText(errorJson(error)));
  else io.stderr(errorText(error));
  if (args.includes("--debug")) io.stderr(printable(stackOf(cause)));
  return error.kind === "configuration" ? EXIT.configuration : EXIT.unexpected;
}

function unexpected(cause: unknown): OloproofError {
  return new OloproofError(`Something unexpected happened: ${messageOf(cause)}`, {
    code: "unexpected",
    kind: "surroundings",
    hint: "run again with --debug to see where; this is a fault of oloproof",
    cause,
  });
}

function stackOf(cause: unknown): string {
  if (!(cause instanceof Error)) return `${String(cause)}\n`;
  const inner = cause.cause === undefined ? "" : `caused by ${stackOf(cause.cause)}`;
  return `${cause.stack ?? cause.message}\n${inner}`;
}
