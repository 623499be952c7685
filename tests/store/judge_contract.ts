/** What every store must do with verdicts of judges, and with calibrations. */
import assert from "node:assert/strict";
import type { CalibrationContent } from "../../lib/domain/calibration.ts";
import type { Erasure } from "../../lib/domain/erasure.ts";
import type { JudgeCallEntry } from "../../lib/domain/judge.ts";
import type { Store, StoredDocument } from "../../lib/domain/ports.ts";
import { headerOf, identityFor, readAll, writeRun } from "./run_in_store.ts";

/** A remembered verdict. */
function callOf(name: string, change: Partial<JudgeCallEntry> = {}): JudgeCallEntry {
  return {
    identity: identityFor(name),
    record: identityFor("j 1 a"),
    verdict: { pass: true, failed: [], reason: name },
    ...change,
  };
}

/** A calibration about a run. */
function calibrationOf(id: string, run_id: string, change: Partial<CalibrationContent> = {}): StoredDocument {
  const rate = null;
  return {
    id: `sha256:${id}`,
    kind: "calibration",
    run_id,
    question: "the judge",
    content: {
      schema: "oloproof/calibration/1",
      criterion: "grounded",
      judge: { type: "groundedness_judge", version: 1, parameters: {}, source_digest: null },
      repeats: 1,
      level: 0.95,
      rows: [{ row: "a", record: "r", label: "pass", verdicts: ["fail"] }],
      figures: {
        table: {
          human_pass_judge_pass: 0,
          human_pass_judge_fail: 1,
          human_fail_judge_pass: 0,
          human_fail_judge_fail: 0,
        },
        labels: 1,
        without_verdict: [],
        sensitivity: rate,
        specificity: rate,
        agreement: rate,
        prevalence: 1,
        consistency: rate,
        kappa: null,
        pabak: -1,
        gwet_ac1: null,
      },
      ...change,
    },
    beside: { run_id, reasons: { a: "because" }, earlier: 0, created_at: "2026-09-17T10:00:00.000Z" },
  };
}

/** The tests; `open` gives an empty store, which the tests close. */
export function describeJudging(name: string, open: () => Promise<Store>): void {
  const test = (title: string, body: (store: Store) => Promise<void>) =>
    Deno.test(`${name}: ${title}`, async () => {
      const store = await open();
      try {
        await body(store);
      } finally {
        store.close();
      }
    });

  const found = async (
    store: Store,
    ...names: readonly string[]
  ) => [...(await store.findJudgeCalls(names.map(identityFor))).values()];

  test("verdicts of judges are found by what was asked, the newest of each", async (store) => {
    assert.deepEqual(await found(store, "a"), []);
    await store.addJudgeCalls([]);
    const whole = callOf("b", {
      run_id: "run_A",
      verdict: { pass: false, failed: [1, 3], reason: "quo'te \" \u0000 😀" },
      usage: { input_tokens: 10, cost_usd: 1e-9 },
    });
    await store.addJudgeCalls([callOf("a"), whole]);
    assert.deepEqual(await found(store, "a", "b", "c"), [callOf("a"), whole]);
    const again = callOf("a", { verdict: { pass: false, failed: [], reason: "again" } });
    await store.addJudgeCalls([again]);
    assert.deepEqual(await found(store, "a"), [again]);
  });

  test("what was asked of judges is read back with the case, and carried as found", async (store) => {
    const judge_calls = { hit: 1, miss: 2, usage: { input_tokens: 100, output_tokens: 7, cost_usd: 0.25 } };
    const { stored } = await writeRun(store, headerOf("run_A"), [
      { id: "a", ordinal: 0, judge_calls },
      { id: "b", ordinal: 1 },
    ]);
    assert.deepEqual(await readAll(store, "run_A"), stored);
    assert.deepEqual(stored.map((one) => one.judge_calls), [judge_calls, undefined]);
    const number = await store.beginRun(headerOf("run_B"));
    const places = stored.map(({ ordinal, repeat }) => ({ ordinal, repeat }));
    const cache = { execution: "hit", judgment: { hit: 1, miss: 0 }, carried: true } as const;
    await store.carryCases(number, { from: "run_A", places, cache });
    const carried = await readAll(store, "run_B");
    assert.deepEqual(carried.map((one) => one.judge_calls), [{ hit: 3, miss: 0 }, undefined]);
  });

  test("verdicts are forgotten with the last judgments of what they are about", async (store) => {
    await writeRun(store, headerOf("run_A"), [{ id: "a", ordinal: 0 }, { id: "b", ordinal: 1 }]);
    await store.addJudgeCalls([
      callOf("of a"),
      callOf("of b", { record: identityFor("j 1 b") }),
      callOf("of nothing", { record: identityFor("j 9 z") }),
    ]);
    await store.erase({ what: "cases", case_ids: ["a"] }, { dry_run: true });
    assert.equal((await found(store, "of a", "of b", "of nothing")).length, 3);
    await store.erase({ what: "cases", case_ids: ["a"] });
    assert.deepEqual(
      (await found(store, "of a", "of b", "of nothing")).map(({ verdict }) => verdict.reason),
      [
        "of b",
      ],
    );
  });

  test("verdicts that a calibration rests on are kept with it, and all are counted", async (store) => {
    await writeRun(store, headerOf("run_A"), [{ id: "a", ordinal: 0 }]);
    const label = (row: string) =>
      ({ row, record: identityFor(`labelled ${row}`), label: "pass", verdicts: ["pass"] }) as const;
    await store.addDocument(calibrationOf("1", "", { rows: [label("x"), label("y")] }));
    await store.addDocument(calibrationOf("2", "run_A", { rows: [label("z")] }));
    await store.addJudgeCalls([
      callOf("of a"),
      ...["x", "y", "z", "nothing"].map((row) => callOf(row, { record: identityFor(`labelled ${row}`) })),
    ]);
    const left = async () =>
      (await found(store, "of a", "x", "y", "z", "nothing")).map((one) => one.verdict.reason);
    const erase = async (erasure: Erasure) => {
      const told = await store.erase(erasure, { dry_run: true });
      const { judge_calls } = await store.erase(erasure);
      assert.equal(told.judge_calls, judge_calls);
      return judge_calls;
    };
    const { entries, bytes } = (await store.stats()).judge_calls;
    assert.equal(entries, 5);
    assert.ok(bytes > 0);
    assert.equal(await erase({ what: "unused" }), 1);
    assert.deepEqual(await left(), ["of a", "x", "y", "z"]);
    assert.equal(await erase({ what: "runs", run_ids: ["run_A"] }), 2);
    assert.deepEqual(await left(), ["x", "y"]);
    assert.equal(await erase({ what: "cases", case_ids: ["x"] }), 2);
    assert.equal((await store.stats()).judge_calls.entries, 0);
  });

  test("calibrations answer a question, whatever run they are about", async (store) => {
    const documents = [calibrationOf("1", ""), calibrationOf("2", "run_A"), calibrationOf("3", "run_B")];
    for (const document of documents) await store.addDocument(document);
    await store.addDocument({ ...calibrationOf("4", "run_B"), question: "another judge" });
    assert.deepEqual(await store.documentsAnswering("the judge"), documents.toReversed());
    assert.deepEqual(await store.documentsAnswering("no judge"), []);
    assert.deepEqual(await store.matchDocuments("sha256:2"), [documents[1]]);
  });

  test("a calibration goes with its run, and with each case that it names", async (store) => {
    await writeRun(store, headerOf("run_A"), [{ id: "a", ordinal: 0 }]);
    await writeRun(store, headerOf("run_B"), [{ id: "b", ordinal: 0 }]);
    const rows = [{ row: "b", record: "r", label: "fail", verdicts: ["fail"] }] as const;
    await store.addDocument(calibrationOf("1", "run_A"));
    await store.addDocument(calibrationOf("2", "run_B", { rows }));
    await store.addDocument(calibrationOf("3", "", { rows: [] }));
    const left = async () => (await store.documentsAnswering("the judge")).map(({ id }) => id);
    await store.erase({ what: "runs", run_ids: ["run_A"] });
    assert.deepEqual(await left(), ["sha256:3", "sha256:2"]);
    await store.erase({ what: "cases", case_ids: ["b"] });
    assert.deepEqual(await left(), ["sha256:3"]);
  });
}
