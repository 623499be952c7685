/** What every store must do when something is erased from it, and when it is asked what it holds and whence. */
import assert from "node:assert/strict";
import type { ComparisonContent } from "../../lib/domain/comparison.ts";
import type { DiagnosedCase } from "../../lib/domain/diagnosis.ts";
import type { Erasure } from "../../lib/domain/erasure.ts";
import type { Store, StoredDocument } from "../../lib/domain/ports.ts";
import type { TracedCase } from "../../lib/domain/run.ts";
import {
  EMPTY_BATCH,
  entryId,
  evidenceOf,
  headerOf,
  identityFor,
  readAll,
  writeRun,
} from "./run_in_store.ts";

/** The tests; `open` gives an empty store, which the tests close. */
export function describeErasing(name: string, open: () => Promise<Store>): void {
  const test = (title: string, body: (store: Store) => Promise<void>) =>
    Deno.test(`${name}: ${title}`, async () => {
      const store = await open();
      try {
        await body(store);
      } finally {
        store.close();
      }
    });

  const runIds = async (store: Store) => (await store.matchRuns("")).map(({ header }) => header.run_id);
  const documentIds = async (store: Store) => (await store.matchDocuments("")).map(({ id }) => id).toSorted();
  /** Erases after a dry run, which must have told the same and changed nothing. */
  const erase = async (store: Store, erasure: Erasure) => {
    const before = [await store.stats(), await runIds(store), await documentIds(store)];
    const told = await store.erase(erasure, { dry_run: true });
    assert.equal(told.file_bytes, null);
    assert.deepEqual([await store.stats(), await runIds(store), await documentIds(store)], before);
    const { file_bytes, ...erased } = await store.erase(erasure);
    assert.deepEqual({ ...erased, file_bytes: null }, told);
    assert.ok(file_bytes === null || file_bytes.after > 0);
    return erased;
  };

  /** Run A makes what B uses again, but for its case b; C stands alone. */
  async function threeRuns(store: Store): Promise<void> {
    const cases = [{ id: "a", ordinal: 0 }, { id: "b", ordinal: 1 }];
    const { number } = await writeRun(store, headerOf("run_A"), cases);
    const second = await store.beginRun(headerOf("run_B"));
    const { batch: { cases: again } } = evidenceOf(number, { id: "a", ordinal: 0 });
    await store.append(second, { ...EMPTY_BATCH, cases: again });
    await store.append(second, evidenceOf(second, { id: "b", ordinal: 1, case: { input: "other" } }).batch);
    await writeRun(store, headerOf("run_C"), [{ id: "a", ordinal: 0 }, { id: "c", ordinal: 1 }]);
  }

  test("a store that holds nothing gives nothing to erase", async (store) => {
    for (
      const erasure of [
        { what: "unused" },
        { what: "runs", run_ids: ["run_A"] },
        { what: "cases", case_ids: ["a"] },
      ] as const
    ) {
      assert.deepEqual(await erase(store, erasure), {
        runs: [],
        child_runs: [],
        cases: 0,
        runs_with_losses: 0,
        documents: [],
        entries: { retrievals: 0, generations: 0, judgments: 0 },
        shared: { retrievals: 0, generations: 0, judgments: 0 },
        judge_calls: 0,
        contents: 0,
      });
    }
  });

  test("a run is erased with what only it used; what another run uses stays", async (store) => {
    await threeRuns(store);
    const [b, c] = [await readAll(store, "run_B"), await readAll(store, "run_C")];
    const erased = await erase(store, { what: "runs", run_ids: ["run_A"] });
    assert.deepEqual(erased.runs, ["run_A"]);
    assert.equal(erased.cases, 2);
    assert.deepEqual(erased.entries, { retrievals: 1, generations: 1, judgments: 1 });
    assert.deepEqual(erased.shared, { retrievals: 1, generations: 1, judgments: 1 });
    // The content of case a is that of B and C, too; that of b was A's alone.
    assert.equal(erased.contents, 1);
    assert.deepEqual(await runIds(store), ["run_C", "run_B"]);
    assert.deepEqual(await readAll(store, "run_A"), []);
    assert.deepEqual([await readAll(store, "run_B"), await readAll(store, "run_C")], [b, c]);
    assert.equal((await store.findExecutions([identityFor("1 b")])).size, 0);
    assert.equal((await store.findRetrievals([identityFor("r 1 b")])).size, 0);
    assert.equal((await store.findGenerations([identityFor("g 1 b")])).size, 0);
    assert.equal((await store.findJudgments([identityFor("j 1 b")])).size, 0);
    assert.equal((await store.findExecutions([identityFor("1 a")])).size, 1);
  });

  test("several runs are erased at once, and then what they shared with each other goes", async (store) => {
    await threeRuns(store);
    const erased = await erase(store, { what: "runs", run_ids: ["run_B", "run_A"] });
    assert.deepEqual(erased.runs, ["run_A", "run_B"]);
    assert.deepEqual(erased.entries, { retrievals: 3, generations: 3, judgments: 3 });
    assert.deepEqual(erased.shared, { retrievals: 0, generations: 0, judgments: 0 });
    assert.equal((await readAll(store, "run_C")).length, 2);
  });

  test("the number of an erased run is not given again: its entries may still be used", async (store) => {
    // B begins first and makes what A, which began before it, uses.
    const first = await store.beginRun(headerOf("run_A"));
    const { number } = await writeRun(store, headerOf("run_B"), [{ id: "a", ordinal: 0 }]);
    const { batch: { cases } } = evidenceOf(number, { id: "a", ordinal: 0 });
    await store.append(first, { ...EMPTY_BATCH, cases });
    await erase(store, { what: "runs", run_ids: ["run_B"] });
    const next = await writeRun(store, headerOf("run_C"), [{ id: "a", ordinal: 0 }]);
    assert.equal(next.number, number + 1);
    assert.equal((await store.sourceDigests([entryId(number, 0)])).size, 0);
    assert.equal((await store.traceCase("run_A", "a"))?.retrieval?.made_by, null);
    // And its name is free.
    assert.equal(await store.beginRun(headerOf("run_B")), next.number + 1);
  });

  test("with a run go its child runs, and nobody else's", async (store) => {
    await writeRun(store, headerOf("run_A"), [{ id: "a", ordinal: 0 }]);
    const child = (id: string, parent: string, kind: "run" | "control" | "intervention") =>
      writeRun(store, headerOf(id, { kind, parent }), [{ id: "a", ordinal: 0 }]);
    await child("run_A1", "run_A", "intervention");
    await child("run_A2", "run_A", "control");
    await child("run_X1", "run_X", "control");
    // A run of its own right that came of another one is no part of it.
    await child("run_R", "run_A", "run");
    const erased = await erase(store, { what: "runs", run_ids: ["run_A"] });
    assert.deepEqual([erased.runs, erased.child_runs, erased.cases], [["run_A"], ["run_A1", "run_A2"], 3]);
    assert.deepEqual(await runIds(store), ["run_R", "run_X1"]);
  });

  test("with a run go the documents about it, as candidate, as baseline and as diagnosed run", async (store) => {
    for (const id of ["run_A", "run_B", "run_C"]) await store.beginRun(headerOf(id));
    await store.addDocument(diagnosisOf("d of A", "run_A"));
    await store.addDocument(diagnosisOf("d of B", "run_B"));
    await store.addDocument(comparisonOf("A B", "run_A", "run_B"));
    await store.addDocument(comparisonOf("B A", "run_B", "run_A"));
    await store.addDocument(comparisonOf("B C", "run_B", "run_C"));
    await store.addDocument(comparisonOf("B", "run_B", null));
    const erased = await erase(store, { what: "runs", run_ids: ["run_A"] });
    assert.deepEqual(erased.documents.toSorted(), ["sha256:A B", "sha256:B A", "sha256:d of A"]);
    assert.deepEqual(await documentIds(store), ["sha256:B", "sha256:B C", "sha256:d of B"]);
    assert.equal(await store.newestDocument("run_A", "d"), undefined);
  });

  test("a case is erased out of every run, which says what it lost; other cases stay", async (store) => {
    await threeRuns(store);
    await writeRun(store, headerOf("run_A1", { kind: "control", parent: "run_A" }), [{
      id: "a",
      ordinal: 0,
    }]);
    const others = (await readAll(store, "run_B")).slice(1);
    const erased = await erase(store, { what: "cases", case_ids: ["a", "nobody's"] });
    assert.deepEqual([erased.cases, erased.runs_with_losses, erased.runs], [4, 4, []]);
    assert.deepEqual(erased.entries, { retrievals: 3, generations: 3, judgments: 3 });
    assert.deepEqual(await readAll(store, "run_B"), others);
    assert.deepEqual(await store.readCase("run_A", "a"), []);
    assert.deepEqual((await store.caseIds()).toSorted(), ["b", "c"]);
    const lost = (await store.matchRuns("")).map(({ header, finished_cases }) => [
      header.run_id,
      header.forgotten_cases,
      finished_cases,
    ]);
    assert.deepEqual(lost, [["run_A1", 1, 0], ["run_C", 1, 1], ["run_B", 1, 1], ["run_A", 1, 1]]);
    // More of them add up, and repeats of a case are one case.
    await erase(store, { what: "cases", case_ids: ["b"] });
    const [again] = await store.matchRuns("run_B");
    assert.deepEqual([again?.header.forgotten_cases, again?.finished_cases], [2, 0]);
    const repeated = await store.beginRun(headerOf("run_D", { repeats: 2 }));
    for (const repeat of [1, 2]) {
      const { batch } = evidenceOf(repeated, { id: "d", ordinal: repeat, repeat });
      await store.append(repeated, { ...batch, cases: batch.cases.map((row) => ({ ...row, ordinal: 0 })) });
    }
    assert.equal((await erase(store, { what: "cases", case_ids: ["d"] })).cases, 2);
    assert.equal((await store.matchRuns("run_D"))[0]?.header.forgotten_cases, 1);
  });

  test("evidence that another case uses, too, stays as that case's", async (store) => {
    const number = await store.beginRun(headerOf("run_A"));
    const { batch } = evidenceOf(number, { id: "a", ordinal: 0 });
    const twin = batch.cases.map((row) => ({ ...row, ordinal: 1, case: { ...row.case, id: "twin" } }));
    await store.append(number, { ...batch, cases: [...batch.cases, ...twin] });
    const kept = await store.readCase("run_A", "twin");
    const erased = await erase(store, { what: "cases", case_ids: ["a"] });
    assert.deepEqual(erased.shared, { retrievals: 1, generations: 1, judgments: 1 });
    assert.deepEqual(erased.entries, { retrievals: 0, generations: 0, judgments: 0 });
    assert.equal(erased.contents, 0);
    assert.deepEqual(await store.readCase("run_A", "twin"), kept);
  });

  test("with a case go the documents that name it, and those that carry the labels of one", async (store) => {
    for (const id of ["run_A", "run_B"]) await store.beginRun(headerOf(id));
    await store.addDocument(diagnosisOf("names", "run_A", { case_id: "a" }));
    await store.addDocument(diagnosisOf("carries", "run_A", { carried: "sha256:names" }));
    await store.addDocument(diagnosisOf("stays", "run_A", { case_id: "aa" }));
    const change = { case_id: "a", criterion: "right", change: "worse" } as const;
    await store.addDocument(comparisonOf("changed", "run_A", "run_B", { changes: [change] }));
    const decision = { regressed: ["b", "a"] } as unknown as ComparisonContent["decisions"][number];
    await store.addDocument(comparisonOf("regressed", "run_A", "run_B", { decisions: [decision] }));
    const rules = [{ name: "r", criterion: "right", test: "no-regression", cases: ["a"] }] as const;
    const policy = { level: 0.95, on_insufficient: "block", rules } as const;
    await store.addDocument(comparisonOf("ruled", "run_A", "run_B", { policy }));
    await store.addDocument(
      comparisonOf("noted", "run_A", "run_B", {}, ["The candidate ran a part: --case b --case a"]),
    );
    await store.addDocument(comparisonOf("counts", "run_A", "run_B", { paired: 7 }, ["The candidate: a"]));
    await erase(store, { what: "cases", case_ids: ["a"] });
    assert.deepEqual(await documentIds(store), ["sha256:counts", "sha256:stays"]);
  });

  test("the words by which cases were chosen do not name an erased one any more", async (store) => {
    const selection = ["--case a", "--case ab", "--where metadata.topic=a", "--limit 3"];
    await store.beginRun(headerOf("run_A", { selection }));
    await erase(store, { what: "cases", case_ids: ["a"] });
    const [run] = await store.listRuns();
    assert.deepEqual(
      run?.header,
      headerOf("run_A", { selection: ["--case [forgotten]", ...selection.slice(1)] }),
    );
  });

  test("what no run points to is erased with anything, and can be erased alone", async (store) => {
    const { number } = await writeRun(store, headerOf("run_A"), [{ id: "a", ordinal: 0 }]);
    const { batch } = evidenceOf(number, { id: "killed", ordinal: 1, evaluators: ["of the killed"] });
    await store.append(number, { ...batch, cases: [] });
    const kept = await readAll(store, "run_A");
    const erased = await erase(store, { what: "unused" });
    assert.deepEqual(erased.entries, { retrievals: 1, generations: 1, judgments: 1 });
    assert.deepEqual([erased.runs, erased.cases, erased.documents], [[], 0, []]);
    assert.equal((await store.findRetrievals([identityFor("r 1 killed")])).size, 0);
    assert.deepEqual(await readAll(store, "run_A"), kept);
    // The store goes on: the set of evaluators that went can come back.
    const again = evidenceOf(number, { id: "again", ordinal: 2, evaluators: ["of the killed"] });
    await store.append(number, again.batch);
    assert.deepEqual((await readAll(store, "run_A")).at(-1), again.stored);
    await store.append(number, { ...evidenceOf(number, { id: "killed", ordinal: 3 }).batch, cases: [] });
    assert.equal((await erase(store, { what: "cases", case_ids: ["nobody's"] })).entries.judgments, 1);
  });

  test("ids are compared as they are, whatever stands in them", async (store) => {
    const ids = [`"'%_`, `a","b`, "[1]", "😀", "A", "a"];
    await writeRun(store, headerOf("run_A"), ids.map((id, ordinal) => ({ id, ordinal })));
    for (const id of ids) {
      assert.equal((await erase(store, { what: "cases", case_ids: [id] })).cases, 1, id);
    }
    assert.deepEqual(await store.caseIds(), []);
  });

  test("what a store holds is counted", async (store) => {
    await threeRuns(store);
    await writeRun(store, headerOf("run_D", { kind: "control", parent: "run_A" }), []);
    await store.addDocument(diagnosisOf("d", "run_A"));
    const { batch } = evidenceOf(4, { id: "killed", ordinal: 0 });
    await store.append(4, { ...batch, cases: [] });
    const { file_bytes, retrievals, generations, judgments, contents, documents, judge_calls, ...counts } =
      await store
        .stats();
    assert.deepEqual(counts, { runs: 3, child_runs: 1, cases: 6 });
    assert.deepEqual(judge_calls, { entries: 0, bytes: 0 });
    for (const entries of [retrievals, generations, judgments]) {
      const { bytes, ...numbers } = entries;
      assert.deepEqual(numbers, { entries: 6, used: 5, cases: 6, runs: 3 });
      assert.ok(bytes > 0);
    }
    assert.deepEqual([contents.entries, documents.entries], [4, 1]);
    assert.ok(contents.bytes > 0 && documents.bytes > 0);
    assert.ok(file_bytes === null || file_bytes > retrievals.bytes);
  });

  const traced = async (store: Store, input: Parameters<Store["traceInput"]>[0], before: string) =>
    (await Array.fromAsync(store.traceInput(input, before))).map(placeOf);
  const placeOf = ({ run, stored }: TracedCase) => [run.run_id, stored.record.case.id];

  test("a case is traced to its entries and to the runs that made them", async (store) => {
    await threeRuns(store);
    const [whole] = await readAll(store, "run_B");
    const trace = await store.traceCase("run_B", "a");
    assert.deepEqual(trace?.stored, whole);
    assert.equal(trace?.run.run_id, "run_B");
    assert.equal(trace?.execution, identityFor("1 a"));
    assert.deepEqual(trace?.retrieval, { identity: identityFor("r 1 a"), made_by: "run_A" });
    assert.deepEqual(trace?.generation, { identity: identityFor("g 1 a"), made_by: "run_A" });
    assert.deepEqual(trace?.judged, {
      identity: identityFor("j 1 a"),
      made_by: "run_A",
      evaluators: ["completed"],
    });
    const error = { stage: "retrieve", kind: "exception", message: "" } as const;
    await writeRun(store, headerOf("run_F"), [{ id: "a", ordinal: 0, error }]);
    const failed = await store.traceCase("run_F", "a");
    assert.deepEqual([failed?.retrieval, failed?.generation], [undefined, undefined]);
    assert.equal(failed?.judged.made_by, "run_F");
    assert.equal(await store.traceCase("run_B", "c"), undefined);
    assert.equal(await store.traceCase("run_X", "a"), undefined);
  });

  test("cases with an equal input are found in earlier runs, the newest first, whatever they expect", async (store) => {
    const inputs = [{ b: [1, 1e-7, '\u0000😀\u2028\\"'], a: null }, "text", 1, null, false, [], 0.1];
    for (const [run, expected] of [["run_A", "x"], ["run_B", "y"], ["run_C", "x"]] as const) {
      await writeRun(
        store,
        headerOf(run),
        inputs.map((input, ordinal) => ({ id: `${ordinal}`, ordinal, case: { input, expected } })),
      );
    }
    await writeRun(store, headerOf("run_D", { kind: "control", parent: "run_A" }), [
      { id: "0", ordinal: 0, case: { input: "text" } },
    ]);
    await store.beginRun(headerOf("run_E"));
    for (const [index, input] of inputs.entries()) {
      const found = await traced(store, structuredClone(input), "run_E");
      assert.deepEqual(found, [["run_C", `${index}`], ["run_B", `${index}`], ["run_A", `${index}`]]);
    }
    const [reordered] = inputs;
    assert.ok(typeof reordered === "object" && reordered !== null && "a" in reordered);
    const { a, b } = reordered;
    assert.equal((await traced(store, { a, b }, "run_E")).length, 3);
    assert.deepEqual(await traced(store, "text", "run_B"), [["run_A", "1"]]);
    assert.deepEqual(await traced(store, "text", "run_A"), []);
    assert.deepEqual(await traced(store, "1", "run_E"), []);
  });

  test("more cases with one input than a page holds are all found, in their order", async (store) => {
    const many = (run: string) =>
      writeRun(
        store,
        headerOf(run),
        Array.from({ length: 120 }, (_, ordinal) => ({ id: `${ordinal}`, ordinal, case: { input: "same" } })),
      );
    await many("run_A");
    await many("run_B");
    await store.beginRun(headerOf("run_C"));
    const ids = Array.from({ length: 120 }, (_, ordinal) => `${ordinal}`);
    assert.deepEqual(await traced(store, "same", "run_C"), [
      ...ids.map((id) => ["run_B", id]),
      ...ids.map((id) => ["run_A", id]),
    ]);
  });
}

function diagnosisOf(
  id: string,
  run_id: string,
  { case_id, carried = null }: { readonly case_id?: string; readonly carried?: string | null } = {},
): StoredDocument {
  const one: DiagnosedCase = {
    case_id: case_id ?? "",
    label: "UNSTABLE",
    reason: "control_recovered",
    strength: "none",
    best_relevant_position: null,
    units: [],
    control: { passed: 1, failed: 0, unjudged: 0 },
    intervention: { passed: 1, failed: 0, unjudged: 0 },
    recovered: false,
  };
  return {
    id: `sha256:${id}`,
    kind: "diagnosis",
    run_id,
    question: "d",
    content: {
      schema: "oloproof/diagnosis/1",
      run_id,
      criterion: "right",
      intervention: { kind: "gold-context" },
      repeats: 1,
      carried,
      cases: case_id === undefined ? [] : [one],
    },
    beside: {
      selection: {
        failed: 0,
        without_gold_context: 0,
        missing_judgments: 0,
        gold_from_corpus: 0,
        without_relevance_labels: 0,
        unfinished: 0,
        forgotten: 0,
        limit: null,
      },
      settings: { depth: 3, top_k: 2 },
      child_runs: [],
      created_at: "2026-09-17T10:00:00.000Z",
    },
  };
}

function comparisonOf(
  id: string,
  candidate: string,
  baseline: string | null,
  change: Partial<ComparisonContent> = {},
  run_notes: readonly string[] = [],
): StoredDocument {
  return {
    id: `sha256:${id}`,
    kind: "comparison",
    run_id: candidate,
    question: "c",
    content: {
      schema: "oloproof/comparison/1",
      candidate,
      baseline,
      level: 0.95,
      policy: null,
      paired: 0,
      unpaired: { only_in_candidate: 0, only_in_baseline: 0, changed: 0 },
      metrics: [],
      slices: [],
      changes: [],
      decisions: [],
      gate: null,
      ...change,
    },
    beside: {
      settings_changed: [],
      criteria_in_one: [],
      requirements: [],
      run_notes,
      earlier_policies: 0,
      min_slice_support: 1,
      created_at: "2026-09-17T10:00:00.000Z",
    },
  };
}
