import assert from "node:assert/strict";
import { forgetText, type Forgotten, pruneText } from "../../lib/report/erasure_text.ts";

const nothing = { retrievals: 0, generations: 0, judgments: 0 };
const forgotten: Forgotten = {
  dry_run: false,
  case_ids: [],
  before: null,
  runs: ["run_A"],
  child_runs: [],
  cases: 1,
  runs_with_losses: 0,
  documents: [],
  entries: nothing,
  shared: nothing,
  judge_calls: 0,
  contents: 0,
  file_bytes: null,
};

Deno.test("forgetText: what other cases use is said to stay; many names are counted, none can move the cursor", () => {
  const case_ids = ["a\u202e", ...Array.from({ length: 11 }, (_, index) => `c${index}`)];
  const lines = forgetText({
    ...forgotten,
    runs: [],
    case_ids,
    runs_with_losses: 2,
    documents: ["sha256:a"],
    entries: { retrievals: 1, generations: 2, judgments: 1 },
    shared: { retrievals: 0, generations: 1, judgments: 0 },
    file_bytes: { before: 5000, after: 1000 },
  }).split("\n");
  assert.deepEqual(lines, [
    "Forgot 12 cases in 2 runs: a\\u{202e}, c0, c1, c2, c3, c4, c5, c6, c7, c8, … (12 in all)",
    "Executions of cases: 1",
    "Diagnoses and comparisons: 1",
    "Entries that no run points to any more: 1 retrieval, 2 generations, 1 set of judgments",
    "Contents of cases that no run has any more: 0",
    "Kept, since other cases use them, too: 0 retrievals, 1 generation, 0 sets of judgments",
    "Store: 5.0 kB before, 1.0 kB after",
    "The case files are as they were: a run of these cases would store them again",
    "Exports, bundles and backups of the store are not reached from here",
    "",
  ]);
});

Deno.test("forgetText: a dry run says that nothing was changed, and nothing to forget is no success", () => {
  const dry = forgetText({ ...forgotten, dry_run: true, child_runs: ["run_B"] });
  assert.match(dry, /^Would forget 1 run and 1 child run: run_A\n/);
  assert.match(dry, /Nothing was changed \(--dry-run\)\n$/);
  assert.doesNotMatch(dry, /Exports/);
  assert.equal(
    forgetText({ ...forgotten, runs: [], before: "2026-01-01T00:00:00.000Z" }),
    "Nothing to forget: no run started before 2026-01-01T00:00:00.000Z\n",
  );
});

Deno.test("pruneText: what was removed, or that there was nothing", () => {
  assert.equal(pruneText(forgotten), "Nothing to prune: a run points to every entry\n");
  assert.match(
    pruneText({ ...forgotten, judge_calls: 3 }),
    /^Removed what no run points to\n[^]*\nVerdicts of judges on what is no longer there: 3\n/,
  );
  const found = { ...forgotten, entries: { ...nothing, generations: 1 } };
  assert.match(
    pruneText(found),
    /^Removed what no run points to\nEntries .*: 0 retrievals, 1 generation, 0 sets/,
  );
  assert.match(
    pruneText({ ...found, dry_run: true }),
    /^Would remove .*\n.*\n.*\nNothing was changed \(--dry-run\)\n$/,
  );
});
