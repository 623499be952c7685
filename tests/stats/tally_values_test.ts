import assert from "node:assert/strict";
import { tallyValues } from "../../lib/stats/tally_values.ts";

const unit = { lowest: 0, highest: 1 };

Deno.test("equal values are merged, also 0 and -0", () => {
  const { counts, cases } = tallyValues([[0, 1], [0.5, 2], [-0, 3], [0.5, 1]], unit);
  assert.deepEqual([...counts], [[0, 4], [0.5, 3]]);
  assert.equal(cases, 7);
});

Deno.test("no pairs make no cases", () => {
  assert.equal(tallyValues([], unit).cases, 0);
});

Deno.test("a value out of range is refused", () => {
  for (const value of [-1e-9, 1.2, NaN, Infinity]) {
    assert.throws(() => tallyValues([[value, 1]], unit), {
      name: "RangeError",
      message: /number from 0 to 1$/,
    });
  }
});

Deno.test("a count that is not an integer of at least 1 is refused, and so are too many cases", () => {
  for (const count of [0, -1, 1.5, NaN, Infinity]) {
    assert.throws(() => tallyValues([[0.5, count]], unit), { name: "RangeError", message: /at least 1/ });
  }
  assert.throws(() => tallyValues([[0, Number.MAX_SAFE_INTEGER], [1, 1]], unit), RangeError);
});
