/** Sources that are texts, and what importers make of them. */
import type { Case } from "../../lib/domain/case.ts";
import type { Issue } from "../../lib/domain/error.ts";
import type { Passage } from "../../lib/domain/passage.ts";
import { placeOf } from "../../lib/domain/error.ts";
import type { Importer, ProjectDraft, RecordedAnswer, SourceFile } from "../../lib/importers/imported.ts";

/** A file of a source; `others` are the files beside it, by name. */
export function sourceOf(
  shown: string,
  text: string,
  others: Readonly<Record<string, string>> = {},
): SourceFile {
  return {
    shown,
    async *lines() {
      await Promise.resolve();
      const lines = text.split("\n");
      if (lines.at(-1) === "") lines.pop();
      for (const [index, line] of lines.entries()) yield { number: index + 1, text: line };
    },
    text: () => Promise.resolve(text),
    beside: (path) => sourceOf(path, others[path] ?? ""),
  };
}

/** JSON of each value on a line of its own. */
export function jsonl(...values: readonly unknown[]): string {
  return values.map((value) => `${JSON.stringify(value)}\n`).join("");
}

/** Everything that an importer gave. */
export interface Read {
  readonly cases: readonly Case[];
  readonly passages: readonly Passage[];
  readonly records: readonly RecordedAnswer[];
  /** `file:line:column code`, in the order of reading. */
  readonly issues: readonly string[];
  readonly mistakes: readonly Issue[];
  /** `code: message`. */
  readonly notices: readonly string[];
  readonly draft: ProjectDraft;
}

/** Reads a source to its end. */
export async function readAll(importer: Importer): Promise<Read> {
  const cases: Case[] = [];
  const passages: Passage[] = [];
  const records: RecordedAnswer[] = [];
  const mistakes: Issue[] = [];
  for (;;) {
    const { done, value } = await importer.next();
    if (done) {
      return {
        cases,
        passages,
        records,
        mistakes,
        issues: mistakes.map((issue) => `${placeOf(issue)} ${issue.code}`),
        notices: value.notices.map(({ code, message }) => `${code}: ${message}`),
        draft: value,
      };
    }
    if (value.kind === "case") cases.push(value.case);
    else if (value.kind === "passage") passages.push(value.passage);
    else if (value.kind === "record") records.push(value.record);
    else mistakes.push(value.issue);
  }
}
