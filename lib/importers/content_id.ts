/** Ids made from content: the same content has the same id on every machine and on every day. */
import { identityOf, sha256 } from "../domain/identity.ts";
import type { Case } from "../domain/case.ts";

/** Hexadecimal digits of an id: 64 bits, so that a million cases meet by chance once in 37 million sets. */
const DIGITS = 16;

/** The id of a case that its source gives none: the beginning of the sha256 of its content's canonical JSON. */
export function caseIdOf({ input, expected, metadata }: Omit<Case, "id">): string {
  return identityOf({
    input,
    ...(expected === undefined ? {} : { expected }),
    ...(metadata === undefined ? {} : { metadata }),
  }).slice(0, DIGITS);
}

/** The id of a passage that is known by its text alone: equal texts, to the letter, have equal ids. */
export function passageIdOf(text: string): string {
  return sha256(text).slice(0, DIGITS);
}
