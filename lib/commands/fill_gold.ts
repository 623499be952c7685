/** Gold contexts that cases lack, taken from the project's corpus by their relevance labels. */
import { parseJsonLine } from "../config/parse_case.ts";
import { type Case, type GoldPassage, goldPassages, relevanceLabels } from "../domain/case.ts";
import { type Issue, issuesError } from "../domain/error.ts";
import { identityOf } from "../domain/identity.ts";
import { isJsonObject, type Json } from "../domain/json.ts";
import type { Project } from "../domain/project.ts";
import { namedBy, readLines } from "./read_lines.ts";
import { showPath } from "./show_path.ts";

/** Mistakes that are reported at once. */
const MAX_ISSUES = 50;

/** Fills the gold context of cases. */
export interface GoldFiller {
  /** sha256 over the passages that were found. */
  readonly digest: string;
  /** The case with its gold context filled, or as it is: when it has its own, or one of its labels is not in the corpus. */
  fill(testCase: Case): Case;
}

/** What fills the gold contexts of a project's cases; undefined when it has no corpus. See {@link readGold}. */
export async function readProjectGold(
  { corpus }: Project,
  cases: AsyncIterable<Case>,
  { cwd }: { readonly cwd: string },
): Promise<GoldFiller | undefined> {
  return corpus === undefined ? undefined : await readGold(corpus, showPath(corpus, cwd), cases);
}

/**
 * Reads those passages of a corpus that cases need: `{ doc_id, chunk_id?, text }` a line, further keys are not read. Memory grows
 * with the labelled documents, not with the corpus.
 *
 * @param cases The cases that will be filled; only their labels are kept.
 * @throws {OloproofError} Every mistake with file:line; `unreadable_file`.
 */
export async function readGold(path: string, shown: string, cases: AsyncIterable<Case>): Promise<GoldFiller> {
  const wanted = new Set<string>();
  for await (const testCase of cases) for (const { doc_id } of missingGold(testCase)) wanted.add(doc_id);
  const passages = new Map<string, GoldPassage[]>();
  const issues: Issue[] = [];
  for await (
    const { number: line, text } of wanted.size === 0 ? [] : readLines(path, shown, namedBy("corpus"))
  ) {
    const at = { file: shown, line };
    const parsed = parseJsonLine(text, at);
    if (parsed === undefined) continue;
    const read = parsed.ok ? readPassage(parsed.value, at) : { issues: parsed.issues };
    if ("issues" in read) issues.push(...read.issues);
    else if (wanted.has(read.doc_id)) {
      passages.set(read.doc_id, [...passages.get(read.doc_id) ?? [], read]);
    }
    if (issues.length >= MAX_ISSUES) throw issuesError("Cannot read the corpus", issues, false);
  }
  if (issues.length > 0) throw issuesError("Cannot read the corpus", issues);
  return { digest: identityOf([...passages]), fill: (testCase) => fill(testCase, passages) };
}

/** The labels whose passages a case without gold context needs. */
function missingGold({ expected }: Case) {
  return goldPassages(expected).length > 0 ? [] : relevanceLabels(expected).filter(({ grade }) => grade > 0);
}

/** A part of the gold context would make a wrong intervention: then there is none. */
function fill(testCase: Case, corpus: ReadonlyMap<string, readonly GoldPassage[]>): Case {
  const labels = missingGold(testCase);
  if (labels.length === 0 || !isJsonObject(testCase.expected)) return testCase;
  const found = labels.map(({ doc_id, chunk_id }) =>
    (corpus.get(doc_id) ?? []).filter((passage) => chunk_id === undefined || passage.chunk_id === chunk_id)
  );
  if (found.some((passages) => passages.length === 0)) return testCase;
  // Two labels may name the same passage: a chunk, and the document that it is of.
  const gold_context = [...new Set(found.flat())].map((passage): Json => ({ ...passage }));
  return { ...testCase, expected: { ...testCase.expected, gold_context }, gold_from_corpus: true };
}

function readPassage(
  value: Json,
  at: { readonly file: string; readonly line: number },
): GoldPassage | { readonly issues: readonly Issue[] } {
  if (isJsonObject(value)) {
    const { doc_id, chunk_id = null, text } = value;
    const isNamed = typeof doc_id === "string" && doc_id !== "" &&
      (chunk_id === null || (typeof chunk_id === "string" && chunk_id !== ""));
    if (isNamed && typeof text === "string") {
      return { doc_id, ...(chunk_id === null ? {} : { chunk_id }), text };
    }
  }
  const message = "A passage of a corpus is { doc_id, chunk_id?, text }, all of them texts";
  return { issues: [{ code: "invalid_passage", message, ...at }] };
}
