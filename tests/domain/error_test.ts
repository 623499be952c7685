import assert from "node:assert/strict";
import fc from "fast-check";
import { compareText, issuesError, messageOf, OloproofError, placeOf } from "../../lib/domain/error.ts";

const issue = (file: string, line?: number, column?: number) => ({
  code: "wrong_value",
  message: "it is wrong",
  file,
  ...(line === undefined ? {} : { line }),
  ...(column === undefined ? {} : { column }),
});

Deno.test("OloproofError: what is not said is undefined, and the issues are none", () => {
  const error = new OloproofError("Cannot do it", { code: "no_way", kind: "surroundings" });
  assert.deepEqual(
    [error.name, error.summary, error.code, error.kind, error.where, error.hint, error.issues],
    ["OloproofError", "Cannot do it", "no_way", "surroundings", undefined, undefined, []],
  );
  assert.ok(!("cause" in error));
  assert.ok(error instanceof Error);
});

Deno.test("OloproofError: the cause is kept, an undefined one too", () => {
  const cause = new RangeError("far");
  const parts = { code: "a", kind: "configuration" } as const;
  assert.equal(new OloproofError("b", { ...parts, cause }).cause, cause);
  assert.ok("cause" in new OloproofError("b", { ...parts, cause: undefined }));
});

Deno.test("OloproofError: whoever prints the message alone reads place and hint, or every mistake", () => {
  const parts = { code: "a", kind: "configuration" } as const;
  assert.equal(new OloproofError("Cannot do it", parts).message, "Cannot do it");
  assert.equal(
    new OloproofError("Cannot do it", { ...parts, where: "app.ts", hint: "try again" }).message,
    "Cannot do it\n  at app.ts\n  hint: try again",
  );
  const issues = [issue("a", 3, 1), { ...issue("b"), hint: "did you mean c?" }];
  assert.equal(
    new OloproofError("Cannot read it", { ...parts, where: "a:3:1", issues }).message,
    "Cannot read it\n  a:3:1: it is wrong\n  b: it is wrong (did you mean c?)",
  );
});

Deno.test("issuesError: a search that was given up says so", () => {
  assert.equal(
    issuesError("Cannot read it", [issue("a"), issue("b")], false).summary,
    "Cannot read it: the first 2 mistakes",
  );
});

Deno.test("issuesError: issues are sorted by file, line and column, the given list is left alone", () => {
  const given = [issue("b", 1, 1), issue("a", 10, 1), issue("a", 2, 9), issue("a", 2, 3), issue("a")];
  const error = issuesError("Cannot read it", given);
  assert.deepEqual(error.issues.map(placeOf), ["a", "a:2:3", "a:2:9", "a:10:1", "b:1:1"]);
  assert.equal(given[0]?.file, "b");
  assert.equal(error.summary, "Cannot read it: 5 mistakes");
  assert.equal(error.code, "invalid_project");
  assert.equal(error.kind, "configuration");
  assert.equal(error.where, "a");
});

Deno.test("issuesError: a single mistake gives its own code", () => {
  const error = issuesError("Cannot read it", [issue("a", 3)]);
  assert.equal(error.summary, "Cannot read it: 1 mistake");
  assert.equal(error.code, "wrong_value");
  assert.equal(error.where, "a:3");
});

Deno.test("compareText: code units decide, in one order for every language", () => {
  assert.deepEqual(["ä", "z", "a", "Z", "10", "9", ""].toSorted(compareText), [
    "",
    "10",
    "9",
    "Z",
    "a",
    "z",
    "ä",
  ]);
  fc.assert(
    fc.property(fc.string(), fc.string(), (a, b) => {
      assert.equal(compareText(a, b), -compareText(b, a) + 0);
      assert.equal(compareText(a, b) === 0, a === b);
    }),
    { seed: 1 },
  );
});

Deno.test("messageOf: errors, objects with a message, and values", () => {
  assert.equal(messageOf(new Error("no answer")), "no answer");
  assert.equal(messageOf(new RangeError("")), "RangeError");
  assert.equal(messageOf({ message: "rate limit", status: 429 }), "rate limit");
  assert.equal(messageOf("text"), "text");
  assert.equal(messageOf(undefined), "undefined");
  assert.equal(messageOf(Symbol("s")), "Symbol(s)");
  assert.equal(messageOf({ a: 1 }), "[object Object]");
});

Deno.test("messageOf: whatever is thrown, it is answered with a text", () => {
  const hostile = [
    Object.create(null),
    { toString: () => assert.fail() },
    Object.assign(new Error("a"), { message: { nested: true } }),
    {
      get message() {
        throw new Error("from the getter");
      },
    },
    Object.assign(Object.create(null), { message: 7 }),
  ];
  for (const thrown of hostile) {
    const message: unknown = messageOf(thrown);
    assert.ok(typeof message === "string" && message !== "");
  }
});
