/**
 * The floor of a run: what nobody can do without who reads these cases and keeps these rows in libSQL.
 *
 * It reads the case file and parses every line as JSON, and it writes the rows that the run left behind: the same tables with the
 * same indexes and references, the same columns, byte for byte, in one transaction that is durable when it ends (synchronous =
 * FULL). The rows lie ready in memory as text, numbers and hexadecimal digits; no stage is called, nothing is hashed, judged, looked
 * up or counted. What a run writes in batches, because a finished case shall be safe within 0.2 s, is written at once, and without a
 * log beside the file, since a file that is new needs none.
 *
 * It writes through the client that the store is bound to, in the fastest way that we found for that: a statement for 2,000 rows,
 * which reads them out of one JSON text. (SQLite itself, `node:sqlite` with a prepared statement a table and every value ready to be
 * bound, takes about half of it.)
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { createClient, type InStatement, type Row } from "@libsql/client";
import { migrations } from "../lib/store/migrations.ts";

/** In an order in which what is pointed to comes first. */
const TABLES = [
  "runs",
  "evaluator_sets",
  "case_contents",
  "retrievals",
  "generations",
  "judgments",
  "run_cases",
] as const;

/** Rows that one statement writes. */
const CHUNK = 2000;

type Value = string | number | null;

interface Table {
  readonly name: string;
  /** For each column, how its value is taken out of a row of JSON. */
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Value[])[];
}

const clientOf = (path: string) => createClient({ url: pathToFileURL(path).href, concurrency: 1 });

/** Takes the rows of a project's store into memory and answers with the work that is to be measured. */
export async function prepareFloor(folder: string): Promise<() => Promise<void>> {
  const tables = await readTables(join(folder, ".oloproof", "oloproof.db"));
  const copy = join(folder, "floor.db");
  return async () => {
    parseCases(join(folder, "cases.jsonl"));
    await writeTables(copy, tables);
  };
}

async function readTables(path: string): Promise<readonly Table[]> {
  const store = clientOf(path);
  const tables: Table[] = [];
  for (const name of TABLES) {
    const { columns, rows } = await store.execute(`SELECT * FROM ${name}`);
    const [first] = rows;
    tables.push({
      name,
      columns: columns.map((_, at) =>
        first?.[at] instanceof ArrayBuffer ? `unhex(value ->> ${at})` : `value ->> ${at}`
      ),
      rows: rows.map((row) => columns.map((_, at) => valueOf(row[at]))),
    });
  }
  store.close();
  return tables;
}

function valueOf(value: Row[number] | undefined): Value {
  if (value instanceof ArrayBuffer) return new Uint8Array(value).toHex();
  return typeof value === "bigint" || value === undefined ? Number(value) : value;
}

function parseCases(path: string): void {
  for (const line of readFileSync(path, "utf8").split("\n")) {
    if (line !== "") JSON.parse(line);
  }
}

async function writeTables(path: string, tables: readonly Table[]): Promise<void> {
  const copy = clientOf(path);
  await copy.execute("PRAGMA synchronous = FULL");
  await copy.execute("PRAGMA foreign_keys = ON");
  await copy.batch([...migrations.flat(), ...tables.flatMap(statementsOf)], "write");
  copy.close();
}

function statementsOf({ name, columns, rows }: Table): readonly InStatement[] {
  const sql = `INSERT INTO ${name} SELECT ${columns.join(", ")} FROM json_each(?)`;
  return Array.from({ length: Math.ceil(rows.length / CHUNK) }, (_, chunk) => ({
    sql,
    args: [JSON.stringify(rows.slice(chunk * CHUNK, (chunk + 1) * CHUNK))],
  }));
}
