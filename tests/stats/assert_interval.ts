import assert from "node:assert/strict";
import { formatNumber } from "../../lib/stats/format_number.ts";
import type { Interval } from "../../lib/stats/interval.ts";
import type { NumberStyle } from "../../lib/stats/number_style.ts";
import type { ExpectedInterval } from "./stats_vectors.ts";

/** Asserts that an interval agrees with the expected one to 1e-9, and prints exactly like it. */
export function assertInterval(actual: Interval, expected: ExpectedInterval, style: NumberStyle): void {
  const { lower, upper } = actual;
  assert.ok(Math.abs(lower - expected.lower) <= 1e-9, `lower end ${lower}, expected ${expected.lower}`);
  assert.ok(Math.abs(upper - expected.upper) <= 1e-9, `upper end ${upper}, expected ${expected.upper}`);
  assert.deepEqual(
    [formatNumber(lower, { style, role: "lower" }), formatNumber(upper, { style, role: "upper" })],
    expected.printed,
  );
}
