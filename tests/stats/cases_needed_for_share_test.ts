import assert from "node:assert/strict";
import { casesNeededForShare } from "../../lib/stats/cases_needed_for_share.ts";
import { clopperPearson } from "../../lib/stats/clopper_pearson.ts";

Deno.test("it is the first number of cases whose interval reaches the share when all succeed", () => {
  for (const level of [0.8, 0.95, 0.99]) {
    for (let hundredths = 0; hundredths < 100; hundredths++) {
      const atLeast = hundredths / 100;
      let cases = 1;
      while (clopperPearson(cases, cases, { level }).lower < atLeast) cases++;
      assert.equal(casesNeededForShare(atLeast, { level }), cases);
    }
  }
});

Deno.test("a share exactly at a bound is reached, and the next larger number is not", () => {
  const float = new Float64Array(1);
  const bits = new BigUint64Array(float.buffer);
  for (let cases = 1; cases <= 3000; cases++) {
    float[0] = clopperPearson(cases, cases).lower;
    assert.equal(casesNeededForShare(float[0]), cases);
    // The same number with its last bit counted up.
    bits[0] = (bits[0] ?? 0n) + 1n;
    assert.equal(casesNeededForShare(float[0]), cases + 1);
  }
});

Deno.test("every larger number of cases reaches it too", () => {
  const cases = casesNeededForShare(0.99) ?? NaN;
  assert.equal(cases, 368);
  for (let more = cases; more <= cases + 300; more++) assert.ok(clopperPearson(more, more).lower >= 0.99);
});

Deno.test("shares near 1 need many cases, and 1 or more than ten million none will show", () => {
  const cases = casesNeededForShare(1 - 1e-6) ?? NaN;
  assert.equal(cases, Math.ceil(Math.log(0.025) / Math.log(1 - 1e-6)));
  assert.ok(clopperPearson(cases, cases).lower >= 1 - 1e-6);
  assert.ok(clopperPearson(cases - 1, cases - 1).lower < 1 - 1e-6);
  assert.equal(casesNeededForShare(0.025 ** 1e-7), 10_000_000);
  assert.equal(casesNeededForShare(0.025 ** 0.99e-7), undefined);
  assert.equal(casesNeededForShare(1 - 2 ** -53), undefined);
  assert.equal(casesNeededForShare(1), undefined);
});

Deno.test("shares and levels out of range are refused", () => {
  for (const share of [-0.1, 1.01, 90, NaN]) {
    const message = /it must be a number from 0 to 1/;
    assert.throws(() => casesNeededForShare(share), { name: "RangeError", message });
  }
  for (const share of [0.9, 1]) {
    assert.throws(() => casesNeededForShare(share, { level: 95 }), {
      name: "RangeError",
      message: /level 95/,
    });
  }
});
