/** The trail of a case: its row, the entries that it points to with their identities, and the runs that made them. */
import type { Row } from "@libsql/client";
import { ENTRIES_PER_RUN } from "../domain/ports.ts";
import type { EntryTrace, TracedCase } from "../domain/run.ts";
import { headerOf, storedCaseColumn, storedCaseOf, storedCaseTables, text } from "./rows.ts";
import { parseStored } from "./stored_json.ts";

const maker = (id: string) => `(SELECT run_id FROM runs WHERE number = ${id} / ${ENTRIES_PER_RUN})`;

const tracedCases = `SELECT ${storedCaseColumn}, n.run_id, n.status, n.finished_at, n.forgotten, n.header,
     lower(hex(c.execution)) AS execution, r.id AS retrieval, lower(hex(r.identity)) AS retrieval_identity, ${
  maker("r.id")
} AS retrieval_run,
     g.id AS generation, lower(hex(g.identity)) AS generation_identity, ${maker("g.id")} AS generation_run,
     lower(hex(j.record)) AS record, c.ordinal, c.repeat, ${maker("j.id")} AS judgments_run, s.evaluators
   FROM ${storedCaseTables} JOIN runs AS n ON n.number = c.run
   JOIN evaluator_sets AS s ON s.number = j.evaluator_set`;

/** One case of a run; arguments: run id, case id. */
export const tracedCaseSql = `${tracedCases} WHERE n.run_id = ? AND c.case_id = ? ORDER BY c.repeat LIMIT 1`;

/** The contents of cases with an input; argument: its canonical JSON, which is how contents are written. */
export const contentsOfInputSql =
  "SELECT lower(hex(digest)) AS digest FROM case_contents WHERE content -> '$.input' = ?";

const pageOf = (condition: string) =>
  `${tracedCases} WHERE n.kind = 'run' AND c.case_digest IN (SELECT unhex(value) FROM json_each(?1)) AND ${condition}
   ORDER BY c.run DESC, c.ordinal, c.repeat LIMIT 50`;
const number = "(SELECT number FROM runs WHERE run_id = ?2)";

/** Cases with one of the contents, a page at a time; arguments: digests as JSON, then run id, ordinal and repeat of the last. */
export const tracedInputSql = {
  first: pageOf(`c.run < ${number} AND ?3 = ?4`),
  next: pageOf(`(c.run < ${number} OR (c.run = ${number} AND (c.ordinal, c.repeat) > (?3, ?4)))`),
};

/** A traced case. */
export function tracedCaseOf(row: Row): TracedCase {
  return {
    run: headerOf(row),
    stored: storedCaseOf(row),
    execution: text(row.execution),
    ...(row.retrieval === null ? {} : { retrieval: traceOf(row.retrieval_identity, row.retrieval_run) }),
    ...(row.generation === null ? {} : { generation: traceOf(row.generation_identity, row.generation_run) }),
    judged: { ...traceOf(row.record, row.judgments_run), evaluators: parseStored(text(row.evaluators)) },
  };
}

function traceOf(identity: unknown, run: unknown): EntryTrace {
  return { identity: text(identity), made_by: run === null ? null : text(run) };
}
