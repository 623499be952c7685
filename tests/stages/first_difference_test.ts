import assert from "node:assert/strict";
import fc from "fast-check";
import { canonicalJson } from "../../lib/domain/identity.ts";
import { firstDifference } from "../../lib/stages/first_difference.ts";

Deno.test("firstDifference: the first field in order, and the place within it", () => {
  const rows: readonly (readonly [object, object, unknown])[] = [
    [{}, {}, undefined],
    [{ a: 1, b: 2 }, { b: 3, a: 4 }, { field: "a", here: 1, there: 4 }],
    [{ a: 1 }, {}, { field: "a", here: 1 }],
    [{}, { a: null }, { field: "a", there: null }],
    [{ a: undefined }, {}, undefined],
    [{ a: { b: [1, { c: 2 }] } }, { a: { b: [1, { c: 3 }] } }, { field: "a.b[1].c", here: 2, there: 3 }],
    [{ a: [1] }, { a: [1, 2] }, { field: "a[1]", there: 2 }],
    [{ a: [1] }, { a: { 0: 1 } }, { field: "a", here: [1], there: { 0: 1 } }],
    [{ a: { x: 1, y: 2 } }, { a: { y: 2, x: 1 } }, undefined],
    [{ a: {} }, JSON.parse('{"a": {"__proto__": 1}}'), { field: "a.__proto__", there: 1 }],
    [{ a: "" }, { a: null }, { field: "a", here: "", there: null }],
  ];
  for (const [here, there, expected] of rows) {
    const read = (value: object) => value as Record<string, unknown>;
    assert.deepEqual(firstDifference(read(here), read(there)), expected);
  }
});

Deno.test("firstDifference: there is one exactly where the canonical forms differ", () => {
  const fields = fc.dictionary(fc.constantFrom("a", "b", "toString"), fc.jsonValue({ maxDepth: 3 }), {
    noNullPrototype: true,
  });
  const clean = fields.map((value) => JSON.parse(JSON.stringify(value)) as Record<string, unknown>);
  fc.assert(
    fc.property(clean, clean, (here, there) => {
      assert.equal(firstDifference(here, there) === undefined, canonicalJson(here) === canonicalJson(there));
      assert.equal(firstDifference(here, structuredClone(here)), undefined);
    }),
    { seed: 20260917, numRuns: 500 },
  );
});
