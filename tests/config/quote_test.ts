import assert from "node:assert/strict";
import { quote } from "../../lib/config/quote.ts";

const QUOTED: readonly (readonly [unknown, string])[] = [
  ["x", '"x"'],
  [3, "3"],
  [NaN, "NaN"],
  [null, "null"],
  [undefined, "undefined"],
  [{ a: [1, "x"] }, '{"a":[1,"x"]}'],
  ["a\n\u001b[31m\u009b\u202e\ufeff", '"a\\u000a\\u001b[31m\\u009b\\u202e\\ufeff"'],
  ["\ud800", '"\\ud800"'],
  ["👩\u200d🚀", '"👩\u200d🚀"'],
  ["x".repeat(60), `"${"x".repeat(60)}"`],
  ["x".repeat(61), `"${"x".repeat(59)}…"`],
  ["😀".repeat(1000), `"${"😀".repeat(59)}…"`],
  [Array(1000).fill(1), `[${"1,".repeat(29)}…`],
];

for (const [value, expected] of QUOTED) {
  Deno.test(`${expected} is quoted`, () => assert.equal(quote(value), expected));
}
