import assert from "node:assert/strict";
import fc from "fast-check";
import { roundDecimal } from "../../lib/stats/round_decimal.ts";

const scales = fc.record({
  value: fc.oneof(
    fc.double({ min: -1e6, max: 1e6, noNaN: true }),
    fc.double({ min: -1, max: 1, noNaN: true }),
    fc.integer({ min: -20_000, max: 20_000 }).map((grid) => grid / 10_000),
  ),
  digits: fc.integer({ min: 0, max: 6 }),
  shift: fc.integer({ min: -3, max: 3 }),
});

Deno.test("rounding goes outward, by less than one unit of the last digit", () => {
  fc.assert(
    fc.property(scales, ({ value, digits, shift }) => {
      const down = roundDecimal(value, { digits, shift, direction: "down" });
      const up = roundDecimal(value, { digits, shift, direction: "up" });
      // Reading a decimal is monotone, so comparing the numbers read back compares the decimals.
      assert.ok(Number(`${down}e${-shift}`) <= value, `${down} is above ${value}`);
      assert.ok(Number(`${up}e${-shift}`) >= value, `${up} is below ${value}`);
      const units = BigInt(up.replace(".", "")) - BigInt(down.replace(".", ""));
      assert.ok(units === 0n || units === 1n);
    }),
    { seed: 1, numRuns: 2000 },
  );
});

Deno.test("rounding to nearest gives the nearer of the two, and mirrors", () => {
  fc.assert(
    fc.property(scales, ({ value, digits, shift }) => {
      const nearest = roundDecimal(value, { digits, shift, direction: "nearest" });
      const down = roundDecimal(value, { digits, shift, direction: "down" });
      const up = roundDecimal(value, { digits, shift, direction: "up" });
      // One more digit, rounded down, tells the half.
      const finer = BigInt(
        roundDecimal(value, { digits: digits + 1, shift, direction: "down" }).replace(".", ""),
      );
      const half = 10n * BigInt(down.replace(".", "")) + 5n;
      if (finer > half) assert.equal(nearest, up);
      if (finer < half) assert.equal(nearest, down);
      const mirrored = roundDecimal(-value, { digits, shift, direction: "nearest" });
      assert.equal(mirrored.replace("-", ""), nearest.replace("-", ""));
    }),
    { seed: 1, numRuns: 2000 },
  );
});

Deno.test("a number with few digits prints as written, in every direction", () => {
  for (const direction of ["down", "up", "nearest"] as const) {
    assert.equal(roundDecimal(0.385, { digits: 1, shift: 2, direction }), "38.5");
    assert.equal(roundDecimal(0.29, { digits: 0, shift: 2, direction }), "29");
    assert.equal(roundDecimal(1e21, { digits: 2, direction }), "1000000000000000000000.00");
    assert.equal(roundDecimal(12, { digits: 1, direction }), "12.0");
    assert.equal(roundDecimal(250, { digits: 1, shift: -2, direction }), "2.5");
    assert.equal(roundDecimal(-0, { digits: 1, direction }), "0.0");
    assert.equal(roundDecimal(0, { digits: 0, shift: -2, direction }), "0");
  }
});

Deno.test("tiny numbers in exponent notation round like others", () => {
  assert.equal(roundDecimal(4.1e-7, { digits: 3, direction: "down" }), "0.000");
  assert.equal(roundDecimal(4.1e-7, { digits: 3, direction: "up" }), "0.001");
  assert.equal(roundDecimal(4.1e-7, { digits: 7, direction: "nearest" }), "0.0000004");
  assert.equal(roundDecimal(-Number.MIN_VALUE, { digits: 3, direction: "down" }), "-0.001");
  assert.equal(roundDecimal(-Number.MIN_VALUE, { digits: 3, direction: "up" }), "0.000");
});

Deno.test("halves go away from zero, on the number as written", () => {
  assert.equal(roundDecimal(1.005, { digits: 2, direction: "nearest" }), "1.01");
  assert.equal(roundDecimal(-1.005, { digits: 2, direction: "nearest" }), "-1.01");
  assert.equal(roundDecimal(0.0005, { digits: 3, direction: "nearest" }), "0.001");
  assert.equal(roundDecimal(0.00049999, { digits: 3, direction: "nearest" }), "0.000");
  assert.equal(roundDecimal(-0.0004, { digits: 3, direction: "nearest" }), "0.000");
});

Deno.test("what cannot be printed is refused", () => {
  for (const value of [NaN, Infinity, -Infinity]) {
    assert.throws(() => roundDecimal(value, { digits: 1, direction: "up" }), {
      name: "RangeError",
      message: /must be finite/,
    });
  }
  assert.throws(() => roundDecimal(1, { digits: -1, direction: "up" }), RangeError);
  assert.throws(() => roundDecimal(1, { digits: 1.5, direction: "up" }), RangeError);
  assert.throws(() => roundDecimal(1, { digits: 1, shift: 0.5, direction: "up" }), RangeError);
});
