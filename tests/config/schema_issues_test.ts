import assert from "node:assert/strict";
import { z } from "zod";
import { noPlaces } from "../../lib/config/place.ts";
import { readYaml } from "../../lib/config/yaml_text.ts";
import { SchemaGuide } from "../../lib/config/schema_guide.ts";
import { schemaIssues } from "../../lib/config/schema_issues.ts";
import { showIssues } from "./show_issues.ts";

function issuesOf(schema: z.ZodType, value: unknown): readonly string[] {
  const found = schema.safeParse(value).error?.issues ?? [];
  const context = { whole: "The value", value, places: noPlaces("f"), guide: new SchemaGuide(schema) };
  return showIssues({ ok: false, issues: schemaIssues(found, context) });
}

/** Schemas as an evaluator may have them: this room cannot know their wording beforehand. */
const WORDINGS: readonly (readonly [string, z.ZodType, unknown, ...string[]])[] = [
  [
    "a pattern with words of its own",
    z.object({ a: z.string().regex(/^x/, "Expected x first") }),
    { a: "y" },
    'f invalid_value: a is "y": Expected x first',
  ],
  ["a description instead", z.object({ a: z.string().regex(/^x/, "Expected x").describe("x and more") }), {
    a: "y",
  }, 'f invalid_value: a must be x and more, not "y"'],
  [
    "a check that spans keys",
    z.object({ a: z.int(), b: z.int() }).refine(() => false, { error: "Sum too small", path: ["b"] }),
    { a: 1, b: 2 },
    "f invalid_value: b is 2: Sum too small",
  ],
  [
    "a check of an absent key",
    z.object({ a: z.int().optional() }).refine(() => false, { error: "Give a", path: ["a"] }),
    {},
    "f invalid_value: a: Give a",
  ],
  [
    "a check of the whole",
    z.object({ a: z.int() }).refine(() => false, "Not so"),
    { a: 1 },
    'f invalid_value: The value is {"a":1}: Not so',
  ],
  [
    "an absent choice",
    z.object({ a: z.enum(["x", "y"]) }),
    {},
    'f missing_key: The value needs the key "a": "x" or "y"',
  ],
  [
    "an absent key further in",
    z.object({ a: z.object({ b: z.boolean() }) }),
    { a: {} },
    'f missing_key: a needs the key "b": true or false',
  ],
  [
    "numbers in a range",
    z.object({
      a: z.number().min(0).max(1),
      b: z.number().gt(0).lt(1),
      c: z.int(),
      d: z.number(),
      e: z.int().max(5),
    }),
    { a: 2, b: 1, c: "x", d: "x", e: 6 },
    "f invalid_value: a must be a number of at least 0 and at most 1, not 2",
    "f invalid_value: b must be a number above 0 and below 1, not 1",
    'f invalid_type: c must be a whole number, not "x"',
    'f invalid_type: d must be a number, not "x"',
    "f invalid_value: e must be a whole number of at most 5, not 6",
  ],
  [
    "two checks of one value, said once",
    z.object({ a: z.string().min(3).max(1) }),
    { a: "xx" },
    'f invalid_value: a must be non-empty text, not "xx"',
  ],
  [
    "the alternative that was meant",
    z.union([z.string(), z.strictObject({ a: z.int(), b: z.int() }), z.strictObject({ a: z.int() })]),
    { a: 1, c: 2 },
    'f unknown_key: Unknown key "c"; allowed: a, b',
  ],
  [
    "no alternative",
    z.object({ a: z.union([z.string(), z.int().min(1), z.null()]) }),
    { a: [] },
    "f invalid_type: a must be text or a whole number of at least 1 or null, not []",
  ],
  [
    "a list within a record",
    z.object({ a: z.record(z.string(), z.array(z.string())) }),
    { a: { k: [1] } },
    'f invalid_type: a.k[0] must be text, not 1 (write it in quotes: "1")',
  ],
  [
    "a wrong key of a record",
    z.object({ a: z.record(z.string().regex(/^x/, "Expected x first"), z.int()) }),
    { a: { y: 1 } },
    "f invalid_value: a.y is no key here: Expected x first",
  ],
  [
    "a defaulted and transformed value",
    z.object({ a: z.string().default("x").transform(Number).optional() }),
    { a: 1 },
    'f invalid_type: a must be text, not 1 (write it in quotes: "1")',
  ],
  [
    "a choice among texts given as a number",
    z.object({ a: z.enum(["one"]) }),
    { a: 1 },
    'f invalid_value: a must be "one", not 1',
  ],
  ["hostile text in keys and values", z.object({ a: z.record(z.string(), z.int()) }), {
    a: { "\u001b": "\u202e" },
  }, 'f invalid_type: a.\\u001b must be a whole number, not "\\u202e"'],
];

for (const [name, schema, value, ...expected] of WORDINGS) {
  Deno.test(`the wording of ${name}`, () => assert.deepEqual(issuesOf(schema, value), expected));
}

Deno.test("a wrong key of a record is placed where the key is", () => {
  const schema = z.record(z.string().regex(/^x/), z.int());
  const { value, places } = readYaml("x: 1\ny:   2\n", "f");
  const found = schema.safeParse(value).error?.issues ?? [];
  const [issue] = schemaIssues(found, { whole: "The value", value, places, guide: new SchemaGuide(schema) });
  assert.deepEqual([issue?.line, issue?.column], [2, 1]);
});
