/** Paths into a case: what slices and `--where` read. */

/** `metadata.<path>` or `input.<path>`, without empty parts. */
export function isCasePath(path: string): boolean {
  return /^(?:metadata|input)(?:\.[^.]+)+$/s.test(path);
}
