/**
 * How a number is printed.
 *
 * - `percent`: a proportion 0.385 as `38.5%`.
 * - `decimal`: a mean 0.506 as `0.506`.
 * - `points`: a difference 0.336 in percentage points, always signed, as `+33.6`; zero is `+0.0`.
 *
 * @example A measure names its style
 * ```ts
 * import assert from "node:assert/strict";
 *
 * const style: NumberStyle = "percent";
 *
 * assert.equal(style, "percent");
 * ```
 */
export type NumberStyle = "percent" | "decimal" | "points";
