/** What the evaluators that ask a judge share: what it reads, and what follows from its reply. */
import type { JsonObject } from "../domain/json.ts";
import { judgeModelOf, type JudgeQuestion, type JudgeVerdict } from "../domain/judge.ts";
import { type Judgment, missing } from "../domain/judgment.ts";
import type { Passage } from "../domain/passage.ts";
import type { EvaluatorPorts } from "../domain/ports.ts";
import type { ReadPassage } from "../judges/question.ts";
import { type FieldReading, readOutputText } from "./read_field.ts";
import type { FinishedRecord } from "./evaluator.ts";

/** Asks the judge that the parameters name. Without a verdict the judgment is missing, for the reason that there is none. */
export async function judgeBy(
  parameters: JsonObject,
  question: JudgeQuestion,
  ports: EvaluatorPorts,
  judgmentOf: (verdict: JudgeVerdict) => Judgment,
): Promise<Judgment> {
  const model = judgeModelOf(parameters);
  if (model === undefined || ports.judge === undefined) throw new TypeError("there is no judge to ask");
  const reply = await ports.judge(model, question);
  return reply.status === "answered" ? judgmentOf(reply.verdict) : missing(reply.reason, reply.message);
}

/** The answer as text; null is an answer that says nothing. */
export function readAnswer(record: FinishedRecord, field: string | undefined): FieldReading<string> {
  const output = readOutputText(record, field);
  return output.status === "missing" ? output : { status: "read", value: output.value ?? "" };
}

/** The passages with their texts, or that one of them has none. */
export function readPassages(context: readonly Passage[]): readonly ReadPassage[] | Judgment {
  const read: ReadPassage[] = [];
  for (const [index, { doc_id, chunk_id, text }] of context.entries()) {
    if (text === undefined) {
      return missing(
        "passage_without_text",
        `Passage ${index + 1} of the context has no text; a judge cannot read it`,
      );
    }
    read.push({ doc_id, ...(chunk_id === undefined ? {} : { chunk_id }), text });
  }
  return read;
}
