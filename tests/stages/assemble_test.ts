import assert from "node:assert/strict";
import fc from "fast-check";
import type { Assembly, Passage } from "../../lib/domain/passage.ts";
import { accountForContext, assembleContext, budgetToEnter } from "../../lib/stages/assemble.ts";

const named = (...ids: readonly string[]): readonly Passage[] => ids.map((doc_id) => ({ doc_id }));

/** What became of each candidate: kept ids, then `position reason tokens`. */
function fatesOf({ context, dropped }: Assembly): readonly string[] {
  return [
    ...context.map(({ doc_id }) => doc_id),
    ...dropped.map(({ position, reason, tokens }) =>
      `${position} ${reason}${tokens === undefined ? "" : ` ${tokens}`}`
    ),
  ];
}

Deno.test("assembleContext: without a budget the first top_k are kept", () => {
  const assembly = assembleContext(named("a", "b", "c"), { top_k: 2, token_budget: null });
  assert.deepEqual(assembly, {
    context: [{ doc_id: "a" }, { doc_id: "b" }],
    dropped: [{ position: 3, doc_id: "c", reason: "beyond_top_k" }],
  });
});

Deno.test("assembleContext: a later, smaller passage may still fit", () => {
  const assembly = assembleContext(named("a", "b", "c", "d"), { top_k: 3, token_budget: 10 }, [6, 5, 4]);
  assert.deepEqual(fatesOf(assembly), ["a", "c", "2 over_token_budget 5", "4 beyond_top_k"]);
  assert.deepEqual(assembly.tokens, [6, 5, 4]);
});

Deno.test("assembleContext: a passage that fills the budget fits, one token more does not", () => {
  assert.deepEqual(fatesOf(assembleContext(named("a"), { top_k: 1, token_budget: 5 }, [5])), ["a"]);
  assert.deepEqual(fatesOf(assembleContext(named("a"), { top_k: 1, token_budget: 5 }, [6])), [
    "1 over_token_budget 6",
  ]);
});

Deno.test("assembleContext: passages of no tokens fit into a spent budget", () => {
  const assembly = assembleContext(named("a", "b", "c"), { top_k: 3, token_budget: 3 }, [3, 0, 1]);
  assert.deepEqual(fatesOf(assembly), ["a", "b", "3 over_token_budget 1"]);
});

Deno.test("assembleContext: repeated passages are passages of their own", () => {
  const assembly = assembleContext(named("a", "a", "a"), { top_k: 2, token_budget: null });
  assert.deepEqual(fatesOf(assembly), ["a", "a", "3 beyond_top_k"]);
});

Deno.test("assembleContext: nothing retrieved is an empty context", () => {
  assert.deepEqual(assembleContext([], { top_k: 3, token_budget: null }), { context: [], dropped: [] });
  assert.deepEqual(assembleContext([], { top_k: 3, token_budget: 9 }, []), {
    context: [],
    dropped: [],
    tokens: [],
  });
});

Deno.test("assembleContext: a dropped passage is named by document and chunk", () => {
  const candidates = [{ doc_id: "a", chunk_id: "1", text: "long", score: 3 }];
  assert.deepEqual(assembleContext(candidates, { top_k: 1, token_budget: 1 }, [9]).dropped, [
    { position: 1, doc_id: "a", chunk_id: "1", reason: "over_token_budget", tokens: 9 },
  ]);
});

const retrieval = fc.record({
  tokens: fc.array(fc.integer({ min: 0, max: 20 }), { maxLength: 8 }),
  top_k: fc.integer({ min: 1, max: 9 }),
  token_budget: fc.option(fc.integer({ min: 1, max: 60 })),
});

Deno.test("assembleContext: tokens fit, order is kept, every candidate is kept or dropped with its reason", () => {
  fc.assert(
    fc.property(retrieval, ({ tokens, top_k, token_budget }) => {
      const candidates = tokens.map((_, index) => ({ doc_id: `d${index}` }));
      const sizes = tokens.slice(0, top_k);
      const assembly = assembleContext(
        candidates,
        { top_k, token_budget },
        token_budget === null ? [] : sizes,
      );
      const { context, dropped } = assembly;
      const kept = context.map((passage) => candidates.indexOf(passage));
      assert.deepEqual(kept, kept.toSorted((a, b) => a - b));
      const positions = [...kept.map((index) => index + 1), ...dropped.map(({ position }) => position)];
      assert.deepEqual(positions.toSorted((a, b) => a - b), candidates.map((_, index) => index + 1));
      const used = kept.reduce((sum, index) => sum + (tokens[index] ?? 0), 0);
      assert.ok(token_budget === null || used <= token_budget);
      for (const { position, reason, tokens: size } of dropped) {
        assert.equal(reason, position > top_k ? "beyond_top_k" : "over_token_budget");
        if (reason === "beyond_top_k") continue;
        // What was kept before it left less than its size.
        const before = kept.filter((index) => index < position - 1);
        const rest = (token_budget ?? NaN) - before.reduce((sum, index) => sum + (tokens[index] ?? 0), 0);
        assert.ok(size !== undefined && size > rest);
      }
      assert.equal("tokens" in assembly, token_budget !== null);
    }),
    { seed: 20260917, numRuns: 1000 },
  );
});

Deno.test("budgetToEnter: it is the smallest budget, from the present one on, that lets the passage in", () => {
  fc.assert(
    fc.property(retrieval, ({ tokens, token_budget }) => {
      if (token_budget === null) return;
      const candidates = tokens.map((_, index) => ({ doc_id: `d${index}` }));
      const enters = (position: number, budget: number) =>
        assembleContext(candidates, { top_k: 8, token_budget: budget }, tokens).context.some(({ doc_id }) =>
          doc_id === `d${position - 1}`
        );
      for (const [index] of tokens.entries()) {
        let budget: number = token_budget;
        while (!enters(index + 1, budget)) budget++;
        assert.equal(budgetToEnter(index + 1, tokens, token_budget), budget);
      }
    }),
    { seed: 20260917, numRuns: 1000 },
  );
});

Deno.test("budgetToEnter: more budget may first let another passage in, and the wanted one much later", () => {
  // Up to 5 tokens only c fits; from 6 on a takes its room; from 11 on both fit, until at 15 b takes it again.
  const tokens = [6, 9, 5];
  const fromBudget = [3, 5, 6, 11, 12, 15, 20].map((budget) => budgetToEnter(3, tokens, budget));
  assert.deepEqual(fromBudget, [5, 5, 11, 11, 12, 20, 20]);
});

Deno.test("accountForContext: a candidate is sent if a sent passage names it", () => {
  const candidates = [
    { doc_id: "a", chunk_id: "1" },
    { doc_id: "a", chunk_id: "2" },
    { doc_id: "b", chunk_id: "1" },
    { doc_id: "c" },
  ];
  const sent = [{ doc_id: "c", text: "shortened" }, { doc_id: "a", chunk_id: "2" }];
  assert.deepEqual(accountForContext(candidates, sent), {
    context: sent,
    dropped: [
      { position: 1, doc_id: "a", chunk_id: "1", reason: "left_out_by_system" },
      { position: 3, doc_id: "b", chunk_id: "1", reason: "left_out_by_system" },
    ],
  });
});

Deno.test("accountForContext: a sent document without a chunk stands for all its chunks, and may be new", () => {
  const candidates = [{ doc_id: "a", chunk_id: "1" }, { doc_id: "a", chunk_id: "2" }];
  assert.deepEqual(accountForContext(candidates, [{ doc_id: "a" }, { doc_id: "rules" }]).dropped, []);
  assert.equal(accountForContext(candidates, []).dropped.length, 2);
  assert.equal(accountForContext([{ doc_id: "a" }], [{ doc_id: "a", chunk_id: "1" }]).dropped.length, 1);
});
