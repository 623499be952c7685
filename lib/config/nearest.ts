/** The nearest spelling: what a mistyped word was probably meant to be. */
import { distance } from "fastest-levenshtein";

/** Longer words are nobody's misspelling of ours, and the distance takes time in proportion to the length. */
const LONGEST = 64;
const MOST = 2 / 5;

/**
 * The candidate that is nearest to the word, if it is near: at most two in five of the longer word's letters
 * differ (which leaves `depht` near to `depth`), one begins with the other (three letters at least), or the word is the last part of the candidate (`id` of `doc_id`).
 * Spellings such as `topK` and `top-k` count as `top_k`.
 */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  if (word.length > LONGEST) return undefined;
  const wanted = snakeCase(word);
  let best: { readonly candidate: string; readonly steps: number } | undefined;
  for (const candidate of candidates) {
    const steps = distance(wanted, candidate);
    const near = steps <= Math.max(wanted.length, candidate.length) * MOST || extendsOther(wanted, candidate);
    if (near && (best === undefined || steps < best.steps)) best = { candidate, steps };
  }
  return best?.candidate;
}

/** The hint that names the nearest candidate; `{}` when none is near. */
export function didYouMean(word: string, candidates: readonly string[]): { readonly hint?: string } {
  const found = nearest(word, candidates);
  return found === undefined ? {} : { hint: `did you mean "${found}"?` };
}

function snakeCase(word: string): string {
  return word.replaceAll(/([a-z0-9])([A-Z])/g, "$1_$2").replaceAll(/[-\s]+/g, "_").toLowerCase();
}

function extendsOther(a: string, b: string): boolean {
  if (b.endsWith(`_${a}`)) return true;
  return Math.min(a.length, b.length) >= 3 && (a.startsWith(b) || b.startsWith(a));
}
