/** The evaluator `citation_support_judge`. */
import { z } from "zod";
import { excluded, type Judgment, missing, observed } from "../domain/judgment.ts";
import type { Json } from "../domain/json.ts";
import type { EvaluatorPorts } from "../domain/ports.ts";
import { checkJudgeModel, judgeModelShape } from "../judges/judge_model.ts";
import { PROMPT_VERSION } from "../judges/prompt.ts";
import { askCitationSupport, type ReadPassage } from "../judges/question.ts";
import { splitClaims } from "../judges/split_claims.ts";
import { type Citation, citedPlaces } from "./citation.ts";
import { defineEvaluator, type EvaluatorType, type FinishedRecord, notReported } from "./evaluator.ts";
import { judgeBy, readAnswer, readPassages } from "./judge_verdict.ts";
import { besideOtherMistakes } from "./parameter_check.ts";
import { checkPattern, type CitationPlace, citationShape, readCitations } from "./read_citations.ts";
import { readCapture } from "./citation.ts";
import { fieldPath } from "./read_field.ts";

const parameters = z.strictObject({
  ...judgeModelShape,
  ...citationShape,
  answer_field: fieldPath.optional(),
}).superRefine(checkJudgeModel, besideOtherMistakes)
  .superRefine(checkPattern, besideOtherMistakes)
  .superRefine(checkAnswerField, besideOtherMistakes);

type Parameters = z.infer<typeof parameters>;

function checkAnswerField(
  given: { pattern?: unknown; answer_field?: unknown },
  context: z.RefinementCtx,
): void {
  if (given.pattern === undefined || given.answer_field === undefined) return;
  const message = "has no meaning beside pattern: the text that it reads is the answer";
  context.addIssue({ code: "custom", path: ["answer_field"], message });
}

/** A citation and the statement that cites it. */
interface Stated {
  readonly statement: string;
  readonly citation: Citation;
}

/**
 * Passes when a judge finds that each cited passage supports the statement that cites it. Citations are read as
 * `citation_validity` reads them. With `pattern` the statement is the sentence that the citation stands in (or stands behind);
 * citations of a list belong to the answer as a whole, the text in `answer_field` (the whole output without one).
 *
 * The details give each citation a status: `supported`, `unsupported`, or `not_in_context` for one that names no passage that the
 * answer was given, which supports nothing and is put to no judge. Excluded with `nothing_cited` without a citation. Missing as
 * `citation_validity` and `groundedness_judge` are.
 */
export const citationSupportJudge: EvaluatorType = defineEvaluator<Parameters>({
  type: "citation_support_judge",
  version: PROMPT_VERSION,
  reads: "context",
  observes: "pass",
  judged: true,
  parameters,
  criterion: () => "citations_supported",
  judge(given, record, ports) {
    const reading = readCitations(given, record, ports);
    if ("status" in reading) return reading;
    if (record.context === undefined) return notReported("context");
    if (reading.citations.length === 0) return excluded("nothing_cited");
    const answer = readAnswer(record, given.pattern === undefined ? given.answer_field : given.field);
    if (answer.status === "missing") return answer;
    if (answer.value.trim() === "") return missing("empty_answer", "There are citations, but no answer");
    const stated = stateCitations(given, answer.value, reading.citations, ports);
    return judgeCitations(given, record, answer.value, stated, ports);
  },
});

function judgeCitations(
  given: Parameters,
  record: FinishedRecord,
  answer: string,
  stated: readonly Stated[],
  ports: EvaluatorPorts,
): Judgment | Promise<Judgment> {
  const context = record.context ?? [];
  const placed = stated.map((one) => ({ ...one, places: citedPlaces(one.citation, context) }));
  const asked = placed.filter(({ places }) => places.length > 0);
  const tell = (statusOf: (index: number) => string): Json =>
    placed.map(({ statement, citation, places }) => ({
      ...citation,
      statement,
      status: places.length === 0
        ? "not_in_context"
        : statusOf(asked.findIndex((one) => one.places === places)),
    }));
  const all = asked.length === placed.length;
  // `asked: 0` tells that this verdict is no judge's.
  if (asked.length === 0) return observed(false, { asked: 0, citations: tell(() => "") });
  const cited = new Set(asked.flatMap(({ places }) => places));
  const texts = readPassages(context.filter((_, place) => cited.has(place)));
  if ("status" in texts) return texts;
  const read = new Map([...cited].sort((a, b) => a - b).map((place, index) => [place, texts[index]]));
  const passagesAt = (places: readonly number[]): readonly ReadPassage[] =>
    places.flatMap((place) => read.get(place) ?? []);
  const citations = asked.map(({ statement, places }) => ({ statement, passages: passagesAt(places) }));
  const question = askCitationSupport(record.case.input, answer, citations);
  return judgeBy(given, question, ports, ({ pass, failed, reason }) =>
    observed(pass && all, {
      citations: tell((index) => failed.includes(index + 1) ? "unsupported" : "supported"),
      reason,
    }));
}

/** Each citation with its statement, the same pair once. */
function stateCitations(
  given: CitationPlace,
  answer: string,
  citations: readonly Citation[],
  ports: EvaluatorPorts,
): readonly Stated[] {
  const whole = answer.trim();
  const bySentence = given.pattern === undefined ? [] : readSentences(given.pattern, given, answer, ports);
  // A citation that stands across two sentences belongs to none of them.
  const stated = bySentence.length === citations.length
    ? bySentence
    : citations.map((citation) => ({ statement: whole, citation }));
  return [...new Map(stated.map((one) => [JSON.stringify([one.statement, one.citation]), one])).values()];
}

function readSentences(
  pattern: string,
  { refers_to = "doc_id" }: CitationPlace,
  answer: string,
  { patterns }: EvaluatorPorts,
): readonly Stated[] {
  const stated: Stated[] = [];
  let bare: string | undefined;
  for (const sentence of splitClaims(answer)) {
    const found = patterns.find(pattern, "", sentence, "all");
    if (found.status === "timed_out") return [];
    let rest = sentence;
    for (const [match = "", capture] of found.matches) {
      // At the beginning of a sentence it stands behind the one before, if that has none of its own.
      const leads = bare !== undefined && rest.trimStart().startsWith(match);
      if (leads) rest = rest.trimStart().slice(match.length);
      const statement = leads ? `${bare} ${match}` : sentence;
      if (capture !== undefined) stated.push({ statement, citation: readCapture(capture, refers_to) });
    }
    bare = found.matches.length === 0 ? sentence : undefined;
  }
  return stated;
}
