import assert from "node:assert/strict";
import { formatNumber } from "../../lib/stats/format_number.ts";
import { outwardRoundingVectors } from "./stats_vectors.ts";

for (const { id, lower, upper, style, printed } of outwardRoundingVectors) {
  Deno.test(`${id}: [${lower}, ${upper}] printed outward in ${style} style`, () => {
    assert.deepEqual(
      [formatNumber(lower, { style, role: "lower" }), formatNumber(upper, { style, role: "upper" })],
      printed,
    );
  });
}

Deno.test("estimates are printed to nearest", () => {
  const role = "estimate";
  assert.equal(formatNumber(9 / 13, { style: "percent", role }), "69.2%");
  assert.equal(formatNumber(0.8662968851648396, { style: "decimal", role }), "0.866");
  assert.equal(formatNumber(0.05769230769230769, { style: "points", role }), "+5.8");
  assert.equal(formatNumber(-0.07692307692307693, { style: "points", role }), "-7.7");
  assert.equal(formatNumber(0.6925, { style: "percent", role }), "69.3%");
});

Deno.test("zero points are +0.0 in every role, also when a small negative rounds to zero", () => {
  for (const role of ["lower", "estimate", "upper"] as const) {
    assert.equal(formatNumber(0, { style: "points", role }), "+0.0");
    assert.equal(formatNumber(-0, { style: "points", role }), "+0.0");
  }
  assert.equal(formatNumber(-0.0004, { style: "points", role: "upper" }), "+0.0");
  assert.equal(formatNumber(-0.0004, { style: "points", role: "estimate" }), "+0.0");
  assert.equal(formatNumber(-0.0004, { style: "points", role: "lower" }), "-0.1");
});

Deno.test("nothing is clipped, and what is not finite is refused", () => {
  assert.equal(formatNumber(1.0001, { style: "percent", role: "upper" }), "100.1%");
  assert.equal(formatNumber(-0.0001, { style: "decimal", role: "lower" }), "-0.001");
  assert.throws(() => formatNumber(NaN, { style: "percent", role: "lower" }), RangeError);
});
