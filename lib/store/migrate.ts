/** Brings a store to the current schema, however many processes open it at once. */
import type { Client } from "@libsql/client";
import { OloproofError } from "../domain/error.ts";
import { migrations } from "./migrations.ts";

/**
 * Applies the steps that the store lacks, each in one transaction with the record of it.
 *
 * @throws {OloproofError} `store_from_the_future` for a store of a newer version, `not_a_store` for another program's database.
 */
export async function migrate(client: Client, place: string): Promise<void> {
  for (;;) {
    const version = await schemaVersion(client, place);
    if (version === migrations.length) return;
    if (version > migrations.length) {
      throw new OloproofError(
        `Cannot open the store: it has version ${version}; this oloproof knows up to ${migrations.length}`,
        {
          code: "store_from_the_future",
          kind: "surroundings",
          where: place,
          hint: "install the newer oloproof, or choose another store with --store",
        },
      );
    }
    try {
      await client.batch([
        "CREATE TABLE IF NOT EXISTS schema_versions (version INTEGER PRIMARY KEY) STRICT",
        { sql: "INSERT INTO schema_versions VALUES (?)", args: [version + 1] },
        ...(migrations[version] ?? []),
      ], "write");
    } catch (cause) {
      // Another process may have made this very step between our look and our lock; then there is nothing left to do.
      if (await schemaVersion(client, place) === version) throw cause;
    }
  }
}

/**
 * The version of a store's schema; 0 for an empty database. Only reads.
 *
 * @throws {OloproofError} `not_a_store` for another program's database.
 */
export async function schemaVersion(client: Client, place: string): Promise<number> {
  const tables = (await client.execute("SELECT name FROM sqlite_master WHERE type = 'table'")).rows;
  if (tables.some((row) => row.name === "schema_versions")) {
    const [row] = (await client.execute("SELECT max(version) AS version FROM schema_versions")).rows;
    return Number(row?.version);
  }
  const foreign = tables.map((row) => String(row.name)).find((name) =>
    !/^(sqlite|libsql|_litestream)_/.test(name)
  );
  if (foreign === undefined) return 0;
  throw new OloproofError(
    `Cannot open the store: it is a database of another program (it has a table "${foreign}")`,
    {
      code: "not_a_store",
      kind: "configuration",
      where: place,
      hint: "choose another file with --store or the project's store: key",
    },
  );
}
