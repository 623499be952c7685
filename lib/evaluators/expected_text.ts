/** Whether the text that a text criterion expects occurs in given texts at all. */
import type { Case } from "../domain/case.ts";
import type { EvaluatorSpec } from "../domain/project.ts";
import { containsText } from "./contains_text.ts";
import { normalizeText } from "./normalize_text.ts";
import { expectedTexts } from "./read_field.ts";

/**
 * Of a `contains` or `equals` criterion: whether any expected text of the case occurs in any of the texts, in the normal form
 * in which answers are compared. `undefined` for other criteria, which expect no text.
 */
export function expectedTextOccurs(
  { type, parameters }: EvaluatorSpec,
  testCase: Case,
  texts: readonly string[],
): boolean | undefined {
  if (type !== "contains" && type !== "equals") return undefined;
  const ignoreCase = parameters.ignore_case !== false;
  const field = typeof parameters.expected_field === "string" ? parameters.expected_field : undefined;
  const wanted = expectedTexts(testCase, field)
    .map((text) => normalizeText(text, ignoreCase))
    .filter((text) => text !== "");
  if (wanted.length === 0) return undefined;
  const normal = texts.map((text) => normalizeText(text, ignoreCase));
  return wanted.some((part) => normal.some((text) => containsText(text, part)));
}
