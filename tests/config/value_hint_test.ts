import assert from "node:assert/strict";
import { z } from "zod";
import { SchemaGuide } from "../../lib/config/schema_guide.ts";
import { hintForValue } from "../../lib/config/value_hint.ts";

/** A schema, a value that does not fit it, how it is written, and the hint. */
const HINTS: readonly (readonly [z.ZodType, unknown, string | undefined, string | undefined])[] = [
  ...["yes", "Yes", "on", "ON", "true", "TRUE"].map((word) =>
    [z.boolean(), word, word, "write true"] as const
  ),
  ...["no", "No", "off", "false", "False"].map((word) => [z.boolean(), word, word, "write false"] as const),
  [z.boolean(), "perhaps", "perhaps", undefined],
  [z.boolean(), "constructor", "constructor", undefined],
  [z.boolean(), 1, "1", undefined],
  [z.int(), "yes", "yes", undefined],
  [z.int(), "6", "6", "write it without quotes: 6"],
  [z.number(), "-0.5", "-0.5", "write it without quotes: -0.5"],
  [z.number(), "1.2.3", "1.2.3", undefined],
  [z.boolean(), "6", "6", undefined],
  [z.string(), 1, "1.0", 'write it in quotes: "1.0"'],
  [z.string(), false, undefined, 'write it in quotes: "false"'],
  [z.string(), null, "", undefined],
  [z.union([z.string(), z.int()]), true, "true", 'write it in quotes: "true"'],
  [z.enum(["one", "two"]), 1, "1", undefined],
  [z.enum(["source", "version"]), "sources", "sources", 'did you mean "source"?'],
  [z.enum(["source", "version"]), "code", "code", undefined],
];

for (const [schema, value, written, hint] of HINTS) {
  Deno.test(`${JSON.stringify(value)} as ${schema.def.type}: ${hint ?? "no hint"}`, () => {
    const guide = new SchemaGuide(schema);
    assert.deepEqual(hintForValue({ path: [], value, written, guide }), hint === undefined ? {} : { hint });
  });
}
