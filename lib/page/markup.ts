/** HTML out of templates in which every text is escaped. */
import { escapeMarkup } from "../report/escape_markup.ts";

/** Markup that is safe to stand in a page. */
export class Markup {
  constructor(readonly text: string) {}
}

/** What a template takes: texts and numbers are escaped, markup is not, lists are joined, nothing is left out. */
export type MarkupPart = Markup | string | number | null | undefined | readonly MarkupPart[];

/** Markup from a template. Texts may stand between tags and in quoted attributes, nowhere else. */
export function markup(strings: TemplateStringsArray, ...parts: readonly MarkupPart[]): Markup {
  return new Markup(strings.reduce((text, piece, index) => `${text}${markupOf(parts[index - 1])}${piece}`));
}

function markupOf(part: MarkupPart): string {
  if (part === null || part === undefined) return "";
  if (part instanceof Markup) return part.text;
  if (typeof part === "string" || typeof part === "number") return escapeMarkup(String(part));
  return part.map(markupOf).join("");
}
