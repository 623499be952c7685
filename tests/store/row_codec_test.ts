import assert from "node:assert/strict";
import fc from "fast-check";
import type { Judgment } from "../../lib/domain/judgment.ts";
import type { Passage } from "../../lib/domain/passage.ts";
import type { CaseCache } from "../../lib/domain/run.ts";
import { accountForContext, assembleContext } from "../../lib/stages/assemble.ts";
import {
  decodeAssembly,
  decodeCache,
  decodeJudgments,
  encodeAssembly,
  encodeCache,
  encodeJudgments,
} from "../../lib/store/row_codec.ts";

/** A value with those keys alone that are not undefined. */
function stated<T extends object>(value: T): T {
  return JSON.parse(JSON.stringify(value));
}

const text = fc.string({ unit: "grapheme", minLength: 1, maxLength: 4 });
const passage: fc.Arbitrary<Passage> = fc.record({
  // Few names, so that documents repeat.
  doc_id: fc.oneof(fc.constantFrom("a", "b"), text),
  chunk_id: fc.constantFrom("1", "2"),
  score: fc.double({ noNaN: true, noDefaultInfinity: true }).map((score) => score === 0 ? 0 : score),
  text: fc.string({ unit: "grapheme" }),
  metadata: fc.dictionary(text, fc.integer()).map(stated),
}, { requiredKeys: ["doc_id"] }).map(stated);
const candidates = fc.array(passage, { maxLength: 8 });

/** Writing and reading a context brings it back, and leaves its candidates to be stored elsewhere. */
function assertKept(assembly: ReturnType<typeof assembleContext>, candidates: readonly Passage[]): void {
  assert.deepEqual(decodeAssembly(JSON.parse(encodeAssembly(assembly, candidates)), candidates), assembly);
}

Deno.test("row codec: every context by top_k and budget is read back", () => {
  const limits = fc.record({
    top_k: fc.integer({ min: 1, max: 9 }),
    token_budget: fc.option(fc.integer({ min: 1, max: 40 })),
  });
  const sizes = fc.array(fc.integer({ min: 0, max: 20 }), { minLength: 8, maxLength: 8 });
  fc.assert(
    fc.property(candidates, limits, sizes, (candidates, limits, sizes) => {
      const tokens = sizes.slice(0, Math.min(limits.top_k, candidates.length));
      const assembly = limits.token_budget === null
        ? assembleContext(candidates, limits)
        : assembleContext(candidates, limits, tokens);
      assertKept(assembly, candidates);
    }),
    { seed: 20260917, numRuns: 1000 },
  );
});

Deno.test("row codec: every context of a system's own is read back", () => {
  const arbitrary = candidates.chain((candidates) =>
    fc.tuple(fc.constant(candidates), fc.shuffledSubarray(candidates), fc.array(passage, { maxLength: 3 }))
  );
  fc.assert(
    fc.property(arbitrary, ([candidates, chosen, others]) => {
      assertKept(accountForContext(candidates, [...chosen, ...others]), candidates);
    }),
    { seed: 20260917, numRuns: 1000 },
  );
});

Deno.test("row codec: a context by limits is kept without its passages", () => {
  const long = "x".repeat(10_000);
  const candidates = [{ doc_id: "a", text: long }, { doc_id: "b", text: long }];
  const byLimits = encodeAssembly(
    assembleContext(candidates, { top_k: 1, token_budget: 9 }, [3]),
    candidates,
  );
  assert.deepEqual(JSON.parse(byLimits), { top_k: 1, over: [], tokens: [3] });
});

Deno.test("row codec: judgments are read back, and plain values are kept as they are", () => {
  const details = fc.option(fc.jsonValue().map((value) => JSON.parse(JSON.stringify(value))), {
    nil: undefined,
  });
  const value = fc.oneof(fc.boolean(), fc.double({ min: 0, max: 1, noNaN: true }).map((value) => value + 0));
  const judgment: fc.Arbitrary<Judgment> = fc.oneof(
    fc.record({ status: fc.constant("observed" as const), value, details }),
    fc.record({
      status: fc.constant("missing" as const),
      reason: text,
      message: fc.option(text, { nil: undefined }),
    }),
    fc.record({ status: fc.constant("excluded" as const), reason: text }),
  ).map((judgment) => stated(judgment) as Judgment);
  fc.assert(
    fc.property(fc.array(judgment), (judgments) => {
      assert.deepEqual(decodeJudgments(JSON.parse(encodeJudgments(judgments))), judgments);
    }),
    { seed: 20260917, numRuns: 500 },
  );
  assert.equal(
    encodeJudgments([{ status: "observed", value: true }, { status: "observed", value: 0.5 }]),
    "[true,0.5]",
  );
});

Deno.test("row codec: cache outcomes are read back, stages that were not reached too", () => {
  const outcome = fc.constantFrom("hit" as const, "miss" as const);
  const cache: fc.Arbitrary<CaseCache> = fc.record({
    execution: outcome,
    retrieve: outcome,
    generate: outcome,
    judgment: fc.record({ hit: fc.nat(), miss: fc.nat() }),
  }, { requiredKeys: ["execution", "judgment"] }).map(stated);
  fc.assert(
    fc.property(cache, (cache) => {
      assert.deepEqual(decodeCache(encodeCache(cache)), cache);
    }),
    { seed: 20260917 },
  );
});
