/** Secrets: values that are used, and never stored or printed. */

/** Shorter values are left alone: they would be found in ordinary words. */
const SHORTEST_SECRET = 8;

/** JSON in a text within JSON in a row that is written as JSON: deeper nothing is kept. */
const LEVELS = 3;

/** A value as it stands, as JSON writes it, as JSON writes that, and so on: each once. */
function formsOf(value: string): readonly string[] {
  const forms = [value];
  for (let level = 1; level <= LEVELS; level++) forms.push(JSON.stringify(forms.at(-1)).slice(1, -1));
  return [...new Set(forms)];
}

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
    return formsOf(value).map((form) => [form, `[redacted ${name}]`] as const);
  });
  if (hidden.length === 0) return (text) => text;
  // The longest first: one secret may hold another.
  const sorted = hidden.toSorted(([a], [b]) => b.length - a.length);
  return (text) => sorted.reduce((rest, [form, name]) => rest.replaceAll(form, name), text);
}
