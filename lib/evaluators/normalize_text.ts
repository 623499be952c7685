/** What counts as the same text. */

/**
 * The form in which texts are compared: NFKC (so that `ﬁ` is `fi`, a full-width digit a digit and a no-break
 * space a space), runs of white space as one space, none at the ends; without case if `ignoreCase`.
 *
 * Source: Unicode Standard Annex #15 for NFKC, Unicode section 3.13 for caseless matching.
 */
export function normalizeText(text: string, ignoreCase: boolean): string {
  const composed = text.normalize("NFKC");
  const folded = ignoreCase ? foldCase(composed).normalize("NFKC") : composed;
  return folded.replace(/\s+/gu, " ").trim();
}

/**
 * JavaScript has no case folding of its own. Three turns, since `ẞ` meets `ss` only by way of `ß`. The result
 * differs from Unicode's full folding in one letter: the dotless `ı` meets `i`, as Turkish capitals need.
 */
function foldCase(text: string): string {
  return text.toLowerCase().toUpperCase().toLowerCase().replaceAll("ς", "σ");
}
