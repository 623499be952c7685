import assert from "node:assert/strict";
import fc from "fast-check";
import { scanJson } from "../../lib/config/json_text.ts";

/** A text, the piece of it where the fault is, the code and the problem. */
const FAULTS: readonly (readonly [text: string, at: number, code: string, problem: string])[] = [
  ["", 0, "invalid_json", "the line ends where a value is expected"],
  ['{"a":', 5, "invalid_json", "the line ends where a value is expected"],
  ['{"a":1', 6, "invalid_json", 'expected "," or "}"'],
  ['{"a":1,}', 7, "invalid_json", "a comma stands before }"],
  ["[1, ]", 4, "invalid_json", "a comma stands before ]"],
  ["[1 2]", 3, "invalid_json", 'expected "," or "]"'],
  ['{"a" 1}', 5, "invalid_json", 'expected ":" after the key'],
  ["{a: 1}", 1, "invalid_json", "expected a key in double quotes"],
  ["{'a': 1}", 1, "invalid_json", "expected a key in double quotes"],
  ["['a']", 1, "invalid_json", "text is written in double quotes"],
  ['["a]', 1, "invalid_json", "the text has no closing quote"],
  ['["a\tb"]', 3, "invalid_json", "a control character in text is written as an escape, as \\n"],
  ['["ab\\x41"]', 4, "invalid_json", "no such escape in JSON text"],
  ['["\\u12"]', 2, "invalid_json", "no such escape in JSON text"],
  ["[NaN]", 1, "invalid_json", "NaN is not a JSON number; write null or leave the key out"],
  ["[-Infinity]", 1, "invalid_json", "-Infinity is not a JSON number; write null or leave the key out"],
  ["[-inf]", 1, "invalid_json", "-inf is not a JSON number; write null or leave the key out"],
  ["[None]", 1, "invalid_json", "JSON writes null"],
  ["[True]", 1, "invalid_json", "JSON writes true"],
  ["[False]", 1, "invalid_json", "JSON writes false"],
  ["[undefined]", 1, "invalid_json", "JSON has no undefined; write null or leave the key out"],
  ["[constructor]", 1, "invalid_json", "expected a value"],
  ["[nulls]", 1, "invalid_json", "expected a value"],
  ["[1, 01]", 4, "invalid_json", "the number is not written as JSON writes numbers"],
  ["[1.]", 1, "invalid_json", "the number is not written as JSON writes numbers"],
  ["[1e]", 1, "invalid_json", "the number is not written as JSON writes numbers"],
  ["[+1]", 1, "invalid_json", "expected a value"],
  ["[.5]", 1, "invalid_json", "expected a value"],
  ["{} {}", 3, "invalid_json", "the line goes on after its value"],
  ["[1e999]", 1, "invalid_value", "The number is beyond the range of a double"],
  ['["\\ud800"]', 1, "invalid_value", "The text holds half of a surrogate pair"],
  ['["\ud800"]', 1, "invalid_value", "The text holds half of a surrogate pair"],
  ['{"a":1, "\\u0061":2}', 8, "duplicate_key", 'The key "a" is given twice'],
  ['[{"__proto__":1}]', 2, "invalid_value", 'The key "__proto__" is not allowed'],
  ["[".repeat(600), 501, "too_deep", "More than 500 levels deep"],
  ['{"a":'.repeat(600), 501 * 5, "too_deep", "More than 500 levels deep"],
];

for (const [text, offset, code, problem] of FAULTS) {
  Deno.test(`JSON ${JSON.stringify(text.slice(0, 30))} has its fault at ${offset}`, () => {
    assert.deepEqual(scanJson(text), { ok: false, fault: { offset, code, problem } });
  });
}

Deno.test("parts stand where they are written", () => {
  const text = ' { "a" : [ 1 , "x\\ty" ] }';
  assert.deepEqual(scanJson(text), {
    ok: true,
    root: {
      at: 1,
      parts: new Map([
        ["a", {
          at: 9,
          key_at: 3,
          parts: new Map([["0", { at: 11, written: "1" }], ["1", { at: 15, written: "x\ty" }]]),
        }],
      ]),
    },
  });
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

Deno.test("the grammar is that of JSON.parse", () => {
  const pieces = fc.constantFrom(
    ...["{", "}", "[", "]", ",", ":", '"', '"a"', '"b":', "1", "-", "0", ".5", "e3", "E-2", "true", "null"],
    ..." \n\t\r\\\u0001\u007f\u2028\u00a0\ufeffné/ubftr'x",
  );
  const text = fc.oneof(
    fc.array(pieces, { maxLength: 10 }).map((parts) => parts.join("")),
    fc.tuple(fc.json({ maxDepth: 3 }), fc.nat(), pieces).map(([json, at, piece]) => {
      const cut = at % (json.length + 1);
      return json.slice(0, cut) + piece + json.slice(cut + 1);
    }),
    fc.json(),
  );
  let faults = 0;
  let rights = 0;
  fc.assert(
    fc.property(text, (given) => {
      const scan = scanJson(given);
      // A text with another fault may have a second one, of grammar, behind it.
      if (!scan.ok && scan.fault.code !== "invalid_json") return;
      if (scan.ok) rights++;
      else faults++;
      assert.equal(scan.ok, isJson(given));
    }),
    { seed: 20_261_130, numRuns: 5000 },
  );
  assert.ok(faults > 500 && rights > 500, `${faults} faults, ${rights} rights`);
});
