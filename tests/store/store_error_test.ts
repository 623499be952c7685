import assert from "node:assert/strict";
import { OloproofError } from "../../lib/domain/error.ts";
import { storeError } from "../../lib/store/store_error.ts";

const thrown = (code: string, message = "it said something") => Object.assign(new Error(message), { code });

Deno.test("storeError: what SQLite says becomes a code of ours, with place and way out", () => {
  const codes = [
    ["SQLITE_BUSY", "store_locked"],
    ["SQLITE_BUSY_SNAPSHOT", "store_locked"],
    ["SQLITE_FULL", "disk_full"],
    ["SQLITE_READONLY", "store_unwritable"],
    ["SQLITE_READONLY_DBMOVED", "store_unwritable"],
    ["SQLITE_CANTOPEN", "store_unwritable"],
    ["SQLITE_NOTADB", "store_damaged"],
    ["SQLITE_CORRUPT_INDEX", "store_damaged"],
    ["SQLITE_IOERR_WRITE", "store_unwritable"],
  ] as const;
  for (const [code, ours] of codes) {
    const cause = thrown(code);
    const error = storeError("write finished cases", "/a/store.db", cause);
    assert.equal(error.code, ours);
    assert.equal(error.kind, "surroundings");
    assert.equal(error.where, "/a/store.db");
    assert.match(error.summary, /^Cannot write finished cases: \S/);
    assert.ok(error.hint !== undefined);
    assert.equal(error.cause, cause);
  }
});

Deno.test("storeError: the more exact code goes first, and the message serves where there is none", () => {
  const both = Object.assign(thrown("SQLITE_ERROR"), { extendedCode: "SQLITE_FULL" });
  assert.equal(storeError("a", "b", both).code, "disk_full");
  assert.equal(storeError("a", "b", new Error("SQLITE_BUSY: database is locked")).code, "store_locked");
});

Deno.test("storeError: what is unknown is told as it was said", () => {
  for (const cause of [thrown("SQLITE_CONSTRAINT", "not unique"), new Error("not unique"), "not unique"]) {
    const error = storeError("add a run", "b", cause);
    assert.equal(error.code, "store_failed");
    assert.equal(error.summary, "Cannot add a run: not unique");
  }
});

Deno.test("storeError: an error of ours passes through", () => {
  const ours = new OloproofError("a", { code: "not_a_store", kind: "configuration" });
  assert.equal(storeError("b", "c", ours), ours);
});
