/** What every store must do, whatever it is made of. */
import assert from "node:assert/strict";
import { excluded, type Judgment, missing, observed } from "../../lib/domain/judgment.ts";
import type { Store, StoredDocument, StoredRun } from "../../lib/domain/ports.ts";
import type { StageFailure } from "../../lib/domain/record.ts";
import { accountForContext, assembleContext } from "../../lib/stages/assemble.ts";
import {
  EMPTY_BATCH,
  entryId,
  evidenceOf,
  headerOf,
  identityFor,
  joinBatches,
  readAll,
  writeRun,
} from "./run_in_store.ts";

/** Text that has broken one store or another. */
const HOSTILE = `a\u0000b 😀 'single' "double" \`back\` \\ -- ; DROP TABLE runs; \u2028\ufeff\n\r\t é`;

/** The tests of a store; `open` gives an empty one, which the tests close. */
export function describeStore(name: string, open: () => Promise<Store>): void {
  const test = (title: string, body: (store: Store) => Promise<void>) =>
    Deno.test(`${name}: ${title}`, async () => {
      const store = await open();
      try {
        await body(store);
      } finally {
        store.close();
      }
    });

  test("an empty store holds nothing and finds nothing", async (store) => {
    assert.deepEqual(await store.listRuns(), []);
    assert.deepEqual(await store.matchRuns(""), []);
    assert.deepEqual(await readAll(store, "run_A"), []);
    assert.deepEqual(await store.readCase("run_A", "a"), []);
    const nothing = [identityFor("a")];
    assert.equal((await store.findExecutions(nothing)).size, 0);
    assert.equal((await store.findRetrievals(nothing)).size, 0);
    assert.equal((await store.findGenerations(nothing)).size, 0);
    assert.equal((await store.findJudgments(nothing)).size, 0);
    assert.equal((await store.sourceDigests([entryId(1, 0)])).size, 0);
    assert.equal((await store.findRetrievals([])).size, 0);
  });

  test("runs are numbered in their order, and a run_id is given once", async (store) => {
    assert.equal(await store.beginRun(headerOf("run_A")), 1);
    assert.equal(await store.beginRun(headerOf("run_B")), 2);
    await assert.rejects(store.beginRun(headerOf("run_A")));
    assert.equal((await store.listRuns()).length, 2);
  });

  test("a run's header is read back whole, with the status and time of its end", async (store) => {
    const header = headerOf("run_A", { name: HOSTILE, source_digest: null, selection: [HOSTILE] });
    await store.beginRun(header);
    assert.deepEqual(await store.listRuns(), [{ number: 1, header, finished_cases: 0 }]);
    await store.finishRun("run_A", "interrupted", "2026-09-17T10:01:00.000Z");
    const ended = { ...header, status: "interrupted", finished_at: "2026-09-17T10:01:00.000Z" };
    assert.deepEqual(await store.listRuns(), [{ number: 1, header: ended, finished_cases: 0 }]);
  });

  test("the end of one run is not the end of another, or of an unknown one", async (store) => {
    await store.beginRun(headerOf("run_A"));
    await store.beginRun(headerOf("run_B"));
    await store.finishRun("run_A", "complete", "2026-09-17T10:01:00.000Z");
    await assert.rejects(store.finishRun("run_X", "complete", "2026-09-17T10:01:00.000Z"), {
      code: "run_gone",
    });
    assert.deepEqual((await store.listRuns()).map(({ header }) => header.status), ["running", "complete"]);
  });

  test("runs are listed with the newest first and their finished cases counted", async (store) => {
    await writeRun(store, headerOf("run_A"), [{ id: "a", ordinal: 0 }, { id: "b", ordinal: 1 }]);
    await writeRun(store, headerOf("run_B"), []);
    await writeRun(store, headerOf("run_C"), [{ id: "a", ordinal: 0 }]);
    const told = (await store.listRuns()).map((
      { header, finished_cases },
    ) => [header.run_id, finished_cases]);
    assert.deepEqual(told, [["run_C", 1], ["run_B", 0], ["run_A", 2]]);
    const limited = async (limit: number) => (await store.listRuns(limit)).map(({ header }) => header.run_id);
    assert.deepEqual(await limited(2), ["run_C", "run_B"]);
    assert.deepEqual(await limited(0), []);
    assert.deepEqual(await limited(9), ["run_C", "run_B", "run_A"]);
  });

  test("runs are matched by the beginning of their id, in which no character is special", async (store) => {
    for (const id of ["run_AB", "run_AC", "run_%", "run_a", "runXA"]) await store.beginRun(headerOf(id));
    const matched = async (prefix: string) =>
      (await store.matchRuns(prefix)).map(({ header }) => header.run_id);
    assert.deepEqual(await matched("run_A"), ["run_AC", "run_AB"]);
    assert.deepEqual(await matched("run_AB"), ["run_AB"]);
    assert.deepEqual(await matched("run_ABC"), []);
    assert.deepEqual(await matched("run_%"), ["run_%"]);
    assert.deepEqual(await matched("%"), []);
    assert.deepEqual(await matched("un_A"), []);
    assert.equal((await matched("")).length, 5);
  });

  test("a finished case is read back as it was written", async (store) => {
    const { stored } = await writeRun(store, headerOf("run_A"), [{
      id: "first",
      ordinal: 0,
      case: {
        input: [1, "two", null, { three: 3.5 }],
        expected: { answer: "x", relevant: [{ doc_id: "a", grade: 2 }] },
        metadata: { topic: "billing", deep: { list: [true, 1e-7] } },
      },
      output: null,
      cache: { execution: "miss", retrieve: "hit", generate: "miss", judgment: { hit: 3, miss: 12 } },
      cost: { latency_ms: 0.123456789, usage: { input_tokens: 3, cost_usd: 1e-9 } },
    }]);
    assert.deepEqual(await readAll(store, "run_A"), stored);
    assert.deepEqual(await store.readCase("run_A", "first"), stored.slice(0, 1));
  });

  test("a case without query, expectation and metadata has none of them afterwards", async (store) => {
    await writeRun(store, headerOf("run_A"), [{
      id: "a",
      ordinal: 0,
      case: { input: null },
      retrieval: { candidates: [] },
    }]);
    const record = (await store.readCase("run_A", "a"))[0]?.record;
    assert.deepEqual(Object.keys(record ?? {}).toSorted(), [
      "candidates",
      "case",
      "context",
      "dropped",
      "output",
    ]);
    assert.deepEqual(record?.case, { id: "a", input: null });
    assert.deepEqual(record?.candidates, []);
  });

  const failures: readonly StageFailure[] = [
    {
      stage: "retrieve",
      kind: "timeout",
      message: "late",
      cost: { latency_ms: 9, usage: { input_tokens: 1 } },
    },
    { stage: "assemble", kind: "invalid_output", message: HOSTILE, cost: { latency_ms: 0 } },
    { stage: "generate", kind: "exception", message: "" },
  ];
  for (const error of failures) {
    test(`a case that failed in ${error.stage} keeps what there was before`, async (store) => {
      const cache = { execution: "miss", retrieve: "miss", judgment: { hit: 0, miss: 0 } } as const;
      const judgments = [missing("execution_failed")];
      const given = { id: "a", ordinal: 0, error, cache, judgments };
      const { stored } = await writeRun(store, headerOf("run_A"), [given]);
      assert.deepEqual(await readAll(store, "run_A"), stored);
      // It stands for no equal execution.
      assert.equal((await store.findExecutions([identityFor("1 a")])).size, 0);
      assert.equal(
        (await store.findRetrievals([identityFor("r 1 a")])).size,
        error.stage === "retrieve" ? 0 : 1,
      );
    });
  }

  test("text comes back as it was, whatever stands in it", async (store) => {
    // A case is read with an id that holds no control characters.
    const id = HOSTILE.replaceAll(/\p{Cc}/gu, "");
    const { stored } = await writeRun(store, headerOf("run_A"), [{
      id,
      ordinal: 0,
      case: { input: { [HOSTILE]: HOSTILE }, expected: HOSTILE, metadata: { [HOSTILE]: HOSTILE } },
      retrieval: {
        query: HOSTILE,
        candidates: [{ doc_id: HOSTILE, chunk_id: HOSTILE, text: HOSTILE, metadata: { a: HOSTILE } }],
      },
      output: JSON.parse(`{"__proto__": ${JSON.stringify(HOSTILE)}}`),
      judgments: [missing("evaluator_failed", HOSTILE)],
      evaluators: [HOSTILE],
    }]);
    assert.deepEqual(await readAll(store, "run_A"), stored);
    assert.deepEqual(await store.readCase("run_A", id), stored.slice(0, 1));
    const [entries] = (await store.findJudgments([identityFor(`j 1 ${id}`)])).values();
    assert.deepEqual(entries?.[0]?.evaluators, [HOSTILE]);
  });

  test("an output of 5 MB is kept", async (store) => {
    const output = { answer: "ü".repeat(5_000_000) };
    await writeRun(store, headerOf("run_A"), [{ id: "a", ordinal: 0, output }, { id: "b", ordinal: 1 }]);
    assert.equal((await readAll(store, "run_A")).length, 2);
    const read = (await store.readCase("run_A", "a"))[0]?.record.output;
    // Compared as a whole, the texts would be printed when they differ.
    assert.ok(JSON.stringify(read) === JSON.stringify(output));
  });

  test("judgments of every kind are read back with their details", async (store) => {
    const judgments: readonly Judgment[] = [
      observed(true),
      observed(false),
      observed(0),
      observed(1),
      observed(1 / 3),
      observed(true, null),
      observed(false, { citations: [{ doc_id: "a", status: "dropped" }] }),
      observed(0.5, [1, [2]]),
      missing("output_field_absent"),
      missing("evaluator_failed", "it threw"),
      excluded("no_relevance_labels"),
    ];
    const evaluators = judgments.map((_, index) => `e${index}`);
    const { stored } = await writeRun(store, headerOf("run_A"), [{
      id: "a",
      ordinal: 0,
      judgments,
      evaluators,
    }]);
    assert.deepEqual((await store.readCase("run_A", "a"))[0]?.judgments, judgments);
    assert.deepEqual(stored[0]?.judgments, judgments);
    const record = identityFor("j 1 a");
    assert.deepEqual((await store.findJudgments([record])).get(record), [
      { id: entryId(1, 0), record, evaluators, judgments },
    ]);
  });

  test("contexts by top_k, by budget and by the system itself are read back", async (store) => {
    const candidates = ["a", "b", "c", "d"].map((doc_id, index) => ({
      doc_id,
      chunk_id: `${index}`,
      text: doc_id,
    }));
    const assemblies = [
      assembleContext(candidates, { top_k: 2, token_budget: null }),
      assembleContext(candidates, { top_k: 9, token_budget: null }),
      assembleContext(candidates, { top_k: 3, token_budget: 7 }, [5, 3, 2]),
      assembleContext(candidates, { top_k: 3, token_budget: 1 }, [5, 3, 2]),
      accountForContext(candidates, []),
      accountForContext(candidates, [{ doc_id: "c" }, { doc_id: "rules", text: "be brief" }]),
      accountForContext(candidates, [{ doc_id: "a", chunk_id: "0", text: "shortened" }]),
      accountForContext(candidates, candidates.toReversed()),
    ];
    const { stored } = await writeRun(
      store,
      headerOf("run_A"),
      assemblies.map((assembly, ordinal) => ({
        id: `case ${ordinal}`,
        ordinal,
        retrieval: { candidates },
        assembly,
      })),
    );
    assert.deepEqual(await readAll(store, "run_A"), stored);
    for (const [ordinal, assembly] of assemblies.entries()) {
      const identity = identityFor(`1 case ${ordinal}`);
      assert.deepEqual((await store.findExecutions([identity])).get(identity)?.assembly, assembly);
    }
  });

  test("cases come in the order of the run, however they were finished, and 450 of them do", async (store) => {
    const number = await store.beginRun(headerOf("run_A"));
    const all = Array.from(
      { length: 450 },
      (_, ordinal) => evidenceOf(number, { id: `c${ordinal}`, ordinal }),
    );
    const shuffled = all.toSorted((a, b) => a.stored.ordinal * 7 % 450 - b.stored.ordinal * 7 % 450);
    for (let start = 0; start < 450; start += 90) {
      await store.append(number, joinBatches(shuffled.slice(start, start + 90).map(({ batch }) => batch)));
    }
    const read = await readAll(store, "run_A");
    assert.deepEqual(read.map(({ ordinal }) => ordinal), all.map((_, index) => index));
    assert.deepEqual(read[201], all[201]?.stored);
    assert.equal((await store.listRuns())[0]?.finished_cases, 450);
  });

  test("whole pages of cases are read without one too many or too few", async (store) => {
    for (const count of [1, 199, 200, 201, 400]) {
      const run_id = `run_${count}`;
      await writeRun(
        store,
        headerOf(run_id),
        Array.from({ length: count }, (_, ordinal) => ({ id: `${ordinal}`, ordinal })),
      );
      assert.equal((await readAll(store, run_id)).length, count);
    }
  });

  test("cases with gaps between them are all read, and reading may stop early", async (store) => {
    const ordinals = [0, 3, 1000, 2_000_000];
    await writeRun(store, headerOf("run_A"), ordinals.map((ordinal) => ({ id: `${ordinal}`, ordinal })));
    assert.deepEqual((await readAll(store, "run_A")).map(({ ordinal }) => ordinal), ordinals);
    for await (const { ordinal } of store.readCases("run_A")) {
      assert.equal(ordinal, 0);
      break;
    }
    assert.equal((await store.readCase("run_A", "1000"))[0]?.ordinal, 1000);
  });

  test("a case is one of its run: neither another run's nor another id's", async (store) => {
    await writeRun(store, headerOf("run_A"), [{ id: "a", ordinal: 0, output: "of A" }]);
    await writeRun(store, headerOf("run_B"), [{ id: "a", ordinal: 0, output: "of B" }]);
    assert.equal((await store.readCase("run_A", "a"))[0]?.record.output, "of A");
    assert.equal((await store.readCase("run_B", "a"))[0]?.record.output, "of B");
    assert.deepEqual(await store.readCase("run_A", "b"), []);
    assert.deepEqual(await store.readCase("run_C", "a"), []);
    assert.deepEqual(await store.readCase("run_A", "A"), []);
  });

  test("entries are found by their identity, and unknown identities are not there", async (store) => {
    await writeRun(store, headerOf("run_A"), [{ id: "a", ordinal: 0 }, { id: "b", ordinal: 1 }]);
    const wanted = (kind: string) => [`${kind} 1 a`, `${kind} 1 b`, `${kind} 1 c`].map(identityFor);
    const retrievals = await store.findRetrievals(wanted("r"));
    assert.deepEqual([...retrievals.keys()].toSorted(), wanted("r").slice(0, 2).toSorted());
    assert.equal(retrievals.get(identityFor("r 1 b"))?.retrieval.query, "b");
    assert.deepEqual(retrievals.get(identityFor("r 1 b"))?.cost, { latency_ms: 1.5 });
    const generations = await store.findGenerations([...wanted("g"), ...wanted("g")]);
    assert.equal(generations.size, 2);
    assert.deepEqual(generations.get(identityFor("g 1 a")), {
      id: entryId(1, 0),
      identity: identityFor("g 1 a"),
      output: { answer: "a" },
      cost: { latency_ms: 1.5 },
    });
    const executions = await store.findExecutions(["1 a", "1 c"].map(identityFor));
    assert.deepEqual([...executions.keys()], [identityFor("1 a")]);
    assert.deepEqual(executions.get(identityFor("1 a"))?.retrieval, retrievals.get(identityFor("r 1 a")));
  });

  test("what a store holds it does not say to lack, whoever wrote it", async (store) => {
    const held = (run: number) =>
      ["r", "g", "j"].map((kind) => `${kind} ${run} a`).concat(`${run} a`).map(identityFor);
    const number = await store.beginRun(headerOf("run_A"));
    await store.append(number, evidenceOf(number, { id: "a", ordinal: 0 }).batch);
    for (const identity of held(number)) assert.equal(store.surelyLacks(identity), false);
    const next = await store.beginRun(headerOf("run_B"));
    await store.append(next, evidenceOf(next, { id: "a", ordinal: 0 }).batch);
    for (const identity of [...held(number), ...held(next)]) {
      assert.equal(store.surelyLacks(identity), false);
    }
  });

  test("the newest runs are told whatever their kind", async (store) => {
    await store.beginRun(headerOf("run_A"));
    await store.beginRun(headerOf("run_B", { kind: "combination" }));
    await store.beginRun(headerOf("run_C"));
    await store.finishRun("run_C", "complete", "2026-09-17T10:01:00.000Z");
    const newest = await store.newestRuns(2);
    assert.deepEqual(newest.map(({ run_id, status }) => [run_id, status]), [
      ["run_C", "complete"],
      ["run_B", "running"],
    ]);
    assert.equal((await store.newestRuns(9)).length, 3);
  });

  test("of several entries with one identity the newest counts", async (store) => {
    for (const [run_id, output] of [["run_A", "old"], ["run_B", "middle"], ["run_C", "new"]] as const) {
      const execution = "same work";
      const retrieval = { query: output, candidates: [{ doc_id: output }] };
      await writeRun(store, headerOf(run_id), [{ id: "a", ordinal: 0, execution, output, retrieval }]);
    }
    const [retrieval] = (await store.findRetrievals([identityFor("r same work")])).values();
    assert.equal(retrieval?.retrieval.query, "new");
    const [generation] = (await store.findGenerations([identityFor("g same work")])).values();
    assert.equal(generation?.output, "new");
    const [execution] = (await store.findExecutions([identityFor("same work")])).values();
    assert.equal(execution?.generation.output, "new");
    assert.deepEqual(execution?.assembly?.context, [{ doc_id: "new" }]);
    const judgments = (await store.findJudgments([identityFor("j same work")])).values().next().value;
    assert.deepEqual(judgments?.map(({ id }) => id), [entryId(3, 0), entryId(2, 0), entryId(1, 0)]);
  });

  test("a failed execution does not hide an older one that finished", async (store) => {
    const execution = "same work";
    await writeRun(store, headerOf("run_A"), [{ id: "a", ordinal: 0, execution, output: "old" }]);
    const error = { stage: "generate", kind: "exception", message: "no" } as const;
    await writeRun(store, headerOf("run_B"), [{ id: "a", ordinal: 0, execution, error }]);
    const [found] = (await store.findExecutions([identityFor(execution)])).values();
    assert.equal(found?.generation.output, "old");
  });

  test("a case may point to entries of an older run, and is read back with their content", async (store) => {
    const { stored: [before] } = await writeRun(store, headerOf("run_A"), [{ id: "a", ordinal: 0 }]);
    assert.ok(before !== undefined);
    const { batch } = evidenceOf(1, { id: "a", ordinal: 0 });
    const cache = {
      execution: "hit",
      retrieve: "hit",
      generate: "hit",
      judgment: { hit: 1, miss: 0 },
    } as const;
    const number = await store.beginRun(headerOf("run_B"));
    const cases = batch.cases.map((row) => ({ ...row, ordinal: 5, cache }));
    await store.append(number, { ...EMPTY_BATCH, cases });
    assert.deepEqual(await readAll(store, "run_B"), [{ ...before, ordinal: 5, cache }]);
  });

  test("entries whose case is not finished are found all the same", async (store) => {
    const number = await store.beginRun(headerOf("run_A"));
    const { batch } = evidenceOf(number, { id: "a", ordinal: 0 });
    await store.append(number, { ...EMPTY_BATCH, retrievals: batch.retrievals });
    assert.equal((await store.findRetrievals([identityFor("r 1 a")])).size, 1);
    assert.deepEqual(await readAll(store, "run_A"), []);
    await store.append(number, { ...batch, retrievals: [] });
    assert.equal((await readAll(store, "run_A")).length, 1);
  });

  test("an empty batch is no work", async (store) => {
    const number = await store.beginRun(headerOf("run_A"));
    await store.append(number, EMPTY_BATCH);
    assert.deepEqual(await readAll(store, "run_A"), []);
  });

  test("a batch of which a part is there already is rejected whole", async (store) => {
    const { number } = await writeRun(store, headerOf("run_A"), [{ id: "a", ordinal: 0 }]);
    const fresh = evidenceOf(number, { id: "b", ordinal: 1 }).batch;
    const { batch } = evidenceOf(number, { id: "a", ordinal: 0 });
    const parts = ["retrievals", "generations", "judgments", "cases"] as const;
    for (const part of parts) {
      const clash = { ...fresh, [part]: [...fresh[part], ...batch[part]] };
      await assert.rejects(store.append(number, clash), `a batch with old ${part} was accepted`);
      assert.equal((await readAll(store, "run_A")).length, 1);
      assert.equal((await store.findGenerations([identityFor("g 1 b")])).size, 0);
      assert.equal((await store.findJudgments([identityFor("j 1 b")])).size, 0);
    }
    await assert.rejects(
      store.append(number, joinBatches([fresh, fresh])),
      "a batch may not hold a case twice",
    );
    await store.append(number, fresh);
    assert.equal((await readAll(store, "run_A")).length, 2);
  });

  test("judgments of several evaluator sets are told apart", async (store) => {
    const number = await store.beginRun(headerOf("run_A"));
    const { batch } = evidenceOf(number, { id: "a", ordinal: 0 });
    const sets = [["x"], ["x", "y"], ["y", "x"], []];
    const record = identityFor("one record");
    await store.append(number, {
      ...batch,
      judgments: sets.map((evaluators, index) => ({
        id: entryId(number, index),
        record,
        evaluators,
        judgments: evaluators.map((name) => observed(name === "x")),
      })),
    });
    const found = (await store.findJudgments([record])).get(record);
    assert.deepEqual(found?.map(({ evaluators }) => evaluators), sets.toReversed());
    assert.deepEqual(found?.map(({ judgments }) => judgments.length), [0, 2, 2, 1]);
  });

  test("the source digest of an entry is that of the run that made it", async (store) => {
    await store.beginRun(headerOf("run_A", { source_digest: "old" }));
    await store.beginRun(headerOf("run_B", { source_digest: null }));
    const ids = [entryId(1, 0), entryId(1, 16_777_215), entryId(2, 7), entryId(3, 0)];
    assert.deepEqual([...await store.sourceDigests(ids)], [
      [entryId(1, 0), "old"],
      [entryId(1, 16_777_215), "old"],
      [entryId(2, 7), null],
    ]);
  });

  test("runs that re-execute others are not listed, and are found by their id", async (store) => {
    await store.beginRun(headerOf("run_A"));
    await store.beginRun(headerOf("run_B", { kind: "intervention", parent: "run_A" }));
    await store.beginRun(headerOf("run_C", { kind: "control", parent: "run_A" }));
    const ids = (runs: readonly StoredRun[]) => runs.map(({ header }) => header.run_id);
    assert.deepEqual(ids(await store.listRuns()), ["run_A"]);
    assert.deepEqual(ids(await store.listRuns(1)), ["run_A"]);
    assert.deepEqual(ids(await store.matchRuns("run_")), ["run_C", "run_B", "run_A"]);
    const [child] = await store.matchRuns("run_B");
    assert.deepEqual([child?.header.kind, child?.header.parent], ["intervention", "run_A"]);
  });

  test("repeats of a case stand together, in the order of the cases", async (store) => {
    const repeats = [3, 1, 2].flatMap((repeat) =>
      Array.from({ length: 100 }, (_, ordinal) => ({ id: `${ordinal}`, ordinal, repeat }))
    );
    const number = await store.beginRun(headerOf("run_A", { repeats: 3 }));
    await store.append(
      number,
      joinBatches(repeats.map((given, index) => {
        // Entries have ids of their own, whatever case they belong to.
        const { batch } = evidenceOf(number, { ...given, ordinal: index });
        return { ...batch, cases: batch.cases.map((row) => ({ ...row, ordinal: given.ordinal })) };
      })),
    );
    const read = (await readAll(store, "run_A")).map(({ ordinal, repeat }) => 3 * ordinal + repeat - 1);
    assert.deepEqual(read, Array.from({ length: 300 }, (_, index) => index));
    const repeatsOf42 = await store.readCase("run_A", "42");
    assert.deepEqual(repeatsOf42.map(({ record, repeat }) => [record.case.id, repeat]), [
      ["42", 1],
      ["42", 2],
      ["42", 3],
    ]);
    const outcomes = await Array.fromAsync(store.readOutcomes("run_A"));
    assert.deepEqual(
      outcomes.map(({ case_id, repeat }) => `${case_id} ${repeat}`),
      (await readAll(store, "run_A")).map(({ record, repeat }) => `${record.case.id} ${repeat}`),
    );
    const { batch } = evidenceOf(number, { id: "0", ordinal: 0, repeat: 3 });
    await assert.rejects(store.append(number, { ...EMPTY_BATCH, cases: batch.cases }));
  });

  test("outcomes and contents are all that a comparison reads, for thousands of cases", async (store) => {
    const number = await store.beginRun(headerOf("run_A"));
    const cases = Array.from({ length: 6001 }, (_, ordinal) => ({ id: `case ${ordinal}`, ordinal }));
    const batches = cases.map((given) => evidenceOf(number, given).batch);
    await store.append(number, joinBatches(batches));
    const outcomes = await Array.fromAsync(store.readOutcomes("run_A"));
    const rows = new Map(batches.flatMap(({ cases }) => cases).map((row) => [row.case.id, row]));
    assert.equal(outcomes.length, cases.length);
    for (const { case_id, case_digest, repeat } of outcomes) {
      assert.deepEqual([case_digest, repeat], [rows.get(case_id)?.case_digest, 1]);
    }
    assert.deepEqual(outcomes.at(-1)?.judgments, batches.at(-1)?.judgments[0]?.judgments);
    const digests = outcomes.slice(0, 3).map(({ case_digest }) => case_digest);
    const contents = await store.readContents([...digests, "0".repeat(64)]);
    assert.deepEqual([...contents.keys()].sort(), [...new Set(digests)].sort());
    const [first] = batches.flatMap(({ cases }) => cases);
    assert.deepEqual(contents.get(first?.case_digest ?? "")?.input, first?.case.input);
    assert.deepEqual(await Array.fromAsync(store.readOutcomes("run_B")), []);
    assert.deepEqual(await store.readContents([]), new Map());
  });

  test("documents of a run are listed, the newest first", async (store) => {
    await store.addDocument(documentOf("aa"));
    await store.addDocument(documentOf("bb", { run_id: "run_B" }));
    await store.addDocument(documentOf("ab"));
    assert.deepEqual((await store.documentsOf("run_A")).map(({ id }) => id), ["sha256:ab", "sha256:aa"]);
  });

  test("a case is finished when all its repeats are", async (store) => {
    const number = await store.beginRun(headerOf("run_A", { repeats: 2 }));
    const places = [[0, 1], [0, 2], [1, 2], [2, 1], [2, 2]] as const;
    for (const [index, [ordinal, repeat]] of places.entries()) {
      const { batch } = evidenceOf(number, { id: `${ordinal}`, ordinal: index, repeat });
      await store.append(number, { ...batch, cases: batch.cases.map((row) => ({ ...row, ordinal })) });
    }
    assert.equal((await store.listRuns())[0]?.finished_cases, 2);
  });

  const END = "2026-09-17T10:01:00.000Z";

  test("a resumed run is running, and only the newest attempt writes it", async (store) => {
    const { number } = await writeRun(store, headerOf("run_A"), [{ id: "a", ordinal: 0 }]);
    await store.finishRun("run_A", "interrupted", END);
    const second = await store.resumeRun("run_A");
    assert.deepEqual([second.number, second.attempt, second.next_entry], [number, 2, 1]);
    assert.deepEqual((await store.listRuns())[0]?.header, headerOf("run_A"));
    const third = await store.resumeRun("run_A");
    assert.equal(third.attempt, 3);

    const { batch } = evidenceOf(number, { id: "b", ordinal: 1 });
    for (const attempt of [1, 2, 4]) {
      await assert.rejects(store.append(number, batch, attempt), { code: "run_taken_over" });
      await assert.rejects(store.finishRun("run_A", "complete", END, attempt), { code: "run_taken_over" });
    }
    assert.equal((await readAll(store, "run_A")).length, 1);
    assert.equal((await store.findRetrievals([identityFor("r 1 b")])).size, 0);
    assert.equal((await store.listRuns())[0]?.header.status, "running");

    await store.append(number, batch, 3);
    await store.finishRun("run_A", "complete", END, 3);
    assert.equal((await readAll(store, "run_A")).length, 2);
    assert.equal((await store.listRuns())[0]?.header.status, "complete");
    await assert.rejects(store.append(number, batch), { code: "run_taken_over" });
  });

  test("a run that is not there is neither resumed nor written", async (store) => {
    await assert.rejects(store.resumeRun("run_A"), { code: "run_gone" });
    const { batch } = evidenceOf(7, { id: "a", ordinal: 0 });
    await assert.rejects(store.append(7, batch), { code: "run_gone" });
    await assert.rejects(store.append(7, { ...batch, cases: [] }), { code: "run_gone" });
    assert.equal((await store.findGenerations([identityFor("g 7 a")])).size, 0);
  });

  test("a resumed run is told which of its entries no finished case counts as made", async (store) => {
    const { number } = await writeRun(store, headerOf("run_A"), [{ id: "a", ordinal: 0 }]);
    const of = (id: string, ordinal: number) => evidenceOf(number, { id, ordinal }).batch;
    // The case of these entries is not finished; a failed one counts its own; a hit leaves them to their maker.
    await store.append(number, { ...of("lost", 3), cases: [] });
    const error = { stage: "generate", kind: "exception", message: "no" } as const;
    const failed = {
      execution: "miss",
      retrieve: "miss",
      generate: "miss",
      judgment: { hit: 0, miss: 0 },
    } as const;
    await store.append(number, evidenceOf(number, { id: "failed", ordinal: 4, error, cache: failed }).batch);
    const hit = {
      execution: "hit",
      retrieve: "hit",
      generate: "hit",
      judgment: { hit: 1, miss: 0 },
    } as const;
    await store.append(number, evidenceOf(number, { id: "hit", ordinal: 5, cache: hit }).batch);
    const half = {
      execution: "miss",
      retrieve: "hit",
      generate: "miss",
      judgment: { hit: 3, miss: 10 },
    } as const;
    await store.append(number, evidenceOf(number, { id: "half", ordinal: 6, cache: half }).batch);
    await writeRun(store, headerOf("run_B"), []);

    const { orphans, next_entry } = await store.resumeRun("run_A");
    assert.equal(next_entry, 7);
    const ids = (numbers: readonly number[]) => numbers.map((one) => entryId(number, one));
    const sorted = (list: readonly number[]) => list.toSorted((a, b) => a - b);
    assert.deepEqual(sorted(orphans.retrievals), ids([3, 5, 6]));
    assert.deepEqual(sorted(orphans.generations), ids([3, 5]));
    assert.deepEqual(sorted(orphans.judgments), ids([3, 5]));
    const empty = await store.resumeRun("run_B");
    assert.equal(empty.next_entry, 0);
    assert.deepEqual(empty.orphans, { retrievals: [], generations: [], judgments: [] });
  });

  test("the work of one run alone is found where that is asked for", async (store) => {
    const execution = "same work";
    for (const [run_id, output] of [["run_A", "old"], ["run_B", "new"]] as const) {
      await writeRun(store, headerOf(run_id), [{ id: "a", ordinal: 0, execution, output }]);
    }
    await store.beginRun(headerOf("run_C"));
    const found = async (run?: number) => {
      const [one] = (await store.findExecutions([identityFor(execution)], run)).values();
      const [retrieval] = (await store.findRetrievals([identityFor(`r ${execution}`)], run)).values();
      const [generation] = (await store.findGenerations([identityFor(`g ${execution}`)], run)).values();
      return [one?.generation.output, retrieval?.id, generation?.output];
    };
    assert.deepEqual(await found(1), ["old", entryId(1, 0), "old"]);
    assert.deepEqual(await found(2), ["new", entryId(2, 0), "new"]);
    assert.deepEqual(await found(3), [undefined, undefined, undefined]);
    assert.deepEqual(await found(), ["new", entryId(2, 0), "new"]);
  });

  test("cases are carried into another run with their evidence, and the first run is as it was", async (store) => {
    const before = await writeRun(store, headerOf("run_A", { repeats: 2 }), [
      { id: "a", ordinal: 0, repeat: 1 },
      { id: "b", ordinal: 1, repeat: 2, output: null },
      { id: "c", ordinal: 2 },
    ]);
    const number = await store.beginRun(headerOf("run_B", { repeats: 2, retry_of: "run_A" }));
    const cache = {
      execution: "hit",
      retrieve: "hit",
      generate: "hit",
      judgment: { hit: 4, miss: 0 },
      carried: true,
    } as const;
    const places = [{ ordinal: 0, repeat: 1 }, { ordinal: 1, repeat: 2 }, { ordinal: 9, repeat: 1 }];
    await store.carryCases(number, { from: "run_A", places, cache });
    assert.deepEqual(
      await readAll(store, "run_B"),
      before.stored.slice(0, 2).map((stored) => ({ ...stored, cache })),
    );
    assert.deepEqual(await readAll(store, "run_A"), before.stored);
    await assert.rejects(store.carryCases(number, { from: "run_A", places, cache }), "twice");
    await store.resumeRun("run_B");
    const rest = { from: "run_A", places: [{ ordinal: 2, repeat: 1 }], cache };
    await assert.rejects(store.carryCases(number, rest), { code: "run_taken_over" });
    await store.carryCases(number, rest, 2);
    assert.equal((await readAll(store, "run_B")).length, 3);
  });

  type StoredDiagnosis = Extract<StoredDocument, { kind: "diagnosis" }>;

  const documentOf = (id: string, change: Partial<StoredDiagnosis> = {}): StoredDiagnosis => ({
    id: `sha256:${id}`,
    kind: "diagnosis",
    run_id: "run_A",
    question: "gold-context answer_correct",
    content: {
      schema: "oloproof/diagnosis/1",
      run_id: "run_A",
      criterion: HOSTILE,
      intervention: { kind: "gold-context" },
      repeats: 1,
      carried: null,
      cases: [],
    },
    beside: besideAt("first"),
    ...change,
  });

  const besideAt = (created_at: string): StoredDiagnosis["beside"] => ({
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
    child_runs: [{ role: "control", run_id: "run_B" }],
    created_at,
  });

  test("documents are found by the beginning of their id, each the newest of its id", async (store) => {
    await store.beginRun(headerOf("run_A"));
    await store.addDocument(documentOf("aa"));
    await store.addDocument(documentOf("ab"));
    await store.addDocument(documentOf("aa", { beside: besideAt("later") }));
    const matched = async (prefix: string) =>
      (await store.matchDocuments(prefix)).map(({ id, beside }) => [id, beside.created_at]);
    assert.deepEqual(await matched("sha256:a"), [["sha256:aa", "later"], ["sha256:ab", "first"]]);
    assert.deepEqual(await matched("sha256:aa"), [["sha256:aa", "later"]]);
    assert.deepEqual(await matched("sha256:b"), []);
    assert.deepEqual(await matched("%"), []);
    assert.deepEqual(await store.matchDocuments("sha256:ab"), [documentOf("ab")]);
  });

  test("the newest answer to a question about a run is found, and no other's", async (store) => {
    await store.beginRun(headerOf("run_A"));
    await store.beginRun(headerOf("run_B"));
    await store.addDocument(documentOf("aa"));
    await store.addDocument(documentOf("bb", { question: HOSTILE }));
    await store.addDocument(documentOf("cc"));
    await store.addDocument(documentOf("dd", { run_id: "run_B" }));
    const newest = async (run_id: string, question: string) =>
      (await store.newestDocument(run_id, question))?.id;
    assert.equal(await newest("run_A", "gold-context answer_correct"), "sha256:cc");
    assert.equal(await newest("run_B", "gold-context answer_correct"), "sha256:dd");
    assert.equal(await newest("run_B", HOSTILE), undefined);
    assert.equal(await newest("run_C", "gold-context answer_correct"), undefined);
    assert.deepEqual(await store.newestDocument("run_A", "gold-context answer_correct"), documentOf("cc"));
  });
}
