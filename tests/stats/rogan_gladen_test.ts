import assert from "node:assert/strict";
import { roganGladen } from "../../lib/stats/rogan_gladen.ts";
import { roganGladenVectors } from "./stats_vectors.ts";

for (const { id, input, expected } of roganGladenVectors) {
  Deno.test(`${id}: a judged rate of ${input.judge_pass_rate}, corrected`, () => {
    const found = roganGladen(input.judge_pass_rate, input);
    for (const part of ["raw", "clipped"] as const) {
      const wanted = expected[part];
      if (wanted === null) assert.equal(found[part], null);
      else assert.ok(Math.abs((found[part] ?? NaN) - wanted) <= 1e-9, `${part} is ${found[part]}`);
    }
  });
}

Deno.test("a perfect judge's rate needs no correction, and shares are in [0, 1]", () => {
  assert.deepEqual(roganGladen(0.37, { sensitivity: 1, specificity: 1 }).raw, 0.37);
  assert.equal(roganGladen(0, { sensitivity: 0.6, specificity: 0.4 }).raw, null);
  for (const wrong of [-0.1, 1.1, NaN]) {
    assert.throws(() => roganGladen(wrong, { sensitivity: 1, specificity: 1 }), RangeError);
    assert.throws(() => roganGladen(0.5, { sensitivity: wrong, specificity: 1 }), RangeError);
  }
});
