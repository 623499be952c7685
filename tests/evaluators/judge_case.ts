/** One case judged by one evaluator of the table, through everything that a run goes through. */
import assert from "node:assert/strict";
import type { RelevanceLabel } from "../../lib/domain/case.ts";
import type { Json, JsonObject } from "../../lib/domain/json.ts";
import type { Judgment } from "../../lib/domain/judgment.ts";
import type { Passage } from "../../lib/domain/passage.ts";
import type { EvaluatorPorts, Patterns } from "../../lib/domain/ports.ts";
import type { CaseRecord, StageFailure } from "../../lib/domain/record.ts";
import type { BoundEvaluator } from "../../lib/evaluators/evaluator.ts";
import { judgeRecord } from "../../lib/evaluators/judge_record.ts";
import { evaluatorTypes } from "../../lib/evaluators/table.ts";

/** What a test says of a case; the rest is an execution that finished with nothing in it. */
export interface Observation {
  readonly expected?: Json;
  readonly output?: Json;
  readonly candidates?: readonly Passage[];
  readonly context?: readonly Passage[];
  readonly error?: StageFailure;
}

/** Patterns without a time limit. */
export const patterns: Patterns = {
  find(pattern, flags, text, which) {
    const matches = [...text.matchAll(new RegExp(pattern, `${flags}g`))].map((match) => [...match]);
    return { status: "done", matches: which === "first" ? matches.slice(0, 1) : matches };
  },
};

const PORTS: EvaluatorPorts = {
  patterns,
  callFunction: () => Promise.reject(new Error("This test calls no function")),
};

/** An evaluator of the table with its parameters. */
export function bind(type: string, parameters: JsonObject = {}): BoundEvaluator {
  const found = evaluatorTypes.get(type);
  assert.ok(found, `no evaluator ${type}`);
  return found.bind(parameters);
}

/** The judgment of an observation. */
export function judgeCase(
  type: string,
  parameters: JsonObject,
  observation: Observation,
  ports: Partial<EvaluatorPorts> = {},
): Promise<Judgment> {
  const { expected, output = null, candidates = [], context = [], error } = observation;
  const record: CaseRecord = {
    case: { id: "a", input: null, ...(expected === undefined ? {} : { expected }) },
    ...(error === undefined ? { candidates, context, output } : { error }),
  };
  return judgeRecord(bind(type, parameters), record, { ...PORTS, ...ports });
}

/** The value of a judgment that must be observed. */
export function valueOf(judgment: Judgment): boolean | number {
  assert.equal(judgment.status, "observed", JSON.stringify(judgment));
  return judgment.status === "observed" ? judgment.value : assert.fail();
}

/** The status and reason of a judgment without a value, as one text: `missing output_not_text`. */
export function absenceOf(judgment: Judgment): string {
  return judgment.status === "observed" ? "observed" : `${judgment.status} ${judgment.reason}`;
}

/** What the schema of a type has against parameters: place and message, in the order of the schema. */
export function mistakesOf(type: string, parameters: unknown): readonly string[] {
  const result = evaluatorTypes.get(type)?.parameters.safeParse(parameters);
  return (result?.error?.issues ?? []).map(({ path, message }) => `${path.join(".")}: ${message}`);
}

/** An expectation with labels. */
export function labelled(labels: readonly RelevanceLabel[]): Json {
  return { relevant: labels.map((label) => ({ ...label })) };
}

/** Passages without text: `d` is a document, `d|c` a chunk of it. */
export function passages(...names: readonly string[]): readonly Passage[] {
  return names.map((name) => {
    const [doc_id = "", chunk_id] = name.split("|");
    return chunk_id === undefined ? { doc_id } : { doc_id, chunk_id };
  });
}
