/** What importers read and what they make of it. */
import type { Case } from "../domain/case.ts";
import type { Issue } from "../domain/error.ts";
import type { Json } from "../domain/json.ts";
import type { Passage } from "../domain/passage.ts";
import type { StageFailure, Usage } from "../domain/record.ts";
import type { Notice } from "../domain/run_report.ts";

/** A line of a source without its line feed; `number` is 1-based. */
export interface SourceLine {
  readonly number: number;
  readonly text: string;
}

/** A text file of a source; reading it throws when it cannot be read or is not UTF-8. */
export interface SourceFile {
  /** The file as messages name it. */
  readonly shown: string;
  /** Its lines as they are read: a file of any size. A byte-order mark is no part of the first. */
  lines(): AsyncIterable<SourceLine>;
  /** The whole of it, with line feeds as they are. */
  text(): Promise<string>;
  /** Another file, named relative to this one's folder. */
  beside(path: string): SourceFile;
}

/** What a system answered, as a line of `records.jsonl`: an output or the failure that stands in its place. */
export interface RecordedAnswer {
  readonly case_id: string;
  readonly output?: Json;
  readonly error?: Pick<StageFailure, "stage" | "kind" | "message">;
  readonly candidates?: readonly Passage[];
  readonly context?: readonly Passage[];
  readonly usage?: Usage;
}

/** Where something stands in a source: what a mistake of it is reported at. */
export type SourcePlace = Pick<Issue, "file" | "line" | "column">;

/** One thing that was read. Importers are streams of these, so that a corpus of any size passes through. */
export type Imported =
  | { readonly kind: "case"; readonly case: Case; readonly place: SourcePlace }
  | { readonly kind: "passage"; readonly passage: Passage }
  | { readonly kind: "record"; readonly record: RecordedAnswer }
  | { readonly kind: "issue"; readonly issue: Issue };

/** What is known of the project when everything was read. */
export interface ProjectDraft {
  /** The name of the system under test. */
  readonly name: string;
  /** In the project's order, as `oloproof.yaml` has them. */
  readonly evaluators: readonly { readonly type: string; readonly [parameter: string]: Json }[];
  /** How many candidates are recorded or asked for at most; absent = there are none. */
  readonly depth?: number;
  readonly slices: readonly string[];
  /** What was left out and why, and what was taken for something else. */
  readonly notices: readonly Notice[];
}

/** Reads a source to its end; what it returns says how the project looks. */
export type Importer = AsyncGenerator<Imported, ProjectDraft>;

/** A mistake, as an importer yields it. */
export function issue(issue: Issue): Imported {
  return { kind: "issue", issue };
}
