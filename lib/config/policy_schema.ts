/** The schemas of a policy file: the whole, and what each test of a rule takes besides. */
import { z } from "zod";
import type { Rule, RuleTest } from "../domain/policy.ts";
import { criterionName, projectSchema } from "./project_schema.ts";
import { SchemaGuide } from "./schema_guide.ts";

/** Every test, in the order of messages. */
const TESTS = [
  "non-inferiority",
  "superiority",
  "equivalence",
  "threshold",
  "suite-threshold",
  "no-regression",
] as const satisfies readonly RuleTest[];

/** What a rule decides by. */
export const ruleTest = z.enum(TESTS).describe(listOf(TESTS, "or"));

/** The keys that every rule has. */
export const ruleHead = z.looseObject({ name: criterionName, criterion: criterionName, test: ruleTest });

const fraction = z.number().min(0).max(1).describe("a fraction of at least 0 and at most 1");

/** What a judge must have shown: all three, since each alone is easy to meet. */
const judgeTerms = z.strictObject({
  min_sensitivity: fraction,
  min_specificity: fraction,
  min_labels: z.int().min(1),
});

/** The schema of a policy; what a rule's test takes is checked apart, by {@link ruleChecks}. */
export const policySchema = z.strictObject({
  rules: z.array(ruleHead).min(1),
  level: z.number().gt(0).lt(1).describe("a number above 0 and below 1").default(0.95),
  on_insufficient: z.enum(["block", "allow"]).default("block"),
  judges: z.record(criterionName, judgeTerms).optional(),
});

/** A rule without what every rule has. */
export type RuleBody = BodyOf<Rule>;
type BodyOf<R> = R extends Rule ? Omit<R, "name" | "criterion"> : never;

/** How those keys of a rule are checked that belong to its test. */
export interface RuleCheck {
  /** Gives undefined for a rule whose test is not known. */
  readonly schema: z.ZodType<RuleBody | undefined>;
  readonly guide: SchemaGuide;
}

const points = z.number().gt(0).max(100).describe("a number of percentage points above 0 and at most 100");
const pointsOrNone = z.number().min(0).lt(100)
  .describe("a number of percentage points of at least 0 and below 100");

function marginOf(test: "non-inferiority" | "superiority" | "equivalence", margin: z.ZodType<number>) {
  return z.strictObject({ margin }).transform(({ margin }) => ({ test, margin_points: margin }));
}

function atLeastOf(test: "threshold" | "suite-threshold") {
  const at_least = z.number().min(0).max(1).describe("a fraction of at least 0 and at most 1");
  return z.strictObject({ at_least }).transform(({ at_least }) => ({ test, at_least }));
}

const sliceName = projectSchema.shape.slices.unwrap().element;

/** The values of the slices that are no paths, where a slip would select no case at all. */
const COMPUTED_VALUES: ReadonlyMap<string, { readonly pattern: RegExp; readonly words: string }> = new Map([
  ["relevant_position", {
    pattern: /^(?:[1-9]\d*|none|unlabelled|absent)$/,
    words: "a position from 1, none, unlabelled or absent",
  }],
  ["context_truncated", { pattern: /^(?:true|false|absent)$/, words: "true, false or absent" }],
]);

/** The first `=` separates; the value is taken as it is, and may be empty. */
function splitSlice(text: string): { readonly slice: string; readonly value: string } {
  const separator = text.indexOf("=");
  return separator === -1
    ? { slice: text, value: "" }
    : { slice: text.slice(0, separator), value: text.slice(separator + 1) };
}

const sliceValue = z.string()
  .superRefine((text, context) => {
    const problem = problemOfSlice(text);
    if (problem !== undefined) context.addIssue({ code: "custom", params: problem });
  })
  .describe(`a slice and its value, as in "metadata.topic=billing"; slices are ${sliceName.description}`)
  .transform(splitSlice);

function problemOfSlice(text: string): { readonly hint?: string } | undefined {
  const { slice, value } = splitSlice(text);
  const named = sliceName.safeParse(slice.trim());
  if (!named.success) {
    const [issue] = named.error.issues;
    return issue?.code === "custom" ? issue.params : {};
  }
  if (!text.includes("=")) return { hint: `add the value: "${named.data}=…"` };
  if (named.data !== slice) return { hint: "no blanks before the =" };
  const computed = COMPUTED_VALUES.get(slice);
  return computed === undefined || computed.pattern.test(value)
    ? undefined
    : { hint: `${slice} is ${computed.words}` };
}

const noRegression = z.strictObject({
  cases: z.array(z.string().min(1)).min(1).describe("a non-empty list of case ids").optional(),
  slice: sliceValue.optional(),
}).transform(({ cases, slice }) => ({
  test: "no-regression" as const,
  ...(cases === undefined ? {} : { cases }),
  ...(slice === undefined ? {} : { slice }),
}));

function checkBy(schema: RuleCheck["schema"]): RuleCheck {
  return { schema, guide: new SchemaGuide(schema, Object.keys(ruleHead.shape)) };
}

/** How the keys of each test are checked. */
export const ruleChecks: Readonly<Record<RuleTest, RuleCheck>> = {
  "non-inferiority": checkBy(marginOf("non-inferiority", points)),
  superiority: checkBy(marginOf("superiority", pointsOrNone.default(0))),
  equivalence: checkBy(marginOf("equivalence", points)),
  threshold: checkBy(atLeastOf("threshold")),
  "suite-threshold": checkBy(atLeastOf("suite-threshold")),
  "no-regression": checkBy(noRegression),
};

/** Whether every rule has such a key, whatever its test. */
export function isHeadKey(key: string): boolean {
  return Object.hasOwn(ruleHead.shape, key);
}

/** The keys that a test takes besides those of every rule. */
export function keysOf(test: RuleTest): readonly string[] {
  return ruleChecks[test].guide.keysAt([]).filter((key) => !isHeadKey(key));
}

/** The tests that take such a key besides those of every rule. */
export function testsTaking(key: string): readonly RuleTest[] {
  return TESTS.filter((test) => keysOf(test).includes(key));
}

const anything = z.unknown().optional();

/** For a rule whose test is not known: only its keys can be checked. */
export const anyRuleCheck = checkBy(
  z.strictObject({ margin: anything, at_least: anything, cases: anything, slice: anything })
    .transform(() => undefined),
);

/** `a, b or c`. */
export function listOf(names: readonly string[], word: "and" | "or"): string {
  const last = names.at(-1) ?? "";
  return names.length < 2 ? last : `${names.slice(0, -1).join(", ")} ${word} ${last}`;
}

/** How to write what was probably meant by a wrong share, margin or test; `undefined` when none can tell. */
export function hintFor(key: PropertyKey | undefined, value: unknown): string | undefined {
  const percent = percentIn(value);
  switch (key) {
    case "level":
      return percent !== undefined && percent >= 50 && percent < 100
        ? `write ${fractionOf(percent)}`
        : undefined;
    case "at_least":
    case "min_sensitivity":
    case "min_specificity": {
      if (percent === undefined || percent <= 1) return undefined;
      const shown = percent <= 100 ? percent : 90;
      return `${shown} % is written ${fractionOf(shown)}`;
    }
    case "margin": {
      const points = typeof value === "string" ? /^(\d+(?:\.\d+)?)\s*(?:%|points?|pp)$/i.exec(value) : null;
      return points?.[1] === undefined ? undefined : `write ${points[1]}: a margin is in percentage points`;
    }
    case "test":
      // By distance alone it would be taken for superiority, which promises the opposite.
      return value === "inferiority" ? 'did you mean "non-inferiority"?' : undefined;
    default:
      return undefined;
  }
}

/** The number in `95`, `"95"` and `"95 %"`. */
function percentIn(value: unknown): number | undefined {
  if (typeof value === "number") return value;
  const written = typeof value === "string" ? /^(\d+(?:\.\d+)?)\s*%?$/.exec(value)?.[1] : undefined;
  return written === undefined ? undefined : Number(written);
}

/** Without the last digits of a division: 99.9 % is 0.999. */
function fractionOf(percent: number): number {
  return Number((percent / 100).toPrecision(12));
}
