/** Rows as the store reads them, and the nouns that they become. */
import type { Row } from "@libsql/client";
import type { JudgeCallEntry } from "../domain/judge.ts";
import type { Passage, Retrieval } from "../domain/passage.ts";
import {
  type CaseContent,
  type CaseOutcomes,
  ENTRIES_PER_RUN,
  type StoredDocument,
} from "../domain/ports.ts";
import type { StageCost } from "../domain/record.ts";
import type { ExecutionEntry, RunHeader, RunStatus, StoredCase } from "../domain/run.ts";
import { decodeAssembly, decodeCache, decodeJudgments } from "./row_codec.ts";
import { parseStored } from "./stored_json.ts";

/** The columns that {@link storedCaseOf} reads. */
export const storedCaseColumns =
  `c.ordinal, c.repeat, c.retrieval AS retrieval_id, c.case_id, k.content AS case_content, c.assembly, c.error, c.cache, c.judge_calls,
     r.content AS retrieval, r.cost AS retrieval_cost, g.content AS generation, g.cost AS generation_cost,
     j.content AS judgments`;

/** Finished cases, each with everything that its row points to. */
export const storedCaseTables = `run_cases AS c JOIN case_contents AS k ON k.digest = c.case_digest
   LEFT JOIN retrievals AS r ON r.id = c.retrieval LEFT JOIN generations AS g ON g.id = c.generation
   JOIN judgments AS j ON j.id = c.judgments`;

/** The finished cases of one run (its id is the first argument). */
export const storedCaseSql = `SELECT ${storedCaseColumns} FROM ${storedCaseTables}
   WHERE c.run = (SELECT number FROM runs WHERE run_id = ?)`;

/**
 * A page of a run's outcomes after a place, as one JSON text: what is read when only verdicts matter. One row of many cases is read
 * several times faster than many rows.
 */
export const outcomesSql =
  `SELECT json_group_array(json_array(ordinal, repeat, case_id, digest, content)) AS page FROM (
   SELECT c.ordinal, c.repeat, c.case_id, lower(hex(c.case_digest)) AS digest, j.content
   FROM run_cases AS c JOIN judgments AS j ON j.id = c.judgments
   WHERE c.run = (SELECT number FROM runs WHERE run_id = ?) AND (c.ordinal, c.repeat) > (?, ?)
   ORDER BY c.ordinal, c.repeat LIMIT ?)`;

/** A page of outcomes, and the place of each. */
export function outcomesOf(row: Row | undefined): readonly (CaseOutcomes & { readonly ordinal: number })[] {
  const page: [number, number, string, string, string][] = row === undefined
    ? []
    : parseStored(text(row.page));
  return page.map(([ordinal, repeat, case_id, case_digest, content]) => ({
    ordinal,
    repeat,
    case_id,
    case_digest,
    judgments: decodeJudgments(content),
  }));
}

/** The newest entry under each of the wanted identities, among those with ids from the second argument to the third. */
export function newestSql(table: "retrievals" | "generations"): string {
  return `SELECT id, lower(hex(identity)) AS identity, content, cost FROM ${table} WHERE id IN
    (SELECT max(id) FROM ${table} WHERE identity IN (SELECT unhex(value) FROM json_each(?)) AND id BETWEEN ? AND ?
     GROUP BY identity)`;
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

/** A complete execution with the entries that it points to. */
export function executionOf(row: Row): ExecutionEntry {
  const retrieval = row.retrieval === null ? undefined : parseStored<Retrieval>(text(row.retrieval));
  return {
    ...(retrieval === undefined ? {} : {
      retrieval: {
        id: Number(row.retrieval_id),
        identity: text(row.retrieval_identity),
        retrieval,
        cost: parseStored(text(row.retrieval_cost)),
      },
    }),
    ...(row.assembly === null
      ? {}
      : { assembly: decodeAssembly(text(row.assembly), retrieval?.candidates ?? []) }),
    generation: {
      id: Number(row.generation_id),
      identity: text(row.generation_identity),
      output: parseStored(text(row.generation)),
      cost: parseStored(text(row.generation_cost)),
    },
  };
}

/** A finished case, whole. */
export function storedCaseOf(row: Row): StoredCase {
  const content: CaseContent = parseStored(text(row.case_content));
  const retrieval = row.retrieval === null ? undefined : parseStored<Retrieval>(text(row.retrieval));
  return {
    ordinal: Number(row.ordinal),
    repeat: Number(row.repeat),
    ...(row.retrieval_id === null ? {} : { retrieval_id: Number(row.retrieval_id) }),
    record: {
      case: { id: text(row.case_id), ...content },
      ...retrieval,
      ...(row.assembly === null ? {} : assemblyOf(text(row.assembly), retrieval?.candidates)),
      ...(row.generation === null ? {} : { output: parseStored(text(row.generation)) }),
      ...(row.error === null ? {} : { error: parseStored(text(row.error)) }),
    },
    judgments: decodeJudgments(text(row.judgments)),
    cache: decodeCache(text(row.cache)),
    ...(row.judge_calls === null ? {} : { judge_calls: parseStored(text(row.judge_calls)) }),
    costs: {
      ...(row.retrieval_cost === null ? {} : { retrieve: parseStored(text(row.retrieval_cost)) }),
      ...(row.generation_cost === null ? {} : { generate: parseStored(text(row.generation_cost)) }),
    },
  };
}

/** An assembly as a record tells it: without candidates nothing is known of what was dropped. */
function assemblyOf(assembly: string, candidates: readonly Passage[] | undefined) {
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
