/** How long a provider asks to be left alone. */

/**
 * Reads `retry-after-ms`, else `retry-after` in seconds or as a date (RFC 9110, section 10.2.3); undefined when neither can be read.
 *
 * @param headers By lower-case name.
 * @param now Milliseconds since 1970.
 * @returns Milliseconds, at least 0.
 */
export function readRetryAfter(headers: Readonly<Record<string, string>>, now: number): number | undefined {
  const milliseconds = numberOf(headers["retry-after-ms"]);
  if (milliseconds !== undefined) return milliseconds;
  const after = headers["retry-after"]?.trim() ?? "";
  const seconds = numberOf(after);
  if (seconds !== undefined) return seconds * 1000;
  const date = /[a-z]/i.test(after) ? Date.parse(after) : NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

function numberOf(text: string | undefined): number | undefined {
  return text !== undefined && /^\s*\d+(?:\.\d+)?\s*$/.test(text) ? Number(text) : undefined;
}
