/** Stores that were cut, overwritten or locked: each is told, none is taken for another, and what is whole stays readable. */
import assert from "node:assert/strict";
import { createClient } from "@libsql/client";
import { pathToFileURL } from "node:url";
import { OloproofError } from "../../lib/domain/error.ts";
import type { Store } from "../../lib/domain/ports.ts";
import { openStore } from "../../lib/store/open_store.ts";
import { tempFolder } from "../temp_folder.ts";
import { evidenceOf, headerOf, joinBatches, readAll, writeRun } from "./run_in_store.ts";

const CASES = 60;

/** A store of one finished run, as bytes, with nothing left in its log. */
async function wholeStore(): Promise<Uint8Array<ArrayBuffer>> {
  const path = `${await tempFolder()}/whole.db`;
  const store = await openStore(path, { mode: "write" });
  const cases = Array.from({ length: CASES }, (_, ordinal) => ({ id: `case ${ordinal}`, ordinal }));
  await writeRun(store, headerOf("run_A"), cases);
  await store.finishRun("run_A", "complete", "2026-09-17T10:01:00.000Z");
  store.close();
  return await Deno.readFile(path);
}

/** What reading everything comes to: the number of cases, or the code of the error. */
async function readingOf(path: string, mode: "read" | "write" = "read"): Promise<number | string> {
  let store: Store | undefined;
  try {
    store = await openStore(path, { mode, busy_timeout_ms: 50 });
    await store.listRuns();
    await store.stats();
    await store.readCase("run_A", "case 3");
    return (await readAll(store, "run_A")).length;
  } catch (cause) {
    assert.ok(cause instanceof OloproofError, `${cause}`);
    assert.equal(cause.kind, "surroundings");
    assert.ok(cause.hint !== undefined);
    return cause.code;
  } finally {
    store?.close();
  }
}

Deno.test("a file that was cut is told as damaged and left as it is, wherever it was cut", async () => {
  const whole = await wholeStore();
  assert.equal(whole.length % 4096, 0);
  const folder = await tempFolder();
  // Within the header, within the first page, at the ends of pages, in the middle of one, a page short.
  const cuts = [
    16,
    50,
    99,
    100,
    101,
    1000,
    4095,
    4096,
    4097,
    8192,
    20_000,
    whole.length / 2,
    whole.length - 4096,
  ];
  for (const cut of cuts) {
    const path = `${folder}/cut ${cut}.db`;
    const bytes = whole.slice(0, cut);
    await Deno.writeFile(path, bytes);
    for (const mode of ["read", "write"] as const) {
      assert.equal(await readingOf(path, mode), "store_damaged", `cut at ${cut}`);
    }
    assert.deepEqual(await Deno.readFile(path), bytes);
  }
});

Deno.test("a file that was overwritten in places is told as damaged, or read as far as it is whole", async () => {
  const whole = await wholeStore();
  const folder = await tempFolder();
  const outcomes = new Map<number | string, number>();
  for (let at = 0; at < whole.length; at += 2048 + 512) {
    const path = `${folder}/${at}.db`;
    const bytes = whole.slice();
    bytes.fill(0xa5, at, at + 300);
    await Deno.writeFile(path, bytes);
    const reading = await readingOf(path);
    outcomes.set(reading, (outcomes.get(reading) ?? 0) + 1);
  }
  // No other error. That a row is gone shows in the number of cases, which the run knows.
  assert.deepEqual(
    [...outcomes.keys()].filter((one) => one !== "store_damaged" && typeof one !== "number"),
    [],
  );
  assert.ok((outcomes.get("store_damaged") ?? 0) > 5);
});

Deno.test("a log that was cut costs what it held, and nothing of what is in the file", async () => {
  const folder = await tempFolder();
  const store = await openStore(`${folder}/store.db`, { mode: "write" });
  const number = await store.beginRun(headerOf("run_A"));
  const batch = (from: number) =>
    joinBatches(
      Array.from({ length: 10 }, (_, index) =>
        evidenceOf(number, { id: `case ${from + index}`, ordinal: from + index }).batch),
    );
  await store.append(number, batch(0));
  // Writes the log back into the file, and leaves it.
  await store.finishRun("run_A", "complete", "2026-09-17T10:01:00.000Z");
  for (const from of [10, 20, 30]) await store.append(number, batch(from));
  const [file, log] = [
    await Deno.readFile(`${folder}/store.db`),
    await Deno.readFile(`${folder}/store.db-wal`),
  ];
  store.close();
  const readings: number[] = [];
  for (let cut = log.length; cut >= 0; cut = cut === 0 ? -1 : Math.max(0, cut - 3000)) {
    const path = `${folder}/cut ${cut}.db`;
    await Deno.writeFile(path, file);
    await Deno.writeFile(`${path}-wal`, log.slice(0, cut));
    const reading = await readingOf(path);
    assert.ok(typeof reading === "number", `${reading}`);
    readings.push(reading);
  }
  // Whole batches, the later ones first to go.
  assert.deepEqual([...new Set(readings)], [40, 30, 20, 10]);
  assert.deepEqual(readings, readings.toSorted((a, b) => b - a));
});

Deno.test("a text in the store that is no JSON any more is damage, not a fault of the program", async () => {
  const columns = [
    ["runs", "header"],
    ["case_contents", "content"],
    ["retrievals", "content"],
    ["generations", "cost"],
    ["judgments", "content"],
  ] as const;
  const whole = await wholeStore();
  const folder = await tempFolder();
  for (const [table, column] of columns) {
    const path = `${folder}/${table}.db`;
    await Deno.writeFile(path, whole);
    const client = createClient({ url: pathToFileURL(path).href });
    await client.execute(`UPDATE ${table} SET ${column} = '{"a":'`);
    client.close();
    assert.equal(await readingOf(path), "store_damaged", table);
    const store = await openStore(path, { mode: "read" });
    const question = Array.fromAsync(store.traceInput("x", "run_A"));
    if (table === "case_contents") await assert.rejects(question, { code: "store_damaged" });
    else assert.deepEqual(await question, []);
    store.close();
  }
});

/** Holds a lock on a store for as long as the work takes, as another program would. */
async function whileLocked(path: string, begin: string, work: () => Promise<void>): Promise<void> {
  const client = createClient({ url: pathToFileURL(path).href });
  const transaction = await client.transaction("deferred");
  await transaction.executeMultiple(`COMMIT; ${begin}`);
  try {
    await work();
  } finally {
    transaction.close();
    client.close();
  }
}

Deno.test("a store that another program has locked is told after the wait, and goes on afterwards", async () => {
  const path = `${await tempFolder()}/store.db`;
  await Deno.writeFile(path, await wholeStore());
  const store = await openStore(path, { mode: "write", busy_timeout_ms: 50 });
  const fault = { code: "store_locked", kind: "surroundings", where: path };
  await whileLocked(path, "BEGIN EXCLUSIVE", async () => {
    await assert.rejects(store.beginRun(headerOf("run_B")), fault);
    await assert.rejects(store.append(1, evidenceOf(1, { id: "z", ordinal: 99 }).batch), fault);
    await assert.rejects(store.finishRun("run_A", "interrupted", "2026-09-17T10:01:00.000Z"), fault);
    await assert.rejects(store.erase({ what: "runs", run_ids: ["run_A"] }), fault);
    // Reading goes on beside a writer.
    assert.equal((await readAll(store, "run_A")).length, CASES);
    assert.equal(await readingOf(path, "write"), CASES);
  });
  const after = await openStore(path, { mode: "write", busy_timeout_ms: 50 });
  const [run] = await after.listRuns();
  assert.deepEqual([run?.header.run_id, run?.header.status], ["run_A", "complete"]);
  await after.append(1, evidenceOf(1, { id: "z", ordinal: 99 }).batch);
  assert.equal((await readAll(after, "run_A")).length, CASES + 1);
  after.close();
  store.close();
});

Deno.test("a store that is being made by a program which does not get on is told as locked, in either mode", async () => {
  const path = `${await tempFolder()}/store.db`;
  await Deno.writeTextFile(path, "");
  await whileLocked(path, "BEGIN EXCLUSIVE", async () => {
    assert.equal(await readingOf(path, "write"), "store_locked");
    assert.equal(await readingOf(path, "read"), "store_locked");
  });
  assert.equal(await readingOf(path, "write"), 0);
});
