/**
 * Rounds a number to a decimal string: down for the lower end of an interval, up for an upper end, to nearest for
 * an estimate.
 *
 * It works on the shortest decimal number that stands for the value, the one JavaScript itself prints: 0.385 is
 * 38.5% and stays so, although 0.385 * 100 in binary is not 38.5. The arithmetic is exact.
 *
 * @param value A finite number.
 * @param options `digits` after the decimal point, an integer of at least 0; `direction`, where `down` is towards
 * minus infinity, `up` towards plus infinity, and `nearest` sends halves away from zero; `shift`, the powers of ten
 * to multiply by first (2 for a percentage), 0 when left out.
 * @returns A plain decimal with exactly `digits` digits after the point, without exponent or plus sign. Zero never
 * has a sign, also when a negative number was rounded to it.
 * @throws {RangeError} When `value` is not finite, or an option is not an integer in its range.
 *
 * @example Outward, on the number as written
 * ```ts
 * import assert from "node:assert/strict";
 *
 * assert.equal(roundDecimal(0.385, { digits: 1, shift: 2, direction: "down" }), "38.5");
 * assert.equal(roundDecimal(0.38499999, { digits: 1, shift: 2, direction: "down" }), "38.4");
 * assert.equal(roundDecimal(4.1e-7, { digits: 3, direction: "up" }), "0.001");
 * assert.equal(roundDecimal(-1.005, { digits: 2, direction: "nearest" }), "-1.01");
 * ```
 */
export function roundDecimal(
  value: number,
  options: {
    readonly digits: number;
    readonly direction: "down" | "up" | "nearest";
    readonly shift?: number;
  },
): string {
  const { digits, direction, shift = 0 } = options;
  if (!Number.isFinite(value)) throw new RangeError(`Cannot print ${value}: the number must be finite`);
  if (!Number.isInteger(digits) || digits < 0) {
    throw new RangeError(
      `Cannot print ${digits} digits after the point: it must be an integer of at least 0`,
    );
  }
  if (!Number.isInteger(shift)) {
    throw new RangeError(`Cannot shift by ${shift} places: it must be an integer`);
  }
  const { coefficient, power } = decompose(value);
  const places = power + shift + digits;
  if (places >= 0) return placePoint(coefficient * 10n ** BigInt(places), digits);
  return placePoint(divide(coefficient, 10n ** BigInt(-places), direction), digits);
}

/** The shortest decimal that stands for the value, as coefficient × 10^power. */
function decompose(value: number): { coefficient: bigint; power: number } {
  // Without an argument, toExponential gives just the digits that tell the value from its binary neighbours.
  const [mantissa = "", exponent] = value.toExponential().split("e");
  const [whole, fraction = ""] = mantissa.split(".");
  return { coefficient: BigInt(`${whole}${fraction}`), power: Number(exponent) - fraction.length };
}

function divide(dividend: bigint, divisor: bigint, direction: "down" | "up" | "nearest"): bigint {
  // BigInt division truncates towards zero, and the rest has the sign of the dividend.
  const quotient = dividend / divisor;
  const rest = dividend % divisor;
  switch (direction) {
    case "down":
      return rest < 0n ? quotient - 1n : quotient;
    case "up":
      return rest > 0n ? quotient + 1n : quotient;
    case "nearest":
      if (2n * rest >= divisor) return quotient + 1n;
      return -2n * rest >= divisor ? quotient - 1n : quotient;
  }
}

/** Writes scaled / 10^digits without exponent. */
function placePoint(scaled: bigint, digits: number): string {
  const sign = scaled < 0n ? "-" : "";
  const text = String(scaled < 0n ? -scaled : scaled).padStart(digits + 1, "0");
  const point = text.length - digits;
  return digits === 0 ? sign + text : `${sign}${text.slice(0, point)}.${text.slice(point)}`;
}
