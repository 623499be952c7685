import assert from "node:assert/strict";
import fc from "fast-check";
import { judgeAgreement } from "../../lib/stats/judge_agreement.ts";
import { judgeAgreementVectors } from "./stats_vectors.ts";

function assertClose(actual: number | null | undefined, expected: number, what: string): void {
  assert.ok(typeof actual === "number" && Math.abs(actual - expected) <= 1e-9, `${what} is ${actual}`);
}

for (const { id, input, expected } of judgeAgreementVectors) {
  Deno.test(`${id}: agreement of a judge with people`, () => {
    const found = judgeAgreement(input);
    assertClose(found.agreement?.value, expected.agreement, "agreement");
    for (const name of ["kappa", "pabak", "gwet_ac1"] as const) {
      assertClose(found[name], expected[name], name);
    }
    for (const name of ["sensitivity", "specificity"] as const) {
      for (const part of ["value", "lower", "upper"] as const) {
        assertClose(found[name]?.[part], expected[name][part], `${name} ${part}`);
      }
    }
  });
}

const table = (tp: number, fn: number, fp: number, tn: number) => ({
  human_pass_judge_pass: tp,
  human_pass_judge_fail: fn,
  human_fail_judge_pass: fp,
  human_fail_judge_fail: tn,
});

Deno.test("what a table has no rows for is null, and never a number", () => {
  const nothing = judgeAgreement(table(0, 0, 0, 0));
  assert.deepEqual(Object.values(nothing), [null, null, null, null, null, null]);
  const passesAlone = judgeAgreement(table(3, 1, 0, 0));
  assert.equal(passesAlone.specificity, null);
  assert.equal(passesAlone.sensitivity?.value, 0.75);
  // Both pass everything: chance alone would agree as well.
  const allPass = judgeAgreement(table(9, 0, 0, 0));
  assert.equal(allPass.kappa, null);
  assert.equal(allPass.gwet_ac1, 1);
});

Deno.test("cells are counts", () => {
  for (const wrong of [-1, 0.5, NaN, Infinity]) {
    assert.throws(() => judgeAgreement(table(wrong, 1, 1, 1)), RangeError);
  }
  assert.throws(() => judgeAgreement(table(1, 1, 1, 1), { level: 1 }), RangeError);
});

const cell = fc.integer({ min: 0, max: 200 });

Deno.test("a judge and its mirror image change places, and no coefficient exceeds 1", () => {
  fc.assert(
    fc.property(cell, cell, cell, cell, (tp, fn, fp, tn) => {
      const found = judgeAgreement(table(tp, fn, fp, tn));
      const mirrored = judgeAgreement(table(tn, fp, fn, tp));
      assert.deepEqual(found.sensitivity, mirrored.specificity);
      assert.deepEqual(found.agreement, mirrored.agreement);
      for (const name of ["kappa", "pabak", "gwet_ac1"] as const) {
        const value = found[name];
        assert.ok(value === null || (value >= -1.0000001 && value <= 1.0000001), `${name} is ${value}`);
      }
    }),
    { seed: 12, numRuns: 300 },
  );
});
