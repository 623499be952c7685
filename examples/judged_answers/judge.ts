/** Two judges that need no model. Each gives a verdict on every claim, as a model would. */

type Question = { claims: string[]; passages: { text: string }[] };

const fillers = new Set(
  "a an and are as at be been by can for from has have he her his in is it its may of on or that the their they this to was were will with"
    .split(" "),
);

const denials = new Set(["cannot", "never", "no", "none", "not", "nothing", "without"]);

function wordsOf(text: string) {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

function contentOf(text: string) {
  return new Set(wordsOf(text).filter((word) => !fillers.has(word) && !denials.has(word)));
}

/** The share of a claim's content that a text has, too. */
function covered(claim: string, text: string) {
  const content = contentOf(claim);
  const known = contentOf(text);
  return content.size === 0 ? 1 : [...content].filter((word) => known.has(word)).length / content.size;
}

function denies(text: string) {
  return wordsOf(text).some((word) => denials.has(word));
}

function verdictOf(claims: string[], isSupported: (claim: string) => boolean) {
  const unsupported = claims.filter((claim) => !isSupported(claim));
  return {
    claims: claims.map((claim, index) => ({
      claim: index + 1,
      verdict: unsupported.includes(claim) ? "unsupported" : "supported",
    })),
    reason: unsupported.length === 0
      ? "The passages hold the words."
      : `Nothing like it: ${unsupported.join(" ")}`,
  };
}

/** Supported is what shares most of its words with the passages. Wrong figures and denials share them, too. */
export function sharedWords({ claims, passages }: Question) {
  const text = passages.map((passage) => passage.text).join(" ");
  return verdictOf(claims, (claim) => covered(claim, text) >= 0.6);
}

/** Supported is what one sentence says: nearly the same words, all figures, and a denial only where there is one. */
export function wordsAndFigures({ claims, passages }: Question) {
  const sentences = passages.flatMap(({ text }) => text.split(/(?<=[.!?])\s+/));
  return verdictOf(claims, (claim) =>
    sentences.some((sentence) => {
      const figures = wordsOf(claim).filter((word) => /\d/.test(word));
      const known = new Set(wordsOf(sentence));
      return covered(claim, sentence) >= 0.85 && figures.every((figure) => known.has(figure)) &&
        denies(claim) === denies(sentence);
    }));
}
