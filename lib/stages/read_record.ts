/** Recorded outputs: what another program kept of a system, a record a case. */
import { isJsonObject, type Json, type JsonObject } from "../domain/json.ts";
import type { FailureKind, StageFailure, StageName, Usage } from "../domain/record.ts";
import type { ReportedPart } from "../domain/settings.ts";
import { type Answer, InvalidOutput, readWholeAnswer } from "./read_output.ts";

/** What is recorded of one case: an answer, or an execution that failed. */
export type RecordedOutput =
  & {
    readonly case_id: string;
    /** The input that was answered; absent = the record does not say. */
    readonly input?: Json;
    readonly usage?: Usage;
  }
  & (
    | { readonly answer: Answer; readonly error?: undefined }
    | { readonly answer?: undefined; readonly error: StageFailure }
  );

/** A system of which only records are there. */
export interface RecordedOutputs {
  /** The record of a case; undefined when there is none. */
  recorded(case_id: string): Promise<RecordedOutput | undefined>;
}

/** Whether nothing is to be called. */
export function isRecorded(stages: object): stages is RecordedOutputs {
  return "recorded" in stages;
}

/** The keys of a record, and those of an exported case that a record may have as well and that are not read. */
const recordKeys = ["case_id", "input", "output", "error", "candidates", "context", "usage"];
const exportedKeys = ["repeat", "expected", "metadata", "dropped", "judgments"];

/**
 * Reads one record: `{ case_id, output | error, candidates?, context?, usage? }`. A line of an export is a record, too.
 *
 * @param reports The parts that are declared; a record with another part is refused.
 * @throws {InvalidOutput} What does not fit.
 */
export function readRecord(value: Json, reports: readonly ReportedPart[]): RecordedOutput {
  if (!isJsonObject(value)) throw new InvalidOutput("a record is an object: { case_id, output | error, … }");
  const unknown = Object.keys(value).find((key) => ![...recordKeys, ...exportedKeys].includes(key));
  if (unknown !== undefined) {
    throw new InvalidOutput(
      `a record has the unknown key ${JSON.stringify(unknown)}; its keys are ${recordKeys.join(", ")}`,
    );
  }
  const { case_id, input, output, error = null, candidates, context, usage = null, repeat = 1 } = value;
  if (typeof case_id !== "string" || case_id === "") {
    throw new InvalidOutput(
      "a record has no case_id; it is the id of a case, a text of one character or more",
    );
  }
  if (repeat !== 1) throw new InvalidOutput("a record of a repeat; recorded outputs hold one output a case");
  const common = {
    case_id,
    ...(input === undefined ? {} : { input }),
    ...(usage === null ? {} : { usage: readUsage(usage) }),
  };
  if (error !== null) {
    if (output !== undefined && output !== null) {
      throw new InvalidOutput("a record has output and error; it has one of the two");
    }
    return { ...common, error: readError(error) };
  }
  if (output === undefined) throw new InvalidOutput("a record has neither output nor error");
  const answer = { output, ...given({ candidates, context }) };
  return { ...common, answer: readWholeAnswer(answer, { depth: null, reports }) };
}

/** The parts that a record tells. */
export function partsOf(value: Json): readonly ReportedPart[] {
  if (!isJsonObject(value)) return [];
  return (["candidates", "context"] as const).filter((part) => (value[part] ?? null) !== null);
}

function given(parts: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(parts).filter(([, part]) => part !== undefined && part !== null));
}

const stageNames: readonly string[] = ["retrieve", "assemble", "generate", "answer"];
const kinds: readonly string[] = ["exception", "timeout", "invalid_output"];

/** A message alone, or the failure as an export writes it. */
function readError(error: Json): StageFailure {
  if (typeof error === "string") return { stage: "answer", kind: "exception", message: error };
  if (isJsonObject(error) && typeof error.message === "string") {
    const { stage = "answer", kind = "exception", message } = error;
    if (stageNames.includes(String(stage)) && kinds.includes(String(kind))) {
      return { stage: stage as StageName, kind: kind as FailureKind, message };
    }
  }
  throw new InvalidOutput(
    "error is no failure; it is a message, or { stage, kind, message } as an export has it",
  );
}

function readUsage(usage: Json): Usage {
  const keys = ["input_tokens", "output_tokens", "cost_usd", "first_token_ms"];
  const fits = isJsonObject(usage) &&
    Object.entries(usage).every(([key, value]) =>
      keys.includes(key) && (value === undefined || (typeof value === "number" && value >= 0))
    );
  if (fits) return usage as Usage;
  throw new InvalidOutput(`usage is no { ${keys.join(", ")} } of numbers ≥ 0`);
}
