import type { NumberStyle } from "./number_style.ts";
import { roundDecimal } from "./round_decimal.ts";

const SCALES = {
  percent: { digits: 1, shift: 2 },
  decimal: { digits: 3, shift: 0 },
  points: { digits: 1, shift: 2 },
} as const;

const DIRECTIONS = { lower: "down", estimate: "nearest", upper: "up" } as const;

/**
 * Prints a number of the report: a lower end rounded down and an upper end rounded up, so that a printed interval
 * is never narrower than the computed one, and an estimate to nearest, half away from zero.
 *
 * Rounding works on the decimal number as written: 0.385 prints as `38.5%` in every role. Nothing is clipped.
 *
 * @param value A finite number: a proportion, a mean, or a difference of such (not yet in percent or points).
 * @param options `style`, how to print it, and `role`, which end of the interval it is, or the estimate.
 * @returns For instance `38.5%`, `0.506`, `+33.6` or `-33.6`. Zero in points is `+0.0`; there is no `-0.0`.
 * @throws {RangeError} When `value` is not finite.
 *
 * @example An estimate with its interval
 * ```ts
 * import assert from "node:assert/strict";
 *
 * assert.equal(formatNumber(0.38573833, { style: "percent", role: "lower" }), "38.5%");
 * assert.equal(formatNumber(9 / 13, { style: "percent", role: "estimate" }), "69.2%");
 * assert.equal(formatNumber(0.90907961, { style: "percent", role: "upper" }), "91.0%");
 * assert.equal(formatNumber(-0.0004, { style: "points", role: "upper" }), "+0.0");
 * ```
 */
export function formatNumber(
  value: number,
  options: { readonly style: NumberStyle; readonly role: "lower" | "estimate" | "upper" },
): string {
  const { style, role } = options;
  const rounded = roundDecimal(value, { ...SCALES[style], direction: DIRECTIONS[role] });
  if (style === "percent") return `${rounded}%`;
  return style === "points" && !rounded.startsWith("-") ? `+${rounded}` : rounded;
}
