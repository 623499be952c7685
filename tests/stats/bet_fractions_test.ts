import assert from "node:assert/strict";
import { betFractions } from "../../lib/stats/bet_fractions.ts";

Deno.test("the basic fractions are 0.05 to 0.95 in steps of 0.05", () => {
  const { fractions, grid } = betFractions(1);
  assert.equal(fractions.length, 19);
  assert.deepEqual([fractions[0], fractions[2], fractions[18]], [0.05, 0.15, 0.95]);
  assert.equal(grid, "betting/19");
});

Deno.test("halvings are appended as both definitions say, at every number of cases", () => {
  for (let cases = 1; cases <= 110_000; cases++) {
    const { fractions, grid } = betFractions(cases);
    const halvings = fractions.length - 19;
    // max also turns the -0 of ceil into 0.
    assert.equal(halvings, Math.max(0, Math.ceil(Math.log2(Math.sqrt(cases) / 5))));
    let last = 0.05;
    for (let step = 0; last > 0.25 / Math.sqrt(cases); step++) {
      last /= 2;
      assert.equal(fractions[19 + step], last);
    }
    assert.equal(halvings === 0 ? 0.05 : fractions.at(-1), last);
    assert.equal(grid, halvings === 0 ? "betting/19" : `betting/19+${halvings}`);
  }
});

Deno.test("the number of halvings changes right after 25 times a power of 4", () => {
  for (let halvings = 0; halvings <= 20; halvings++) {
    assert.equal(betFractions(25 * 4 ** halvings).fractions.length, 19 + halvings);
    assert.equal(betFractions(25 * 4 ** halvings + 1).fractions.length, 20 + halvings);
    assert.equal(betFractions(25 * 4 ** halvings).enoughFor, 25 * 4 ** halvings);
    assert.equal(betFractions(25 * 4 ** halvings + 1).enoughFor, 25 * 4 ** (halvings + 1));
  }
});

Deno.test("one case needs no more fractions than 25 do", () => {
  assert.equal(betFractions(1).enoughFor, 25);
});
