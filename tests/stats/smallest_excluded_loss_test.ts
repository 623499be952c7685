import assert from "node:assert/strict";
import { pairedDifferenceInterval } from "../../lib/stats/paired_difference_interval.ts";
import { smallestExcludedLoss } from "../../lib/stats/smallest_excluded_loss.ts";

Deno.test("the loss that one tied pair excludes is solved by hand", () => {
  // The average wealth 0.5 + 0.25 / m reaches 40 at m = 1 / 158, which is -78 / 79 on the scale of the
  // differences.
  assert.ok(Math.abs(smallestExcludedLoss(1) - 78 / 79) < 1e-14);
  assert.ok(Math.abs(smallestExcludedLoss(1, { level: 0.6 }) - (1 - 2 / 18)) < 1e-14);
});

Deno.test("pairs with a loss among them exclude less", () => {
  for (const pairs of [2, 13, 109, 1000]) {
    const excluded = smallestExcludedLoss(pairs);
    assert.ok(-pairedDifferenceInterval([[0, pairs - 1], [-0.01, 1]]).lower > excluded);
    assert.ok(-pairedDifferenceInterval([[0, pairs - 1], [0.01, 1]]).lower < excluded);
  }
});

Deno.test("more pairs exclude a smaller loss, but where the grid of bet fractions grows", () => {
  let before = smallestExcludedLoss(1);
  for (let pairs = 2; pairs <= 450; pairs++) {
    const excluded = smallestExcludedLoss(pairs);
    assert.equal(excluded < before, pairs !== 101 && pairs !== 401, `${pairs} pairs exclude ${excluded}`);
    before = excluded;
  }
});

Deno.test("no pairs exclude nothing: the number is refused", () => {
  for (const pairs of [0, -1, 1.5, NaN]) {
    assert.throws(() => smallestExcludedLoss(pairs), {
      name: "RangeError",
      message: /integer of at least 1/,
    });
  }
  assert.throws(() => smallestExcludedLoss(13, { level: 95 }), { name: "RangeError", message: /level 95/ });
});
