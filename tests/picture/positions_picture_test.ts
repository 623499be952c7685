/** Where relevant evidence stands: no unit is lost, and no column lies on both sides of the cut. */
import assert from "node:assert/strict";
import fc from "fast-check";
import type { UnitPosition } from "../../lib/domain/run_report.ts";
import { positionsPicture } from "../../lib/picture/positions_picture.ts";

function pictureOf(positions: readonly UnitPosition[], topK: number | null) {
  const relevant = positions.reduce((sum, { units }) => sum + units, 0);
  const funnel = {
    unit: "document",
    cases: relevant,
    relevant,
    retrieved: relevant,
    within_top_k: null,
    in_context: null,
    positions,
  } as const;
  return positionsPicture({ funnel, run_id: "run_A", top_k: topK, token_budget: 40 });
}

Deno.test("positions: a column each, those that were not retrieved last, and the cut after top_k", () => {
  const picture = pictureOf([
    { position: 1, fate: "in_context", units: 10 },
    { position: 2, fate: "over_token_budget", units: 2 },
    { position: 4, fate: "beyond_top_k", units: 1 },
    { position: null, fate: "not_retrieved", units: 1 },
  ], 2);
  assert.ok(picture !== undefined);
  assert.deepEqual(picture.columns.map(({ label, parts }) => [label, parts.map(({ count }) => count)]), [
    ["1", [10]],
    ["2", [2]],
    ["3", []],
    ["4", [1]],
    ["none", [1]],
  ]);
  assert.deepEqual(picture.cuts, [{ after: 2, label: "top_k 2" }]);
  assert.deepEqual(picture.legend.map(({ text }) => text), [
    "in the context 10",
    "dropped by the token budget 2",
    "beyond top-k 1",
    "not retrieved 1",
  ]);
});

Deno.test("positions: nothing is drawn where there are none to tell", () => {
  assert.equal(pictureOf([], 2), undefined);
  const funnel = {
    unit: "chunk",
    cases: 1,
    relevant: 1,
    retrieved: null,
    within_top_k: null,
    in_context: 1,
  } as const;
  assert.equal(
    positionsPicture({
      funnel: { ...funnel, positions: null },
      run_id: "run_A",
      top_k: 2,
      token_budget: null,
    }),
    undefined,
  );
});

Deno.test("positions: however deep, every unit is in one column, and the cut stands between two", () => {
  const position = fc.record({
    position: fc.oneof(fc.integer({ min: 1, max: 30 }), fc.integer({ min: 1, max: 5000 })),
    units: fc.integer({ min: 1, max: 9 }),
  });
  fc.assert(
    fc.property(
      fc.array(position, { minLength: 1, maxLength: 20 }),
      fc.integer({ min: 1, max: 400 }),
      (list, topK) => {
        const positions = list.map(({ position, units }) => ({
          position,
          units,
          fate: position > topK ? "beyond_top_k" : "in_context",
        } as const));
        const picture = pictureOf(positions, topK);
        assert.ok(picture !== undefined);
        const sum = (tones: readonly string[]) =>
          picture.columns.flatMap(({ parts }) => parts).filter(({ tone }) => tones.includes(tone))
            .reduce((total, { count }) => total + count, 0);
        assert.equal(sum(["value", "open"]), positions.reduce((total, { units }) => total + units, 0));
        const [cut] = picture.cuts;
        assert.ok(cut !== undefined);
        const above = picture.columns.slice(0, cut.after).flatMap(({ parts }) => parts);
        const below = picture.columns.slice(cut.after).flatMap(({ parts }) => parts);
        assert.ok(above.every(({ tone }) => tone === "value"));
        assert.ok(below.every(({ tone }) => tone === "open"));
        assert.ok(picture.columns.length <= 32, `${picture.columns.length} columns`);
      },
    ),
    { seed: 7 },
  );
});
