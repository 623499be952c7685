/** The middle of several measurements. */

/** The value in the middle, of an even number the higher one of the two. @throws {RangeError} Without any value. */
export function median(values: readonly number[]): number {
  const middle = values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
  if (middle === undefined) throw new RangeError("there is no median of nothing");
  return middle;
}
