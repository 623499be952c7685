/** What stages return, checked: nothing is repaired or cut. */
import { isJsonObject, type Json, type JsonObject, toJson } from "../domain/json.ts";
import type { Passage, Retrieval } from "../domain/passage.ts";
import type { ReportedPart, SystemSettings } from "../domain/settings.ts";

/** A stage returned something that is not of its shape. */
export class InvalidOutput extends Error {}

const passageKeys = ["doc_id", "chunk_id", "score", "text", "metadata"];
const retrievalKeys = ["query", "depth", "candidates"];
const answerKeys = ["output", "candidates", "context"];

/** Reads the value of retrieve: `{ query?, candidates }` with at most `depth` candidates. */
export function readRetrieval(returned: unknown, depth: number): Retrieval {
  const value = readJson(returned, "retrieve returned a value that");
  if (!isJsonObject(value) || !Array.isArray(value.candidates)) {
    throw new InvalidOutput(
      `retrieve returned ${nameOf(value)}; it returns { query, candidates: [{ doc_id, … }, …] }`,
    );
  }
  rejectUnknownKeys(value, retrievalKeys, "the retrieval");
  if (value.candidates.length > depth) {
    throw new InvalidOutput(`retrieve returned ${value.candidates.length} candidates; depth is ${depth}`);
  }
  const candidates = readPassages(value.candidates, "candidates");
  return value.query === undefined ? { candidates } : { query: value.query, candidates };
}

/** What one stage told: what it declares to report and did not is absent. */
export interface Answer {
  readonly output: Json;
  readonly candidates?: readonly Passage[];
  readonly context?: readonly Passage[];
}

/**
 * Reads the value of answer: `{ output, candidates?, context? }`. A part that the system does not declare is refused: it would
 * be left unread in silence.
 */
export function readWholeAnswer(
  returned: unknown,
  { depth, reports = [] }: Pick<SystemSettings, "depth" | "reports">,
): Answer {
  const value = readJson(returned, "answer returned a value that");
  if (!isJsonObject(value) || value.output === undefined) {
    throw new InvalidOutput(`answer returned ${nameOf(value)}; it returns { output, candidates?, context? }`);
  }
  rejectUnknownKeys(value, answerKeys, "the answer");
  const { output } = value;
  const part = (name: ReportedPart): readonly Passage[] | undefined => {
    const list = value[name] ?? undefined;
    if (list === undefined) return undefined;
    if (!reports.includes(name)) {
      throw new InvalidOutput(
        `answer returned ${name}, which the system's setting "reports" does not declare`,
      );
    }
    if (!Array.isArray(list)) {
      throw new InvalidOutput(`answer returned ${nameOf(list)} as ${name}; it is a list of passages`);
    }
    return readPassages(list, name);
  };
  const candidates = part("candidates");
  const context = part("context");
  if (depth !== null && candidates !== undefined && candidates.length > depth) {
    throw new InvalidOutput(`answer returned ${candidates.length} candidates; depth is ${depth}`);
  }
  return {
    output,
    ...(candidates === undefined ? {} : { candidates }),
    ...(context === undefined ? {} : { context }),
  };
}

/** Reads the value of the system's own assemble: a list of passages. */
export function readContext(returned: unknown): readonly Passage[] {
  const value = readJson(returned, "assemble returned a value that");
  if (!Array.isArray(value)) {
    throw new InvalidOutput(`assemble returned ${nameOf(value)}; it returns the list of passages as sent`);
  }
  return readPassages(value, "context");
}

/** Reads a list of passages that a reranker returns. */
export function readCandidates(returned: unknown): readonly Passage[] {
  const value = readJson(returned, "the reranker returned a value that");
  if (!Array.isArray(value)) {
    throw new InvalidOutput(
      `the reranker returned ${nameOf(value)}; it returns the candidates in another order`,
    );
  }
  return readPassages(value, "candidates");
}

/** Reads the value of generate: any JSON value. */
export function readAnswer(returned: unknown): Json {
  return readJson(returned, "generate returned a value that");
}

/** Reads the value of countTokens: an integer ≥ 0. */
export function readTokens(returned: unknown, position: number): number {
  if (typeof returned === "number" && Number.isSafeInteger(returned) && returned >= 0) return returned;
  throw new InvalidOutput(
    `countTokens returned ${nameOf(returned)} for the candidate at position ${position}; ` +
      "it returns an integer ≥ 0",
  );
}

function readJson(returned: unknown, subject: string): Json {
  if (returned === undefined) {
    throw new InvalidOutput(`${subject.split(" ", 1)} returned nothing; is a \`return\` missing?`);
  }
  const reading = toJson(returned);
  if (reading.ok) return reading.value;
  throw new InvalidOutput(`${subject} is not JSON: at ${reading.path}, ${reading.problem}`);
}

function readPassages(list: readonly Json[], name: string): readonly Passage[] {
  return list.map((item, index) => readPassage(item, `${name}[${index}]`));
}

function readPassage(value: Json, where: string): Passage {
  if (!isJsonObject(value)) {
    throw new InvalidOutput(`${where} is ${nameOf(value)}; a passage is { ${passageKeys.join(", ")} }`);
  }
  rejectUnknownKeys(value, passageKeys, where, "; other data belongs under metadata");
  const { doc_id, chunk_id, score, text, metadata } = value;
  if (typeof doc_id !== "string" || doc_id === "") {
    throw new InvalidOutput(`${where}.doc_id is ${nameOf(doc_id)}; it is a text of one character or more`);
  }
  const passage: { -readonly [Key in keyof Passage]: Passage[Key] } = { doc_id };
  if (isGiven(chunk_id)) {
    passage.chunk_id = fitting(
      chunk_id,
      isNonemptyText,
      where,
      "chunk_id",
      "a text of one character or more",
    );
  }
  if (isGiven(score)) passage.score = fitting(score, isNumber, where, "score", "a finite number");
  if (isGiven(text)) passage.text = fitting(text, isText, where, "text", "a text");
  if (isGiven(metadata)) passage.metadata = fitting(metadata, isJsonObject, where, "metadata", "an object");
  return passage;
}

const isText = (value: Json): value is string => typeof value === "string";
const isNonemptyText = (value: Json): value is string => isText(value) && value !== "";
const isNumber = (value: Json): value is number => typeof value === "number";

/** Of an optional key absent and null both mean that there is none, whatever language the system is written in. */
function isGiven(value: Json | undefined): value is Exclude<Json, null> {
  return value !== undefined && value !== null;
}

function fitting<T extends Json>(
  value: Json,
  fits: (value: Json) => value is T,
  where: string,
  key: string,
  allowed: string,
): T {
  if (fits(value)) return value;
  throw new InvalidOutput(`${where}.${key} is ${nameOf(value)}; it is ${allowed}, or absent`);
}

function rejectUnknownKeys(value: JsonObject, allowed: readonly string[], where: string, advice = ""): void {
  const unknown = Object.keys(value).find((key) => !allowed.includes(key));
  if (unknown !== undefined) {
    throw new InvalidOutput(
      `${where} has the unknown key ${JSON.stringify(unknown)}; its keys are ${allowed.join(", ")}${advice}`,
    );
  }
}

/** Names a value in a message: short values as they are, others by their type. */
function nameOf(value: unknown): string {
  if (value === undefined) return "undefined";
  if (value === null || typeof value === "number" || typeof value === "boolean") return String(value);
  if (typeof value === "string") return value.length <= 40 ? JSON.stringify(value) : "a long text";
  return Array.isArray(value) ? "a list" : typeof value === "object" ? "an object" : `a ${typeof value}`;
}
