/** Look-ups whose answers are too large for one text: the driver would take the process with it. */
import assert from "node:assert/strict";
import { createClient } from "@libsql/client";
import { openStore } from "../../lib/store/open_store.ts";
import { pageOf, pageSql } from "../../lib/store/rows.ts";
import { isTooLarge } from "../../lib/store/store_error.ts";
import { tempFolder } from "../temp_folder.ts";
import { evidenceOf, headerOf, identityFor, joinBatches } from "./run_in_store.ts";

Deno.test("a page is read up to 100 MB; a larger one is none, and from a gigabyte on the database says so", async () => {
  const client = createClient({ url: ":memory:" });
  const ask = async (bytes: number) => {
    const sql = `SELECT hex(zeroblob(${bytes / 2})) AS found UNION ALL SELECT 'small'`;
    return pageOf((await client.execute(pageSql(["found"], sql))).rows[0]);
  };
  const page = await ask(90_000_000);
  assert.deepEqual(page?.map(({ found }) => String(found).length), [90_000_000, 5]);
  assert.equal(await ask(110_000_000), undefined);
  await assert.rejects(ask(1_000_000_000), isTooLarge);
  client.close();
});

Deno.test("answers that are too large for one page come in several", async () => {
  const store = await openStore(`${await tempFolder()}/store.db`, { mode: "write" });
  const run = await store.beginRun(headerOf("run_1"));
  const ids = ["a", "b", "c", "d"];
  const outputOf = (id: string) => id === "b" ? "small" : id.repeat(40_000_000);
  const evidence = ids.map((id, ordinal) => evidenceOf(run, { id, ordinal, output: outputOf(id) }).batch);
  await store.append(run, joinBatches(evidence));
  const found = await store.findGenerations(ids.map((id) => identityFor(`g ${run} ${id}`)));
  assert.equal(found.size, 4);
  for (const id of ids) assert.ok(found.get(identityFor(`g ${run} ${id}`))?.output === outputOf(id), id);
  store.close();
});
