import assert from "node:assert/strict";
import { createClient } from "@libsql/client";
import { fileURLToPath, pathToFileURL } from "node:url";
import { OloproofError } from "../../lib/domain/error.ts";
import { openStore, type StoreOptions } from "../../lib/store/open_store.ts";
import { evidenceOf, headerOf, identityFor, readAll, writeRun } from "./run_in_store.ts";
import { tempFolder } from "../temp_folder.ts";

async function temporaryFolder(): Promise<string> {
  return await tempFolder();
}

const write = (path: string) => openStore(path, { mode: "write" });

/** The error with which a store does not open. */
async function faultOf(location: string, options: StoreOptions = { mode: "write" }): Promise<OloproofError> {
  try {
    (await openStore(location, options)).close();
  } catch (cause) {
    assert.ok(cause instanceof OloproofError, String(cause));
    return cause;
  }
  return assert.fail(`${location} was opened`);
}

/** Runs statements on a database file, as another program would. */
async function executeOn(path: string, ...statements: readonly string[]): Promise<void> {
  const client = createClient({ url: pathToFileURL(path).href });
  for (const statement of statements) await client.execute(statement);
  client.close();
}

/** The permissions of a file or folder. */
async function modeOf(path: string): Promise<number> {
  return ((await Deno.stat(path)).mode ?? 0) & 0o777;
}

const isPosix = Deno.build.os !== "windows";

Deno.test({
  name: "openStore: a new store and its folder are for their owner alone, and so is all that lies beside it",
  ignore: !isPosix,
  async fn() {
    const folder = await temporaryFolder();
    const path = `${folder}/made/for/it/store.db`;
    const store = await write(path);
    await writeRun(store, headerOf("run_A"), [{ id: "a", ordinal: 0 }]);
    assert.equal(await modeOf(`${folder}/made`), 0o700);
    assert.equal(await modeOf(`${folder}/made/for/it`), 0o700);
    for await (const { name } of Deno.readDir(`${folder}/made/for/it`)) {
      assert.equal(await modeOf(`${folder}/made/for/it/${name}`), 0o600, name);
    }
    store.close();
  },
});

Deno.test("openStore: what was written is there when the store is opened again, in either mode", async () => {
  const path = `${await temporaryFolder()}/store.db`;
  const store = await write(path);
  const { stored } = await writeRun(store, headerOf("run_A"), [{ id: "a", ordinal: 0 }]);
  store.close();
  for (const mode of ["read", "write"] as const) {
    const again = await openStore(path, { mode });
    assert.deepEqual(await readAll(again, "run_A"), stored);
    again.close();
  }
});

Deno.test("openStore: names with characters that URLs treat specially are names", async () => {
  const folder = await temporaryFolder();
  const path = `${folder}/a b#c?d%20é/my store.db`;
  (await write(path)).close();
  assert.ok((await Deno.stat(path)).isFile);
});

Deno.test("openStore: a finished run stands in the file alone, without the log beside it", async () => {
  const folder = await temporaryFolder();
  const store = await write(`${folder}/store.db`);
  const { stored } = await writeRun(store, headerOf("run_A"), [{ id: "a", ordinal: 0 }]);
  await store.finishRun("run_A", "complete", "2026-09-17T10:01:00.000Z");
  store.close();
  await Deno.copyFile(`${folder}/store.db`, `${folder}/copy.db`);
  const copy = await openStore(`${folder}/copy.db`, { mode: "read" });
  assert.deepEqual(await readAll(copy, "run_A"), stored);
  assert.equal((await copy.listRuns())[0]?.header.status, "complete");
  copy.close();
});

Deno.test("openStore: to read, a store must be there, and none is made", async () => {
  const folder = await temporaryFolder();
  const fault = await faultOf(`${folder}/sub/store.db`, { mode: "read" });
  assert.equal(fault.code, "no_store");
  assert.equal(fault.kind, "configuration");
  assert.equal(fault.where, `${folder}/sub/store.db`);
  assert.match(fault.hint ?? "", /oloproof run/);
  assert.deepEqual(await Array.fromAsync(Deno.readDir(folder)), []);
});

Deno.test("openStore: an empty file becomes a store", async () => {
  const path = `${await temporaryFolder()}/store.db`;
  await Deno.writeTextFile(path, "");
  const store = await write(path);
  assert.equal(await store.beginRun(headerOf("run_A")), 1);
  store.close();
});

Deno.test("openStore: a folder is no store", async () => {
  const folder = await temporaryFolder();
  const fault = await faultOf(folder);
  assert.equal(fault.code, "store_unwritable");
  assert.match(fault.summary, /it is a folder$/);
});

Deno.test({
  name: "openStore: where no store can be made, that is said with the place",
  ignore: Deno.build.os !== "linux",
  async fn() {
    const fault = await faultOf("/proc/no_such_process/store.db");
    assert.equal(fault.code, "store_unwritable");
    assert.equal(fault.kind, "surroundings");
    assert.equal(fault.where, "/proc/no_such_process/store.db");
  },
});

Deno.test("openStore: a file that is no database is refused and left as it is", async () => {
  const path = `${await temporaryFolder()}/notes.txt`;
  const text = "These are my notes, and not a database.\n".repeat(100);
  await Deno.writeTextFile(path, text);
  for (const mode of ["read", "write"] as const) {
    const fault = await faultOf(path, { mode });
    assert.equal(fault.code, "store_damaged");
    assert.equal(fault.where, path);
  }
  assert.equal(await Deno.readTextFile(path), text);
});

Deno.test("openStore: another program's database is refused and left as it is", async () => {
  const path = `${await temporaryFolder()}/bookmarks.db`;
  await executeOn(path, "CREATE TABLE bookmarks (url TEXT)", "INSERT INTO bookmarks VALUES ('a')");
  const before = await Deno.readFile(path);
  for (const mode of ["read", "write"] as const) {
    const fault = await faultOf(path, { mode });
    assert.equal(fault.code, "not_a_store");
    assert.match(fault.summary, /it has a table "bookmarks"/);
  }
  assert.deepEqual(await Deno.readFile(path), before);
});

Deno.test("openStore: a store of a later version is refused", async () => {
  const path = `${await temporaryFolder()}/store.db`;
  (await write(path)).close();
  await executeOn(path, "INSERT INTO schema_versions VALUES (99)");
  const fault = await faultOf(path);
  assert.equal(fault.code, "store_from_the_future");
  assert.match(fault.summary, /it has version 99; this oloproof knows up to \d+$/);
});

Deno.test("openStore: every reference is held, so that no case points to nothing", async () => {
  const path = `${await temporaryFolder()}/store.db`;
  const store = await write(path);
  const number = await store.beginRun(headerOf("run_A"));
  const { batch } = evidenceOf(number, { id: "a", ordinal: 0 });
  await assert.rejects(store.append(number, { ...batch, generations: [] }), (thrown) => {
    assert.ok(thrown instanceof OloproofError);
    assert.match(thrown.summary, /^Cannot write finished cases: /);
    assert.equal(thrown.where, path);
    return true;
  });
  await assert.rejects(store.append(number + 1, batch));
  assert.deepEqual(await readAll(store, "run_A"), []);
  store.close();
});

Deno.test("openStore: two stores on one file write by turns, and each sees what the other wrote", async () => {
  const path = `${await temporaryFolder()}/store.db`;
  const stores = await Promise.all([write(path), write(path)]);
  const numbers = await Promise.all(stores.map((store, index) => store.beginRun(headerOf(`run_${index}`))));
  assert.deepEqual(numbers.toSorted(), [1, 2]);
  const writes = stores.flatMap((store, index) =>
    Array.from({ length: 20 }, (_, ordinal) => {
      const number = numbers[index] ?? 0;
      return store.append(number, evidenceOf(number, { id: `${ordinal}`, ordinal }).batch);
    })
  );
  await Promise.all(writes);
  for (const store of stores) {
    assert.equal((await readAll(store, "run_0")).length, 20);
    assert.equal((await readAll(store, "run_1")).length, 20);
    store.close();
  }
});

Deno.test("openStore: a first run knows what it did not write, until another one begins", async () => {
  const path = `${await temporaryFolder()}/store.db`;
  const [first, other] = [await write(path), await write(path)];
  const [mine, theirs, nobodys] = [identityFor("r 1 a"), identityFor("r 2 a"), identityFor("r 3 a")];
  const number = await first.beginRun(headerOf("run_A"));
  const lacking = () => [mine, theirs, nobodys].map((identity) => first.surelyLacks(identity));
  assert.deepEqual(lacking(), [true, true, true]);
  await first.append(number, evidenceOf(number, { id: "a", ordinal: 0 }).batch);
  assert.deepEqual(lacking(), [false, true, true]);
  const next = await other.beginRun(headerOf("run_B"));
  await other.append(next, evidenceOf(next, { id: "a", ordinal: 0 }).batch);
  assert.deepEqual([mine, theirs, nobodys].map((identity) => other.surelyLacks(identity)), [
    false,
    false,
    false,
  ]);
  await first.append(number, evidenceOf(number, { id: "b", ordinal: 1 }).batch);
  assert.deepEqual(lacking(), [false, false, false]);
  first.close();
  other.close();
});

Deno.test("openStore: a program that may not read the module of the thread writes without one", async () => {
  const path = `${await temporaryFolder()}/store.db`;
  const [program, thread] = ["./write_in_process.ts", "../../lib/store/background_thread.ts"]
    .map((module) => fileURLToPath(new URL(module, import.meta.url)));
  const { code, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "-A",
      `--deny-read=${thread}`,
      "--quiet",
      "--no-check",
      program ?? "",
      path,
      "run_A",
      "3",
      "background",
    ],
    stdout: "piped",
    stderr: "piped",
  }).output();
  assert.deepEqual([code, new TextDecoder().decode(stderr)], [0, ""]);
  const store = await openStore(path, { mode: "read" });
  assert.equal((await store.listRuns())[0]?.finished_cases, 3);
  store.close();
});

Deno.test("openStore: four programs make a store at once and write into it, and nothing is lost", async () => {
  const path = `${await temporaryFolder()}/new/store.db`;
  const program = new URL("./write_in_process.ts", import.meta.url).pathname;
  const ids = ["run_A", "run_B", "run_C", "run_D"];
  const ends = await Promise.all(ids.map((id) =>
    new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", "--quiet", "--no-check", program, path, id, "20"],
      stdout: "piped",
      stderr: "piped",
    }).output()
  ));
  const decoder = new TextDecoder();
  assert.deepEqual(ends.map(({ code, stderr }) => [code, decoder.decode(stderr)]), ids.map(() => [0, ""]));
  const store = await openStore(path, { mode: "read" });
  const runs = (await store.listRuns()).map(({ header, finished_cases }) => [header.run_id, finished_cases]);
  assert.deepEqual(runs.toSorted(), ids.map((id) => [id, 20]));
  store.close();
});

Deno.test("openStore: a credential does not stand in a URL, and is not repeated", async () => {
  for (
    const url of [
      "libsql://db.example?authToken=secret",
      "https://me:secret@db.example/x",
      "http://secret@localhost:1",
    ]
  ) {
    const fault = await faultOf(url);
    assert.equal(fault.code, "store_url_with_token");
    assert.match(fault.hint ?? "", /OLOPROOF_STORE_TOKEN/);
    assert.ok(!JSON.stringify([fault.summary, fault.where, fault.hint]).includes("secret"));
  }
});

Deno.test("openStore: a token crosses no network in the clear", async () => {
  for (
    const url of [
      "http://db.example",
      "http://10.0.0.1:8080",
      "http://localhost.example",
      "libsql://db.example?tls=0",
    ]
  ) {
    const fault = await faultOf(url, { mode: "write", token: "secret" });
    assert.equal(fault.code, "store_token_over_http", url);
    assert.equal(fault.kind, "configuration");
    assert.ok(!JSON.stringify([fault.summary, fault.where, fault.hint]).includes("secret"));
  }
});

Deno.test("openStore: on the machine itself a token may, and who does not answer is named", async () => {
  for (
    const url of ["http://localhost:1", "http://127.0.0.1:1/", "http://[::1]:1", "libsql://localhost:1?tls=0"]
  ) {
    const fault = await faultOf(url, { mode: "write", token: "secret" });
    assert.equal(fault.code, "store_failed", url);
    assert.equal(fault.kind, "surroundings");
    assert.equal(fault.where, url.replace(/\/?(?:\?.*)?$/, ""));
  }
});

Deno.test("openStore: a URL that cannot be read is a mistake of the user's", async () => {
  for (
    const url of [
      "https://",
      "libsql://",
      "http://exa mple",
      "https://[",
      "libsql://me:secret@h:99999999/x?authToken=secret",
    ]
  ) {
    const fault = await faultOf(url);
    assert.equal(fault.code, "invalid_store_url", url);
    assert.equal(fault.kind, "configuration");
    assert.ok(!(fault.where ?? "").includes("secret"), fault.where ?? "no place");
  }
});
