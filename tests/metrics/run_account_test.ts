import assert from "node:assert/strict";
import { AccountFold } from "../../lib/metrics/run_account.ts";
import { type Finished, finishedCase } from "./judged_case.ts";

function accountOf(...cases: readonly Finished[]) {
  const fold = new AccountFold();
  for (const finished of cases.map(finishedCase)) fold.add(finished);
  return fold.account();
}

const missed = { execution: "miss", retrieve: "miss", generate: "miss" } as const;
const found = { execution: "hit", retrieve: "hit", generate: "hit" } as const;
const nothing = { calls: 0, latency_p50_ms: null, latency_p95_ms: null, usage: {} };

/** A case that was executed, whose generate took some time. */
const took = (latency_ms: number): Finished => ({ cache: missed, costs: { generate: { latency_ms } } });

Deno.test("AccountFold: hits and misses of executions, stages and judgments add up", () => {
  const { cache, stages } = accountOf(
    { cache: { ...missed, judgment: { hit: 1, miss: 2 } } },
    { cache: { ...missed, retrieve: "hit", judgment: { hit: 0, miss: 3 } } },
    { cache: { ...found, judgment: { hit: 3, miss: 0 } } },
  );
  assert.deepEqual(cache, { execution: { hit: 1, miss: 2 }, judgment: { hit: 4, miss: 5 } });
  assert.deepEqual(stages, { retrieve: { hit: 2, miss: 1 }, generate: { hit: 1, miss: 2 } });
});

Deno.test("AccountFold: a stage that was not reached counts nowhere", () => {
  const { stages } = accountOf({ cache: { execution: "miss", retrieve: "miss" } });
  assert.deepEqual(stages, { retrieve: { hit: 0, miss: 1 }, generate: { hit: 0, miss: 0 } });
});

Deno.test("AccountFold: a hit keeps the cost of the call that it stands for, and that is not counted again", () => {
  const costs = {
    retrieve: { latency_ms: 5, usage: { input_tokens: 7 } },
    generate: { latency_ms: 100, usage: { output_tokens: 9, cost_usd: 0.5 } },
  };
  const { usage } = accountOf({ cache: found, costs }, { cache: { ...missed, retrieve: "hit" }, costs });
  assert.deepEqual(usage.retrieve, nothing);
  assert.deepEqual(usage.generate, {
    calls: 1,
    latency_p50_ms: 100,
    latency_p95_ms: 100,
    usage: { output_tokens: 9, cost_usd: 0.5 },
  });
});

Deno.test("AccountFold: percentiles are latencies that were measured", () => {
  const percentiles = (...latencies: readonly number[]) => {
    const { generate } = accountOf(...latencies.map(took)).usage;
    return [generate?.calls, generate?.latency_p50_ms, generate?.latency_p95_ms];
  };
  assert.deepEqual(percentiles(), [0, null, null]);
  assert.deepEqual(percentiles(7), [1, 7, 7]);
  assert.deepEqual(percentiles(30, 10), [2, 10, 30]);
  assert.deepEqual(percentiles(3, 1, 2), [3, 2, 3]);
  const hundred = Array.from({ length: 100 }, (_, index) => 100 - index);
  assert.deepEqual(percentiles(...hundred), [100, 50, 95]);
  assert.deepEqual(percentiles(...hundred.slice(0, 20)), [20, 90, 99]);
  assert.deepEqual(percentiles(100, 9, 1000), [3, 100, 1000]);
});

Deno.test("AccountFold: usage adds up, but for the first token, which is a latency", () => {
  const told = (usage: object): Finished => ({
    cache: missed,
    costs: { generate: { latency_ms: 1, usage } },
  });
  const { generate } = accountOf(
    told({ input_tokens: 1, first_token_ms: 20 }),
    told({ input_tokens: 2, output_tokens: 5 }),
    told({}),
  ).usage;
  assert.equal(generate?.calls, 3);
  assert.equal(generate?.usage.input_tokens, 3);
  assert.equal(generate?.usage.output_tokens, 5);
  assert.ok(!("cost_usd" in (generate?.usage ?? { cost_usd: 0 })));
});

Deno.test("AccountFold: a failed call really ran: its time and its use count", () => {
  const error = {
    stage: "generate",
    kind: "timeout",
    message: "late",
    cost: { latency_ms: 60_000, usage: { input_tokens: 4 } },
  } as const;
  const costs = { retrieve: { latency_ms: 2 } };
  const { usage, failures } = accountOf({ id: "x", cache: missed, error, costs });
  assert.deepEqual(usage.generate, {
    calls: 1,
    latency_p50_ms: 60_000,
    latency_p95_ms: 60_000,
    usage: { input_tokens: 4 },
  });
  assert.equal(usage.retrieve?.calls, 1);
  assert.deepEqual(failures, [{ case_id: "x", stage: "generate", kind: "timeout", message: "late" }]);
});

Deno.test("AccountFold: failures stand in the order of the cases, however they finished", () => {
  const error = { stage: "assemble", kind: "exception", message: "no" } as const;
  const { failures, usage } = accountOf(
    { id: "third", ordinal: 2, error },
    { id: "first", ordinal: 0, error },
    { id: "fine", ordinal: 1 },
    { id: "third", ordinal: 2, repeat: 3, error: { ...error, message: "of repeat 3" } },
    { id: "third", ordinal: 2, repeat: 2, error: { ...error, message: "of repeat 2" } },
  );
  assert.deepEqual(failures.map(({ case_id, message }) => `${case_id} ${message}`), [
    "first no",
    "third no",
    "third of repeat 2",
    "third of repeat 3",
  ]);
  assert.deepEqual(usage, { retrieve: nothing, generate: nothing });
});

Deno.test("AccountFold: with repeats a failure names its own, and kinds are counted by execution", () => {
  const fold = new AccountFold({}, 3);
  const error = { stage: "generate", kind: "exception", message: "no" } as const;
  for (const repeat of [3, 1]) fold.add(finishedCase({ id: "a", repeat, error }));
  fold.add(finishedCase({ id: "a", repeat: 2, error: { ...error, kind: "timeout" } }));
  const told = fold.account().failures.map(({ case_id, repeat, kind }) => `${case_id} ${repeat} ${kind}`);
  assert.deepEqual(told, ["a 1 exception", "a 2 timeout", "a 3 exception"]);
});

Deno.test("AccountFold: what was carried is told apart from what was executed", () => {
  const fold = new AccountFold();
  const hit = { execution: "hit", judgment: { hit: 1, miss: 0 } } as const;
  for (const cache of [{ ...hit, carried: true as const }, hit, {}]) fold.add(finishedCase({ cache }));
  assert.deepEqual(fold.carried, { carried: 1, executed: 2 });
});
