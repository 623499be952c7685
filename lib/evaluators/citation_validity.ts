/** The evaluator `citation_validity`. */
import { z } from "zod";
import { readPath } from "../domain/json.ts";
import { type Judgment, missing, observed } from "../domain/judgment.ts";
import type { EvaluatorPorts } from "../domain/ports.ts";
import { type Citation, locateCitation, readCapture, readCitationList } from "./citation.ts";
import { defineEvaluator, type EvaluatorType, type FinishedRecord, notReported } from "./evaluator.ts";
import { besideOtherMistakes } from "./parameter_check.ts";
import { countGroups, findPatternProblem } from "./pattern_parameter.ts";
import { describeField, fieldPath, readOutputText } from "./read_field.ts";

const parameters = z.strictObject({
  field: fieldPath.optional(),
  require_citations: z.boolean().default(false),
  pattern: z.string().min(1).optional(),
  refers_to: z.enum(["doc_id", "chunk_id", "position"]).optional(),
}).superRefine(checkPattern, besideOtherMistakes);

function checkPattern(given: { pattern?: unknown; refers_to?: unknown }, context: z.RefinementCtx): void {
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

type Parameters = z.infer<typeof parameters>;

/**
 * Passes when every citation of the answer names a passage of the context that the answer was given, and,
 * with `require_citations`, when there is at least one.
 *
 * Without `pattern`, `field` (`citations` by default) holds a list of doc_ids or of `{doc_id, chunk_id?}`;
 * absent, null and `[]` cite nothing (the details say when it is absent), and any other shape is missing with `invalid_citations`. With
 * `pattern`, `field` (the whole output by default) is text, and group 1 of every match is a citation of what
 * `refers_to` says: a doc_id (the default), a chunk_id, or a 1-based place in the context. Text that is none
 * is missing with `output_not_text`, a search that takes too long with `pattern_timed_out`.
 *
 * The details list each citation with a status: `in_context`, `retrieved_but_dropped`, `never_retrieved` (or
 * a place beyond the context) or `malformed` (an empty id, or no whole number above 0); of a system that does not report its
 * candidates `not_in_context` in the place of the middle two. Missing with `not_reported` when an answer came without the
 * context that the system declares to report.
 */
export const citationValidity: EvaluatorType = defineEvaluator<Parameters>({
  type: "citation_validity",
  version: 1,
  reads: "context",
  observes: "pass",
  parameters,
  criterion: () => "citations_valid",
  judge(given, record, ports) {
    const reading = readCitations(given, record, ports);
    if ("status" in reading) return reading;
    const { citations } = reading;
    const { context, candidates } = record;
    if (context === undefined) return notReported("context");
    if (citations.length === 0) {
      // Told apart from an empty list, so that a field that no answer ever has can be noticed over the whole run.
      const absent = readPath(record.output, fieldOf(given)) === undefined;
      return observed(!given.require_citations, absent ? { field_absent: true } : undefined);
    }
    const located = citations.map((citation) => ({
      ...citation,
      status: locateCitation(citation, context, candidates),
    }));
    return observed(located.every(({ status }) => status === "in_context"), { citations: located });
  },
});

function fieldOf({ pattern, field }: Parameters): string | undefined {
  return pattern === undefined ? field ?? "citations" : field;
}

type CitationReading = { readonly citations: readonly Citation[] } | Judgment;

function readCitations(given: Parameters, record: FinishedRecord, ports: EvaluatorPorts): CitationReading {
  return given.pattern === undefined
    ? readFromList(fieldOf(given) ?? "citations", record)
    : readFromText(given.pattern, given, record, ports);
}

function readFromList(field: string, record: FinishedRecord): CitationReading {
  const reading = readCitationList(readPath(record.output, field));
  if ("citations" in reading) return reading;
  return missing("invalid_citations", `${describeField(field)} ${reading.problem}`);
}

function readFromText(
  pattern: string,
  { field, refers_to = "doc_id" }: Parameters,
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
