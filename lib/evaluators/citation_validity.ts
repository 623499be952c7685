/** The evaluator `citation_validity`. */
import { z } from "zod";
import { readPath } from "../domain/json.ts";
import { observed } from "../domain/judgment.ts";
import { locateCitation } from "./citation.ts";
import { defineEvaluator, type EvaluatorType, notReported } from "./evaluator.ts";
import { besideOtherMistakes } from "./parameter_check.ts";
import { checkPattern, citationField, citationShape, readCitations } from "./read_citations.ts";

const parameters = z.strictObject({
  field: citationShape.field,
  require_citations: z.boolean().default(false),
  pattern: citationShape.pattern,
  refers_to: citationShape.refers_to,
}).superRefine(checkPattern, besideOtherMistakes);

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
      const absent = readPath(record.output, citationField(given)) === undefined;
      return observed(!given.require_citations, absent ? { field_absent: true } : undefined);
    }
    const located = citations.map((citation) => ({
      ...citation,
      status: locateCitation(citation, context, candidates),
    }));
    return observed(located.every(({ status }) => status === "in_context"), { citations: located });
  },
});
