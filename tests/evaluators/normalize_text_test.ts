import assert from "node:assert/strict";
import fc from "fast-check";
import { normalizeText } from "../../lib/evaluators/normalize_text.ts";

Deno.test("normalizeText: a normal form stays as it is", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), fc.boolean(), (text, ignoreCase) => {
      const once = normalizeText(text, ignoreCase);
      assert.equal(normalizeText(once, ignoreCase), once);
    }),
    { seed: 20260917, numRuns: 2000 },
  );
});

Deno.test("normalizeText: upper, lower and given case meet, for every letter of Unicode", () => {
  for (let code = 0; code < 0x20000; code++) {
    if (code >= 0xd800 && code <= 0xdfff) continue;
    const text = String.fromCodePoint(code);
    const folded = normalizeText(text, true);
    assert.equal(normalizeText(text.toUpperCase(), true), folded, code.toString(16));
    assert.equal(normalizeText(text.toLowerCase(), true), folded, code.toString(16));
  }
});

Deno.test("normalizeText: case is kept unless it is to be ignored", () => {
  assert.equal(normalizeText("  ﬁVE\u2003 Ａ ", false), "fiVE A");
  assert.equal(normalizeText("  ﬁVE\u2003 Ａ ", true), "five a");
});
