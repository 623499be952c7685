/** Rows as the store reads them, and the nouns that they become. */
import type { Row } from "@libsql/client";
import type { JudgeCallEntry } from "../domain/judge.ts";
import type { Json } from "../domain/json.ts";
import type { Passage, Retrieval } from "../domain/passage.ts";
import {
  type CaseContent,
  type CaseOutcomes,
  ENTRIES_PER_RUN,
  type StoredDocument,
} from "../domain/ports.ts";
import type { StageCost, StageFailure } from "../domain/record.ts";
import type { ExecutionEntry, JudgeCallCount, RunHeader, RunStatus, StoredCase } from "../domain/run.ts";
import { isIdentity } from "./identity_index.ts";
import { hexadecimal, jsonRow, parsed, quoted, valuesOf } from "./json_row.ts";
import {
  decodeAssembly,
  decodeCache,
  decodeJudgments,
  type KeptAssembly,
  type KeptJudgments,
} from "./row_codec.ts";
import { parseStored } from "./stored_json.ts";

/** What {@link storedCaseOf} reads, in its order. */
const storedCaseParts = [
  quoted("c.ordinal"),
  quoted("c.repeat"),
  quoted("c.retrieval"),
  quoted("c.case_id"),
  parsed("k.content"),
  parsed("c.assembly"),
  parsed("c.error"),
  quoted("c.cache"),
  parsed("c.judge_calls"),
  parsed("r.content"),
  parsed("r.cost"),
  parsed("g.content"),
  parsed("g.cost"),
  parsed("j.content"),
] as const;

type StoredCaseValues = readonly [
  ordinal: number,
  repeat: number,
  retrieval_id: number | null,
  case_id: string,
  content: CaseContent,
  assembly: KeptAssembly | null,
  error: StageFailure | null,
  cache: string,
  judge_calls: JudgeCallCount | null,
  retrieval: Retrieval | null,
  retrieval_cost: StageCost | null,
  output: Json,
  generation_cost: StageCost | null,
  judgments: KeptJudgments,
];

/** The one column that {@link storedCaseOf} reads. */
export const storedCaseColumn = `${jsonRow(storedCaseParts)} AS row`;

/** Finished cases, each with everything that its row points to. */
export const storedCaseTables = `run_cases AS c JOIN case_contents AS k ON k.digest = c.case_digest
   LEFT JOIN retrievals AS r ON r.id = c.retrieval LEFT JOIN generations AS g ON g.id = c.generation
   JOIN judgments AS j ON j.id = c.judgments`;

/** The finished cases of one run (its id is the first argument). */
export const storedCaseSql = `SELECT ${storedCaseColumn} FROM ${storedCaseTables}
   WHERE c.run = (SELECT number FROM runs WHERE run_id = ?)`;

const outcomesParts = [
  quoted("c.ordinal"),
  quoted("c.repeat"),
  quoted("c.case_id"),
  hexadecimal("c.case_digest"),
  parsed("j.content"),
] as const;

type OutcomesValues = readonly [
  ordinal: number,
  repeat: number,
  case_id: string,
  case_digest: string,
  judgments: KeptJudgments,
];

/** A page of a run's outcomes after a place: what is read when only verdicts matter. */
export const outcomesSql = `SELECT ${jsonRow(outcomesParts)} AS row
   FROM run_cases AS c JOIN judgments AS j ON j.id = c.judgments
   WHERE c.run = (SELECT number FROM runs WHERE run_id = ?) AND (c.ordinal, c.repeat) > (?, ?)
   ORDER BY c.ordinal, c.repeat LIMIT ?`;

/** Outcomes, and the place of their case. */
export function outcomesOf(row: Row): CaseOutcomes & { readonly ordinal: number } {
  const [ordinal, repeat, case_id, case_digest, judgments] = valuesOf<OutcomesValues>(row, outcomesParts);
  return { ordinal, repeat, case_id, case_digest, judgments: decodeJudgments(judgments) };
}

/** The newest entry under each of the wanted identities, among those with ids from the second argument to the third. */
export function newestSql(table: "retrievals" | "generations"): string {
  return `SELECT id, lower(hex(identity)) AS identity, content, cost FROM ${table} WHERE id IN
    (SELECT max(e.id) FROM json_each(?) AS wanted
     JOIN ${table} AS e ON ${isIdentity("e.identity", "unhex(wanted.value)")} AND e.id BETWEEN ? AND ?
     GROUP BY e.identity)`;
}

/** The ids of a run's entries, or of all entries: the first and the last. */
export function idsOf(run_number: number | undefined): readonly [number, number] {
  if (run_number === undefined) return [0, Number.MAX_SAFE_INTEGER];
  return [run_number * ENTRIES_PER_RUN, (run_number + 1) * ENTRIES_PER_RUN - 1];
}

/** A column that the schema declares as text. */
export function text(value: unknown): string {
  if (typeof value !== "string") throw new TypeError(`expected a text column, found ${typeof value}`);
  return value;
}

/** A retrieval or generation; `content` is its JSON text. */
export function entryOf(row: Row) {
  return {
    id: Number(row.id),
    identity: text(row.identity),
    content: text(row.content),
    cost: parseStored(text(row.cost)) as StageCost,
  };
}

const executionParts = [
  hexadecimal("c.execution"),
  parsed("c.assembly"),
  quoted("r.id"),
  hexadecimal("r.identity"),
  parsed("r.content"),
  parsed("r.cost"),
  quoted("g.id"),
  hexadecimal("g.identity"),
  parsed("g.content"),
  parsed("g.cost"),
] as const;

type ExecutionValues = readonly [
  execution: string,
  assembly: KeptAssembly | null,
  ...retrieval: [id: number | null, identity: string, retrieval: Retrieval, cost: StageCost],
  ...generation: [id: number, identity: string, output: Json, cost: StageCost],
];

/** The newest complete execution under each of the wanted identities, of the run of the second argument where that is not null. */
export const executionsSql = `SELECT ${jsonRow(executionParts)} AS row
   FROM json_each(?) AS wanted
   JOIN run_cases AS c ON ${isIdentity("c.execution", "unhex(wanted.value)")} AND c.error IS NULL AND c.run =
     (SELECT max(run) FROM run_cases WHERE ${isIdentity("execution", "unhex(wanted.value)")} AND error IS NULL
        AND run = coalesce(?, run))
   JOIN generations AS g ON g.id = c.generation LEFT JOIN retrievals AS r ON r.id = c.retrieval`;

/** A complete execution with the entries that it points to, under its identity. */
export function executionOf(row: Row): readonly [identity: string, execution: ExecutionEntry] {
  const [execution, assembly, retrieval_id, retrieval_identity, retrieval, retrieval_cost, ...generation] =
    valuesOf<ExecutionValues>(row, executionParts);
  const [id, identity, output, cost] = generation;
  return [execution, {
    ...(retrieval_id === null
      ? {}
      : { retrieval: { id: retrieval_id, identity: retrieval_identity, retrieval, cost: retrieval_cost } }),
    ...(assembly === null ? {} : { assembly: decodeAssembly(assembly, retrieval?.candidates ?? []) }),
    generation: { id, identity, output, cost },
  }];
}

/** A finished case, whole. */
export function storedCaseOf(row: Row): StoredCase {
  const [
    ordinal,
    repeat,
    retrieval_id,
    case_id,
    content,
    assembly,
    error,
    cache,
    judge_calls,
    retrieval,
    retrieval_cost,
    output,
    generation_cost,
    judgments,
  ] = valuesOf<StoredCaseValues>(row, storedCaseParts);
  return {
    ordinal,
    repeat,
    ...(retrieval_id === null ? {} : { retrieval_id }),
    record: {
      case: { id: case_id, ...content },
      ...retrieval,
      ...(assembly === null ? {} : assemblyOf(assembly, retrieval?.candidates)),
      // An output may be null: that there is one is told by what it cost.
      ...(generation_cost === null ? {} : { output }),
      ...(error === null ? {} : { error }),
    },
    judgments: decodeJudgments(judgments),
    cache: decodeCache(cache),
    ...(judge_calls === null ? {} : { judge_calls }),
    costs: {
      ...(retrieval_cost === null ? {} : { retrieve: retrieval_cost }),
      ...(generation_cost === null ? {} : { generate: generation_cost }),
    },
  };
}

/** An assembly as a record tells it: without candidates nothing is known of what was dropped. */
function assemblyOf(assembly: KeptAssembly, candidates: readonly Passage[] | undefined) {
  const decoded = decodeAssembly(assembly, candidates ?? []);
  return candidates === undefined ? { context: decoded.context } : decoded;
}

/** A run as the runs table holds it. */
export function headerOf(row: Row): RunHeader {
  const forgotten_cases = Number(row.forgotten);
  return {
    ...parseStored<RunHeader>(text(row.header)),
    status: text(row.status) as RunStatus,
    ...(row.finished_at === null ? {} : { finished_at: text(row.finished_at) }),
    ...(forgotten_cases === 0 ? {} : { forgotten_cases }),
  };
}

/** A stored document. */
export function documentOf(row: Row): StoredDocument {
  const named = { id: text(row.id), run_id: text(row.run_id), question: text(row.question) };
  const [content, beside] = [text(row.content), text(row.beside)];
  const kind = text(row.kind) as StoredDocument["kind"];
  switch (kind) {
    case "comparison":
      return { ...named, kind, content: parseStored(content), beside: parseStored(beside) };
    case "sweep":
      return { ...named, kind, content: parseStored(content), beside: parseStored(beside) };
    case "calibration":
      return { ...named, kind, content: parseStored(content), beside: parseStored(beside) };
    case "diagnosis":
      return { ...named, kind, content: parseStored(content), beside: parseStored(beside) };
  }
}

/** A remembered verdict of a judge. */
export function judgeCallOf(row: Row): JudgeCallEntry {
  return {
    identity: text(row.identity),
    record: text(row.record),
    verdict: parseStored(text(row.verdict)),
    ...(row.run_id === null ? {} : { run_id: text(row.run_id) }),
    ...(row.usage === null ? {} : { usage: parseStored(text(row.usage)) }),
  };
}
