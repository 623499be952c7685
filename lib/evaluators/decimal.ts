/** Numbers as the decimals that they are written as, so that a tolerance means what it says. */

/** `digits` × 10 ^ `exponent`, exactly. */
interface Decimal {
  readonly digits: bigint;
  readonly exponent: number;
}

const WRITTEN_NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;

/**
 * The finite number that a value is, or that a text wholly is after trimming: digits with an optional sign,
 * decimals and exponent, no separators. `undefined` for everything else.
 */
export function readNumber(value: unknown): number | undefined {
  const text = typeof value === "string" ? value.trim() : undefined;
  const number = text !== undefined && WRITTEN_NUMBER.test(text) ? Number(text) : value;
  return typeof number === "number" && Number.isFinite(number) ? number : undefined;
}

/**
 * Whether two numbers differ by at most `tolerance`, or by at most that share of |expected| when it is
 * relative.
 *
 * Exact for the decimals as which the numbers are written: 1.1 is within 0.1 of 1, although the binary
 * fractions that stand for them differ by more.
 */
export function isWithin(
  actual: number,
  expected: number,
  tolerance: number,
  scale: "absolute" | "relative",
): boolean {
  const allowed = scale === "absolute"
    ? toDecimal(tolerance)
    : multiply(toDecimal(tolerance), toDecimal(Math.abs(expected)));
  const numbers = [toDecimal(actual), toDecimal(expected), allowed];
  const finest = Math.min(...numbers.map(({ exponent }) => exponent));
  const [a = 0n, b = 0n, limit = 0n] = numbers.map(({ digits, exponent }) =>
    digits * 10n ** BigInt(exponent - finest)
  );
  return (a < b ? b - a : a - b) <= limit;
}

/** The shortest decimal that reads back as the number, which is how JSON writes it. */
function toDecimal(number: number): Decimal {
  const [significand = "", exponent = "0"] = String(number).split("e");
  const [whole = "", decimals = ""] = significand.split(".");
  return { digits: BigInt(whole + decimals), exponent: Number(exponent) - decimals.length };
}

function multiply(a: Decimal, b: Decimal): Decimal {
  return { digits: a.digits * b.digits, exponent: a.exponent + b.exponent };
}
