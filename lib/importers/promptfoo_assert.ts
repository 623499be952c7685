/** Assertions of promptfoo, and which of them have a counterpart here. */
import type { Json, JsonObject } from "../domain/json.ts";

/** An assertion as a test of promptfoo has it. */
export interface PromptfooAssert {
  readonly type: string;
  readonly value?: Json;
  /** Whatever else it says: a threshold, a weight, a transformation. */
  readonly rest: JsonObject;
}

/** A counterpart: an evaluator that compares with the case's `expected`, or one that compares with nothing of it. */
export type Counterpart =
  | {
    readonly kind: "expected";
    readonly type: "contains" | "equals";
    readonly base: string;
    readonly values: readonly Json[];
  }
  | { readonly kind: "regex"; readonly pattern: string };

/** What the evaluators of the texts make of case. */
export const IGNORES_CASE: ReadonlySet<string> = new Set(["icontains", "icontains_any", "icontains_all"]);

/** Keys of an assertion that change nothing of what passes: a name in the report, a weight that is not 0. */
const HARMLESS = ["metric", "weight"];

/**
 * The counterpart of an assertion; `undefined` when there is none. One with a transformation, a threshold or a weight of 0 (which
 * fails no test) has none, and neither has one whose value is read from a file or made by a template.
 */
export function counterpartOf({ type, value, rest }: PromptfooAssert): Counterpart | undefined {
  const strange = Object.keys(rest).some((key) => !HARMLESS.includes(key));
  if (strange || rest.weight === 0) return undefined;
  const values = Array.isArray(value) ? value : [value];
  if (values.some((one) => typeof one === "string" && /^file:\/\/|\{\{|\{%/.test(one))) return undefined;
  const base = type.replaceAll("-", "_");
  switch (type) {
    case "equals":
      // A list would be a choice of values here.
      return value === undefined || value === null || Array.isArray(value)
        ? undefined
        : { kind: "expected", type: "equals", base, values: [value] };
    case "contains":
    case "icontains":
      return isText(value)
        ? { kind: "expected", type: "contains", base, values: [String(value)] }
        : undefined;
    case "contains-any":
    case "icontains-any":
      // An expected list passes if any member does.
      return values.every(isText) && Array.isArray(value)
        ? { kind: "expected", type: "contains", base, values: [values.map(String)] }
        : undefined;
    case "contains-all":
    case "icontains-all":
      return values.every(isText) && Array.isArray(value)
        ? { kind: "expected", type: "contains", base, values: values.map(String) }
        : undefined;
    case "regex":
      return typeof value === "string" && value !== "" && isPattern(value)
        ? { kind: "regex", pattern: value }
        : undefined;
    default:
      return undefined;
  }
}

function isText(value: Json | undefined): value is string | number {
  return (typeof value === "string" && value.trim() !== "") || typeof value === "number";
}

function isPattern(pattern: string): boolean {
  try {
    new RegExp(pattern);
    return true;
  } catch {
    // Promptfoo would fail on it, too; it is listed with the others that have no counterpart.
    return false;
  }
}

const LISTS = ["contains-any", "contains-all", "icontains-any", "icontains-all"];
const KNOWN = new RegExp(
  `^((?:not-)?(?:${
    [
      ...LISTS,
      "equals|icontains|contains-[a-z]+|contains|regex|starts-with|is-[a-z-]+|similar|levenshtein|rouge-n|bleu|cost|latency",
      "llm-rubric|model-graded-[a-z]+|factuality|answer-relevance|context-[a-z]+|classifier|moderation|perplexity[a-z-]*",
      "webhook|select-best|g-eval|f-score|ruby|javascript|python|fn|eval|grade",
    ].join("|")
  }))(?:\\((\\d+(?:\\.\\d+)?)\\))?(?::([^]*))?$`,
);

/** An assertion in a cell of CSV: `icontains: refund`, or a text that the answer must equal. */
export function assertOfCell(cell: string): PromptfooAssert {
  const [, type, threshold, written] = KNOWN.exec(cell.trim()) ?? [];
  if (type === undefined) return { type: "equals", value: cell.trim(), rest: {} };
  const text = written?.trim();
  return {
    type,
    ...(text === undefined
      ? {}
      : { value: LISTS.includes(type) ? text.split(",").map((one) => one.trim()) : text }),
    rest: threshold === undefined ? {} : { threshold: Number(threshold) },
  };
}
