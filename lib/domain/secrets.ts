/** Secrets: values that are used, and never stored or printed. */

/** Shorter values are left alone: they would be found in ordinary words. */
const SHORTEST_SECRET = 8;

/**
 * Takes the values of secrets out of texts, as they stand and as JSON writes them, and puts `[redacted NAME]` in their place. An absent
 * or very short value is no secret.
 *
 * @param secrets Values by the names that stand for them.
 */
export function redactorOf(
  secrets: ReadonlyMap<string, string | undefined>,
): (text: string) => string {
  const hidden = [...secrets].flatMap(([name, value]) => {
    if (value === undefined || value.length < SHORTEST_SECRET) return [];
    const written = JSON.stringify(value).slice(1, -1);
    return [...new Set([value, written])].map((form) => [form, `[redacted ${name}]`] as const);
  });
  if (hidden.length === 0) return (text) => text;
  // The longest first: one secret may hold another.
  const sorted = hidden.toSorted(([a], [b]) => b.length - a.length);
  return (text) => sorted.reduce((rest, [form, name]) => rest.replaceAll(form, name), text);
}
