/** An answer in numbered pieces, each of which a judge must give a verdict on. */

let segmenter: Intl.Segmenter | undefined;

/** Made when it is needed: that takes 20 ms. */
function segmentsOf(text: string): Iterable<Intl.SegmentData> {
  segmenter ??= new Intl.Segmenter("en", { granularity: "sentence" });
  return segmenter.segment(text);
}

/**
 * The sentences of an answer, and the items of a list, in their order; `[]` when it holds neither letter nor digit. What has no
 * letter of its own (a list number, a dash) goes with what follows it.
 *
 * Sentences end where Unicode says they do (UAX 29), whatever the language of the machine. The pieces are a means to ask about
 * every part of an answer: that a sentence holds two claims, or none, is for the judge to see.
 */
export function splitClaims(answer: string): readonly string[] {
  const claims: string[] = [];
  let pending = "";
  for (const { segment } of segmentsOf(unwrapped(answer))) {
    pending += segment;
    if (!/\p{L}/u.test(pending)) continue;
    claims.push(oneSpaced(pending));
    pending = "";
  }
  const rest = oneSpaced(pending);
  if (!/[\p{L}\p{N}]/u.test(rest)) return claims;
  // Figures at the end belong to the sentence before them; an answer of figures alone is one claim.
  const last = claims.pop();
  return [...claims, last === undefined ? rest : `${last} ${rest}`];
}

function oneSpaced(text: string): string {
  return text.replace(/\s+/gu, " ").trim();
}

/** A line that is merely full goes on in the next one; an empty line, or the mark of a list or a heading, begins anew. */
function unwrapped(text: string): string {
  return text.replace(/(?<=\S)[^\S\n]*\n(?!\s*(?:\n|[-*•–#]|\p{N}+[.)]))/gu, " ");
}
