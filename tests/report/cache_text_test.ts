import assert from "node:assert/strict";
import type { CacheReason, StepExplanation } from "../../lib/domain/cache_explanation.ts";
import type { StoreStats } from "../../lib/domain/store_stats.ts";
import { explanationText, statsText } from "../../lib/report/cache_text.ts";

function lineOf(step: StepExplanation): string | undefined {
  return explanationText({ run_id: "run_B", case_id: "a", steps: [step] }).split("\n")[1];
}

const miss = { step: "retrieve", outcome: "miss", run: "run_A" } as const;

Deno.test("explanationText: every reason has words of its own", () => {
  const reasons: readonly (readonly [CacheReason, string])[] = [
    ["found", "retrieve: hit; made by run_A"],
    ["shared", "retrieve: hit; equal work of the same run"],
    ["no_earlier_entry", "retrieve: miss; no earlier entry with this input"],
    ["earlier_failed", "retrieve: miss; nothing differs from run_A, where it failed: failures are not kept"],
    [
      "passed_over",
      "retrieve: miss; nothing differs from run_A: passed over by --refresh, or stored too late by a run at the same time",
    ],
    ["other_version", "retrieve: miss; nothing differs from run_A but the version of oloproof that made it"],
    ["not_reached", "retrieve: not reached; the execution ended before"],
  ];
  for (const [reason, line] of reasons) assert.equal(lineOf({ ...miss, reason }), line);
  assert.equal(
    lineOf({ ...miss, reason: "found", run: null }),
    "retrieve: hit; made by a run that was forgotten",
  );
});

Deno.test("explanationText: values are shortened, made printable, and told as absent", () => {
  const differing = (here: string | undefined, there: string) =>
    lineOf({
      ...miss,
      reason: "differs",
      difference: { field: "index\u001b", ...(here === undefined ? {} : { here }), there },
    });
  assert.equal(
    differing(undefined, "x".repeat(90)),
    `retrieve: miss; differs from run_A in index\\u{1b}: absent here, "${"x".repeat(38)}… there`,
  );
  assert.equal(
    differing("0123456789ab".repeat(5) + "0123", "\u202e"),
    'retrieve: miss; differs from run_A in index\\u{1b}: 0123456789ab… here, "\\u{202e}" there',
  );
});

Deno.test("explanationText: criteria of which the same is to be said share a line", () => {
  const judged = (criterion: string, reason: CacheReason): StepExplanation => ({
    step: "judgment",
    criterion,
    outcome: "hit",
    reason,
    run: "run_A",
  });
  const steps = [judged("a", "found"), judged("b", "shared"), judged("c", "found")];
  assert.deepEqual(explanationText({ run_id: "run_B", case_id: "x", steps }).split("\n").slice(1), [
    "judgment of a, c: hit; made by run_A",
    "judgment of b: hit; equal work of the same run",
    "",
  ]);
});

Deno.test("statsText: a store that is no file has no size, and child runs are told when there are any", () => {
  const none = { entries: 0, used: 0, cases: 0, runs: 0, bytes: 0 };
  const stats: StoreStats = {
    runs: 1,
    child_runs: 0,
    cases: 0,
    contents: { entries: 1, bytes: 1 },
    judge_calls: { entries: 0, bytes: 0 },
    documents: { entries: 0, bytes: 0 },
    retrievals: { ...none, entries: 3, used: 1 },
    generations: none,
    judgments: none,
    file_bytes: null,
  };
  const text = statsText(stats);
  assert.match(text, /^Runs: 1\n/);
  assert.match(text, /retrievals +│ 3 +│ 1 +│ 2 /);
  assert.doesNotMatch(text, /File|Verdicts/);
  assert.match(
    statsText({ ...stats, judge_calls: { entries: 12, bytes: 3000 } }),
    /\nVerdicts of judges: 12 \(3\.0 kB\)\n/,
  );
  assert.match(
    statsText({ ...stats, child_runs: 1, file_bytes: 4096 }),
    /^Runs: 1, and 1 child run of diagnoses\n/,
  );
});
