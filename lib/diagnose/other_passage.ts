/** Whether a relevant document is in the context by another passage than the one that holds the gold text. */
import type { GoldPassage } from "../domain/case.ts";
import type { Passage } from "../domain/passage.ts";

/**
 * True when some gold passage's document is in the context, and no passage of it there contains the gold text (white space
 * and Unicode form aside). A context passage without text could be any: then it is false.
 */
export function hasOtherPassage(gold: readonly GoldPassage[], context: readonly Passage[]): boolean {
  return gold.some(({ doc_id, text }) => {
    const same = context.filter((passage) => passage.doc_id === doc_id);
    if (same.length === 0 || same.some((passage) => passage.text === undefined)) return false;
    const wanted = plain(text);
    return !same.some((passage) => plain(passage.text ?? "").includes(wanted));
  });
}

function plain(text: string): string {
  return text.normalize("NFKC").replace(/\s+/gu, " ").trim();
}
