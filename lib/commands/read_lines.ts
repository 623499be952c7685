/** Lines of a file, as they are read: a file of any size takes the memory of its longest line. */
import { Buffer } from "node:buffer";
import { open } from "node:fs/promises";
import { type Issue, issuesError, messageOf, OloproofError } from "../domain/error.ts";

/** A line without its line feed. */
export interface Line {
  /** 1-based. */
  readonly number: number;
  readonly text: string;
  /** Where it begins, in bytes from the beginning of the file. */
  readonly start: number;
  /** Its length in bytes. */
  readonly length: number;
}

const LINE_FEED = 10;
const CHUNK = 1 << 16;

/** What to do about a file that a key of the project file names. */
export function namedBy(key: string): string {
  return `the project's \`${key}:\` names it, relative to the project's folder`;
}

/**
 * Reads the lines of a UTF-8 file. Only a line feed ends a line (a JSON text may hold every other separator); a last line
 * without one counts. An empty file has no lines.
 *
 * @param shown How messages name the file.
 * @param hint What to do when it cannot be read.
 * @throws {OloproofError} `unreadable_file`; `not_utf8` with the line.
 */
export async function* readLines(path: string, shown: string, hint = namedBy("cases")): AsyncGenerator<Line> {
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  const file = await open(path, "r").catch((cause) => {
    throw unreadable(shown, hint, cause);
  });
  try {
    let number = 0;
    let next = 0;
    let pending: Uint8Array[] = [];
    const close = (last: Uint8Array): Line => {
      number++;
      const bytes = pending.length === 0 ? last : Buffer.concat([...pending, last]);
      pending = [];
      const start = next;
      next += bytes.length + 1;
      return { number, text: decode(decoder, bytes, shown, number), start, length: bytes.length };
    };
    for (;;) {
      const buffer = new Uint8Array(CHUNK);
      const { bytesRead } = await file.read(buffer, 0, CHUNK).catch((cause) => {
        throw unreadable(shown, hint, cause);
      });
      if (bytesRead === 0) break;
      let start = 0;
      const chunk = buffer.subarray(0, bytesRead);
      for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, start)) {
        yield close(chunk.subarray(start, end));
        start = end + 1;
      }
      if (start < bytesRead) pending.push(chunk.subarray(start));
    }
    if (pending.length > 0) yield close(new Uint8Array());
  } finally {
    await file.close();
  }
}

function decode(decoder: TextDecoder, bytes: Uint8Array, shown: string, number: number): string {
  try {
    return decoder.decode(bytes);
  } catch (cause) {
    if (!(cause instanceof TypeError)) throw cause;
    const issue: Issue = {
      code: "not_utf8",
      message: "the line is not UTF-8 text",
      file: shown,
      line: number,
      hint: "convert the file, for example with `iconv -f WINDOWS-1252 -t UTF-8`",
    };
    throw issuesError("Cannot read the file", [issue]);
  }
}

function reasonOf(cause: unknown): string {
  const code = cause instanceof Error && "code" in cause ? cause.code : undefined;
  if (code === "ENOENT") return "there is no such file";
  return code === "EISDIR" ? "it is a folder" : messageOf(cause);
}

function unreadable(shown: string, hint: string, cause: unknown): OloproofError {
  return new OloproofError(`Cannot read ${JSON.stringify(shown)}: ${reasonOf(cause)}`, {
    code: "unreadable_file",
    kind: "configuration",
    where: shown,
    hint,
    cause,
  });
}
