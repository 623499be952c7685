/** Reading the citations of an answer: from a list in the output, or out of text by a pattern. */
import { z } from "zod";
import { readPath } from "../domain/json.ts";
import { type Judgment, missing } from "../domain/judgment.ts";
import type { EvaluatorPorts } from "../domain/ports.ts";
import { type Citation, readCapture, readCitationList } from "./citation.ts";
import type { FinishedRecord } from "./evaluator.ts";
import { countGroups, findPatternProblem } from "./pattern_parameter.ts";
import { describeField, fieldPath, readOutputText } from "./read_field.ts";

/** The parameters that say where citations stand. */
export const citationShape = {
  field: fieldPath.optional(),
  pattern: z.string().min(1).optional(),
  refers_to: z.enum(["doc_id", "chunk_id", "position"]).optional(),
};

/** What the two parameters of a pattern ask of each other. */
export function checkPattern(
  given: { pattern?: unknown; refers_to?: unknown },
  context: z.RefinementCtx,
): void {
  const { pattern, refers_to } = given;
  if (pattern === undefined && refers_to !== undefined) {
    const message = "refers_to says what a pattern captures; give pattern, too";
    context.addIssue({ code: "custom", path: ["refers_to"], message });
  }
  const problem = typeof pattern === "string" ? findCitationPatternProblem(pattern) : undefined;
  if (problem !== undefined) context.addIssue({ code: "custom", path: ["pattern"], message: problem });
}

function findCitationPatternProblem(pattern: string): string | undefined {
  const invalid = findPatternProblem(pattern, "");
  if (invalid !== undefined) return invalid.message;
  const groups = countGroups(pattern);
  if (groups === 1) return undefined;
  return `Expected exactly one capture group, which holds what is cited; the pattern has ${groups}`;
}

/** Where citations stand, checked. */
export type CitationPlace = z.infer<z.ZodObject<typeof citationShape>>;

/** The field that is read: `citations` for a list, the whole output for text. */
export function citationField({ pattern, field }: CitationPlace): string | undefined {
  return pattern === undefined ? field ?? "citations" : field;
}

/** The citations, or the judgment that follows when they cannot be read. */
export type CitationReading = { readonly citations: readonly Citation[] } | Judgment;

/** Reads the citations of an answer in their order. Absent and null cite nothing. */
export function readCitations(
  given: CitationPlace,
  record: FinishedRecord,
  ports: EvaluatorPorts,
): CitationReading {
  return given.pattern === undefined
    ? readFromList(citationField(given) ?? "citations", record)
    : readFromText(given.pattern, given, record, ports);
}

function readFromList(field: string, record: FinishedRecord): CitationReading {
  const reading = readCitationList(readPath(record.output, field));
  if ("citations" in reading) return reading;
  return missing("invalid_citations", `${describeField(field)} ${reading.problem}`);
}

function readFromText(
  pattern: string,
  { field, refers_to = "doc_id" }: CitationPlace,
  record: FinishedRecord,
  { patterns }: EvaluatorPorts,
): CitationReading {
  if (readPath(record.output, field) === undefined) return { citations: [] };
  const text = readOutputText(record, field);
  if (text.status === "missing") return text;
  if (text.value === null) return { citations: [] };
  const result = patterns.find(pattern, "", text.value, "all");
  if (result.status === "timed_out") return missing("pattern_timed_out");
  // A group may take no part in a match, as in `\[none\]|\[(\w+)\]`: such a match cites nothing.
  const captures = result.matches.map((match) => match[1]).filter((capture) => capture !== undefined);
  return { citations: captures.map((capture) => readCapture(capture, refers_to)) };
}
