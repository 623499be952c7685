import assert from "node:assert/strict";
import { createPatterns } from "../../lib/system/patterns.ts";

const patterns = createPatterns();

/** What a pattern finds; it must be done. */
function find(pattern: string, flags: string, text: string, which: "first" | "all" = "all") {
  const result = patterns.find(pattern, flags, text, which);
  assert.equal(result.status, "done");
  return result.status === "done" ? result.matches : [];
}

Deno.test("patterns: all matches with their groups, or the first alone", () => {
  assert.deepEqual(find("\\[(\\w+)\\]", "", "see [a] and [b]"), [["[a]", "a"], ["[b]", "b"]]);
  assert.deepEqual(find("\\[(\\w+)\\]", "", "see [a] and [b]", "first"), [["[a]", "a"]]);
  assert.deepEqual(find("z", "", "see [a]"), []);
});

Deno.test("patterns: a group that took no part is undefined", () => {
  assert.deepEqual(find("(a)|(b)", "", "ab"), [["a", "a", undefined], ["b", undefined, "b"]]);
});

Deno.test("patterns: flags hold, whether or not g is one of them", () => {
  assert.deepEqual(find("A", "gi", "aA"), [["a"], ["A"]]);
  assert.deepEqual(find("^b$", "m", "a\nb"), [["b"]]);
  assert.deepEqual(find("a.b", "s", "a\nb"), [["a\nb"]]);
  assert.deepEqual(find("^.$", "u", "😀"), [["😀"]]);
  assert.deepEqual(find("\\p{L}+", "v", "größe 7"), [["größe"]]);
});

Deno.test("patterns: empty matches end, and a text full of them is cut", () => {
  assert.deepEqual(find("", "", "ab"), [[""], [""], [""]]);
  assert.equal(find("", "", "x".repeat(20_000)).length, 10_000);
});

Deno.test("patterns: texts are data, whatever they look like", () => {
  const hostile = '"); globalThis.limit = 0; throw new Error("escaped"); ("\u0000\u2028`${1}';
  assert.deepEqual(find("escaped", "", hostile), [["escaped"]]);
  assert.deepEqual(find(".+", "s", hostile), [[hostile]]);
});

Deno.test("patterns: a search that backtracks for ever has timed out, and the next one works", () => {
  const start = performance.now();
  const result = patterns.find("^(a+)+$", "", `${"a".repeat(40)}b`, "first");
  const took = performance.now() - start;
  assert.deepEqual(result, { status: "timed_out" });
  assert.ok(took > 900 && took < 5000, `it took ${took} ms`);
  assert.deepEqual(find("b", "", "ab"), [["b"]]);
});

Deno.test("patterns: a pattern that is none is a mistake of the program's, and is thrown", () => {
  assert.throws(() => patterns.find("(", "", "a", "all"), /Invalid regular expression/);
});
