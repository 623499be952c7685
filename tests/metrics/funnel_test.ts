import assert from "node:assert/strict";
import { FunnelFold } from "../../lib/metrics/funnel.ts";
import { type Finished, finishedCase, passages, relevant } from "./judged_case.ts";

/** `cases: relevant → retrieved → within top_k 2 → in the context`. */
function funnelOf(cases: readonly Finished[], unit: "document" | "chunk" = "document"): string {
  const fold = new FunnelFold(unit, { top_k: 2 });
  for (const { record } of cases.map(finishedCase)) fold.add(record);
  const { cases: count, relevant, retrieved, within_top_k, in_context } = fold.funnel();
  return `${count}: ${[relevant, retrieved, within_top_k, in_context].join(" → ")}`;
}

const labelled = relevant("a", "b", "c");

Deno.test("FunnelFold: relevant units on their way to the generator", () => {
  const given = { expected: labelled, candidates: passages("x", "a", "b"), context: passages("x", "a") };
  assert.equal(funnelOf([given]), "1: 3 → 2 → 1 → 1");
  const overBudget = { ...given, context: passages("x") };
  assert.equal(funnelOf([given, overBudget]), "2: 6 → 4 → 2 → 1");
});

Deno.test("FunnelFold: a repeated unit counts once, at its first position", () => {
  const candidates = passages("a", "a", "a", "b");
  assert.equal(
    funnelOf([{ expected: relevant("a"), candidates, context: passages("a", "a") }]),
    "1: 1 → 1 → 1 → 1",
  );
  assert.equal(
    funnelOf([{ expected: relevant("b"), candidates, context: passages("a", "a") }]),
    "1: 1 → 1 → 0 → 0",
  );
});

Deno.test("FunnelFold: a system may send what it did not retrieve", () => {
  const given = { expected: relevant("a"), candidates: passages("x"), context: passages("a") };
  assert.equal(funnelOf([given]), "1: 1 → 0 → 0 → 1");
});

Deno.test("FunnelFold: cases without labels and cases that were not executed to the end stay outside", () => {
  const candidates = passages("a");
  const error = { stage: "generate", kind: "timeout", message: "late" } as const;
  const cases: readonly Finished[] = [
    { candidates, context: candidates },
    { expected: { relevant: [{ doc_id: "a", grade: 0 }] }, candidates, context: candidates },
    { expected: labelled, candidates, context: candidates, error },
    { expected: labelled, error: { ...error, stage: "retrieve" } },
  ];
  assert.equal(funnelOf(cases), "0: 0 → 0 → 0 → 0");
});

Deno.test("FunnelFold: chunks are units of their own, and cases whose candidates name none stay outside", () => {
  const expected = relevant("a|1", "a|2");
  const candidates = passages("a|1", "a|3", "a|2");
  const given = { expected, candidates, context: passages("a|1", "a|3") };
  assert.equal(funnelOf([given], "document"), "1: 1 → 1 → 1 → 1");
  assert.equal(funnelOf([given], "chunk"), "1: 2 → 2 → 1 → 1");
  assert.equal(funnelOf([{ ...given, candidates: passages("a") }], "chunk"), "0: 0 → 0 → 0 → 0");
});

Deno.test("FunnelFold: positions tell of every relevant unit where it stands and what became of it", () => {
  const fold = new FunnelFold("document", { top_k: 2 });
  const candidates = passages("x", "a", "b");
  const dropped = [
    { position: 2, doc_id: "a", reason: "over_token_budget" },
    { position: 3, doc_id: "b", reason: "beyond_top_k" },
  ] as const;
  const given = { expected: labelled, candidates, context: passages("x"), dropped };
  const sent = { ...given, context: passages("x", "a"), dropped: dropped.slice(1) };
  for (const finished of [given, sent, sent]) fold.add(finishedCase(finished).record);
  const { positions, relevant: units } = fold.funnel();
  assert.deepEqual(positions, [
    { position: 2, fate: "in_context", units: 2 },
    { position: 2, fate: "over_token_budget", units: 1 },
    { position: 3, fate: "beyond_top_k", units: 3 },
    { position: null, fate: "not_retrieved", units: 3 },
  ]);
  assert.equal(positions?.reduce((sum, { units }) => sum + units, 0), units);
});

Deno.test("FunnelFold: without a single ranking there are no positions, without a reported context no fates", () => {
  const record = finishedCase({ expected: relevant("a"), candidates: passages("a") }).record;
  const { context: _context, dropped: _dropped, ...told } = record;
  const unranked = new FunnelFold("document", { top_k: 2, ranked: false });
  unranked.add(record);
  assert.equal(unranked.funnel().positions, null);
  const partly = new FunnelFold("document", { top_k: 2, reports: ["candidates"] });
  partly.add(told);
  assert.deepEqual(partly.funnel().positions, [{ position: 1, fate: "not_known", units: 1 }]);
  assert.equal(new FunnelFold("document", { top_k: 2, reports: [] }).funnel().positions, null);
});
