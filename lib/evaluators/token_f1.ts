/** The evaluator `token_f1`. */
import { z } from "zod";
import { observed } from "../domain/judgment.ts";
import { defineEvaluator, type EvaluatorType } from "./evaluator.ts";
import { expectedTexts, fieldPath, NO_EXPECTED_VALUE, readOutputText } from "./read_field.ts";

const parameters = z.strictObject({
  field: fieldPath.optional(),
  expected_field: fieldPath.optional(),
});

/**
 * The token F1 of the output's text and the expected one, in [0, 1]; the best one over an expected list.
 *
 * Tokens are what white space separates after lower-casing and the removal of ASCII punctuation and of the
 * articles a, an, the. F1 is the harmonic mean of the share of the output's tokens that are expected and the
 * share of the expected ones that are there, each token counted as often as both have it. Without tokens on
 * both sides it is 1, on one side 0. Scalars are read as text; a null output earns 0; a list or an object is
 * missing with `output_not_text`. Excluded with `no_expected_value` when the case expects no text there; an
 * empty text is one.
 *
 * Source: Rajpurkar et al. 2016 (SQuAD), section 6.1; texts without tokens as in the evaluation script of
 * SQuAD 2.0 (Rajpurkar, Jia and Liang 2018).
 */
export const tokenF1: EvaluatorType = defineEvaluator<z.infer<typeof parameters>>({
  type: "token_f1",
  version: 1,
  reads: "output",
  observes: "number",
  parameters,
  criterion: () => "token_f1",
  excludes: ({ expected_field }, testCase) =>
    expectedTexts(testCase, expected_field).length === 0 ? NO_EXPECTED_VALUE : undefined,
  judge({ field, expected_field }, record) {
    const output = readOutputText(record, field);
    if (output.status === "missing") return output;
    if (output.value === null) return observed(0);
    const tokens = tokensOf(output.value);
    const scores = expectedTexts(record.case, expected_field).map((text) => f1(tokens, tokensOf(text)));
    return observed(Math.max(0, ...scores));
  },
});

function tokensOf(text: string): readonly string[] {
  return text.toLowerCase()
    .replace(/[!-/:-@[-`{-~]/g, "")
    // A word boundary as Python sees it, whose letters and digits are not ASCII alone.
    .replace(/(?<![\p{L}\p{N}])(?:a|an|the)(?![\p{L}\p{N}])/gu, " ")
    // White space as Unicode has it: unlike \s without the byte-order mark, as the SQuAD script's language splits.
    .split(/\p{White_Space}+/u)
    .filter((token) => token !== "");
}

function f1(tokens: readonly string[], expected: readonly string[]): number {
  if (tokens.length === 0 || expected.length === 0) return tokens.length === expected.length ? 1 : 0;
  const left = new Map<string, number>();
  for (const token of expected) left.set(token, (left.get(token) ?? 0) + 1);
  let shared = 0;
  for (const token of tokens) {
    const count = left.get(token) ?? 0;
    if (count === 0) continue;
    left.set(token, count - 1);
    shared += 1;
  }
  // The harmonic mean of shared / tokens and shared / expected, in one division.
  return 2 * shared / (tokens.length + expected.length);
}
