import assert from "node:assert/strict";
import type { StageCost, StageFailure } from "../../lib/domain/record.ts";
import { callStage, type CallTools, type StageResult } from "../../lib/stages/call_stage.ts";
import { InvalidOutput } from "../../lib/stages/read_output.ts";
import { HandClock, settle } from "./hand_clock.ts";

interface Given {
  readonly retries?: number;
  readonly clock?: HandClock;
  readonly stop?: AbortSignal;
  readonly read?: (returned: unknown) => unknown;
}

/** Calls a generate stage that may take 10 s. */
function callGenerate(call: (tools: CallTools) => unknown, given: Given = {}): Promise<StageResult<unknown>> {
  const { retries = 0, clock = new HandClock(), stop = new AbortController().signal } = given;
  const read = given.read ?? ((returned) => returned);
  return callStage("generate", call, read, { timeout_seconds: 10, retries }, { clock, stop });
}

function failureOf(result: StageResult<unknown>): StageFailure {
  assert.ok(!result.ok, "the stage did not fail");
  return result.failure;
}

function costOf(result: StageResult<unknown>): StageCost | undefined {
  return result.ok ? result.cost : result.failure.cost;
}

/** A stage whose attempts are given one by one. */
function attempts(...each: readonly ((tools: CallTools) => unknown)[]) {
  let made = 0;
  return {
    call: (tools: CallTools) => {
      const attempt = each[made++];
      assert.ok(attempt !== undefined, "one attempt too many");
      return attempt(tools);
    },
    get made() {
      return made;
    },
  };
}

const throws = () => {
  throw new Error("no answer");
};
const hangs = () => new Promise<never>(() => {});

Deno.test("callStage: a value is read, and its time measured", async () => {
  const clock = new HandClock();
  const { promise, resolve } = Promise.withResolvers<number>();
  const called = callGenerate(() => promise, { clock, read: (returned) => [returned] });
  await clock.advance(250);
  resolve(7);
  assert.deepEqual(await called, { ok: true, value: [7], cost: { latency_ms: 250 } });
  assert.equal(clock.pending, 0);
});

Deno.test("callStage: a stage that returns no promise needs no time limit", async () => {
  const clock = new HandClock();
  assert.deepEqual(await callGenerate(() => null, { clock }), {
    ok: true,
    value: null,
    cost: { latency_ms: 0 },
  });
  assert.deepEqual(clock.asked, []);
});

Deno.test("callStage: whatever can be awaited is awaited", async () => {
  const thenable = {
    then: (resolve: (value: string) => void) => resolve("late"),
  };
  assert.deepEqual(await callGenerate(() => thenable), { ok: true, value: "late", cost: { latency_ms: 0 } });
});

Deno.test("callStage: throwing and rejecting are exceptions of the stage", async () => {
  const { trace, ...thrown } = failureOf(await callGenerate(throws));
  assert.deepEqual(thrown, {
    stage: "generate",
    kind: "exception",
    message: "no answer",
    cost: { latency_ms: 0 },
  });
  assert.match(trace ?? "", /^Error: no answer\n +at throws /);
  const rejected = failureOf(await callGenerate(() => Promise.reject(new TypeError("no route"))));
  assert.equal(rejected.kind, "exception");
  assert.equal(rejected.message, "no route");
});

Deno.test("callStage: a trace is kept of exceptions alone, and is as bounded as a message", async () => {
  const long = Object.assign(new Error("a"), { stack: `\ud800${"x".repeat(5000)}` });
  const trace = failureOf(await callGenerate(() => Promise.reject(long))).trace ?? "";
  assert.ok(trace.isWellFormed() && trace.length === 2001);
  assert.ok(!("trace" in failureOf(await callGenerate(() => Promise.reject("a text")))));
  const read = () => {
    throw new InvalidOutput("no");
  };
  assert.ok(!("trace" in failureOf(await callGenerate(() => 1, { read }))));
});

Deno.test("callStage: anything can be thrown, and none of it ends the run", async () => {
  const thrown = ["text", undefined, null, 42, Object.create(null), { message: "rate limit" }, Symbol("s")];
  const messages = await Promise.all(thrown.map(async (value) =>
    failureOf(
      await callGenerate(() => {
        throw value;
      }),
    ).message
  ));
  assert.deepEqual(messages, [
    "text",
    "undefined",
    "null",
    "42",
    "something without a text was thrown",
    "rate limit",
    "Symbol(s)",
  ]);
  const odd = Object.assign(new Error("a"), { message: { nested: true } });
  assert.equal(typeof failureOf(await callGenerate(() => Promise.reject(odd))).message, "string");
});

Deno.test("callStage: a stage that hangs has timed out after its seconds, and its signal fires", async () => {
  const clock = new HandClock();
  let signal: AbortSignal | undefined;
  const called = callGenerate((tools) => {
    signal = tools.signal;
    return hangs();
  }, { clock });
  let ended = false;
  called.finally(() => ended = true);
  await clock.advance(9_999);
  assert.equal(ended, false);
  assert.equal(signal?.aborted, false);
  await clock.advance(1);
  assert.deepEqual(failureOf(await called), {
    stage: "generate",
    kind: "timeout",
    message: "no answer within 10 s (run.timeout_seconds)",
    cost: { latency_ms: 10_000 },
  });
  assert.equal(signal?.aborted, true);
  assert.equal(clock.pending, 0);
});

Deno.test("callStage: the signal of a call that finished in time never fires", async () => {
  const clock = new HandClock();
  const stop = new AbortController();
  const signals: AbortSignal[] = [];
  const call = ({ signal }: CallTools) => {
    signals.push(signal);
    return Promise.resolve(1);
  };
  await callGenerate(call, { clock, stop: stop.signal });
  await clock.advance(60_000);
  stop.abort();
  assert.deepEqual(signals.map(({ aborted }) => aborted), [false]);
});

Deno.test("callStage: what a timed-out call returns or throws later is ignored", async () => {
  for (const late of ["resolve", "reject"] as const) {
    const clock = new HandClock();
    const first = Promise.withResolvers<string>();
    const stage = attempts(() => first.promise, () => hangs());
    const called = callGenerate(stage.call, { clock, retries: 1 });
    await clock.advance(10_000);
    await clock.advance(500);
    assert.equal(stage.made, 2);
    if (late === "resolve") first.resolve("late");
    else first.reject(new Error("late"));
    await clock.advance(10_000);
    assert.equal(failureOf(await called).kind, "timeout");
  }
});

Deno.test("callStage: a stage that threw or timed out is called again, after waits that double up to 8 s", async () => {
  const clock = new HandClock();
  const stage = attempts(throws, throws, throws, throws, throws, throws, () => "at last");
  const called = callGenerate(stage.call, { clock, retries: 6 });
  const waits = [500, 1000, 2000, 4000, 8000, 8000];
  for (const [index, wait] of waits.entries()) {
    await clock.advance(wait - 1);
    assert.equal(stage.made, index + 1);
    await clock.advance(1);
    assert.equal(stage.made, index + 2);
  }
  assert.deepEqual(await called, { ok: true, value: "at last", cost: { latency_ms: 0 } });
  assert.deepEqual(clock.asked, waits);
});

Deno.test("callStage: no further attempt is made than retries allow, and the last failure is told", async () => {
  const clock = new HandClock();
  const stage = attempts(throws, () => hangs(), () => {
    throw new Error("the last one");
  });
  const called = callGenerate(stage.call, { clock, retries: 2 });
  await clock.advance(500);
  await clock.advance(10_000);
  await clock.advance(1000);
  const failure = failureOf(await called);
  assert.equal(stage.made, 3);
  assert.equal(failure.message, "the last one");
  assert.equal(failure.cost?.latency_ms, 0);
});

Deno.test("callStage: an output of a wrong shape is not asked for again", async () => {
  const read = () => {
    throw new InvalidOutput("generate returned a function");
  };
  const stage = attempts(() => 1);
  const failure = failureOf(await callGenerate(stage.call, { retries: 5, read }));
  assert.equal(failure.kind, "invalid_output");
  assert.equal(failure.message, "generate returned a function");
  assert.equal(stage.made, 1);
});

Deno.test("callStage: usage adds up over calls and attempts; of first tokens the first counts", async () => {
  const clock = new HandClock();
  const stage = attempts(({ usage }) => {
    usage({ input_tokens: 10, output_tokens: 1, first_token_ms: 30 });
    throw new Error("cut off");
  }, ({ usage }) => {
    usage({ input_tokens: 10, cost_usd: 0.25 });
    usage({ output_tokens: 5, cost_usd: 0.5, first_token_ms: 90 });
    return "done";
  });
  const called = callGenerate(stage.call, { clock, retries: 1 });
  await clock.advance(500);
  const expected = { input_tokens: 20, output_tokens: 6, cost_usd: 0.75, first_token_ms: 30 };
  assert.deepEqual(costOf(await called)?.usage, expected);
});

Deno.test("callStage: a failure keeps the usage of its attempts, silence is no usage at all", async () => {
  const failure = failureOf(
    await callGenerate(({ usage }) => {
      usage({ output_tokens: 0 });
      throw new Error("a");
    }),
  );
  assert.deepEqual(failure.cost?.usage, { output_tokens: 0 });
  const silent = costOf(await callGenerate(() => 1));
  assert.ok(silent !== undefined && !("usage" in silent));
});

Deno.test("callStage: usage that is told after the answer changes nothing", async () => {
  let tools: CallTools | undefined;
  const result = await callGenerate((given) => {
    tools = given;
    given.usage({ input_tokens: 1 });
    return 1;
  });
  tools?.usage({ input_tokens: 100 });
  assert.deepEqual(costOf(result)?.usage, { input_tokens: 1 });
});

Deno.test("callStage: usage that is no number ≥ 0 is an exception of the stage that told it", async () => {
  const wrong: unknown[] = [NaN, -1, Infinity, "5", null];
  for (const input_tokens of wrong) {
    const result = await callGenerate(({ usage }) => {
      Reflect.apply(usage, undefined, [{ input_tokens }]);
      return 1;
    });
    const failure = failureOf(result);
    assert.equal(failure.kind, "exception");
    assert.equal(failure.message, `usage: input_tokens is ${input_tokens}; it is a number ≥ 0`);
    assert.ok(failure.cost !== undefined && !("usage" in failure.cost));
  }
});

Deno.test("callStage: a message is cut to 2,000 characters and made well-formed", async () => {
  const messageOf = async (message: string) =>
    failureOf(await callGenerate(() => Promise.reject(new Error(message)))).message;
  assert.equal(await messageOf("x".repeat(2000)), "x".repeat(2000));
  assert.equal(await messageOf("x".repeat(2001)), `${"x".repeat(2000)}…`);
  assert.equal(await messageOf("a\ud800b"), "a\ufffdb");
  const cut = await messageOf(`${"x".repeat(1999)}😀`);
  assert.ok(cut.isWellFormed());
  assert.ok(cut.length <= 2001);
});

Deno.test("callStage: an interruption while the stage hangs is thrown and is no failure", async () => {
  const clock = new HandClock();
  const stop = new AbortController();
  const reason = new Error("interrupted");
  let signal: AbortSignal | undefined;
  const called = callGenerate((tools) => {
    signal = tools.signal;
    return hangs();
  }, { clock, stop: stop.signal, retries: 3 });
  await settle();
  stop.abort(reason);
  await assert.rejects(called, (thrown) => thrown === reason);
  assert.equal(signal?.aborted, true);
  assert.equal(signal?.reason, reason);
  assert.equal(clock.pending, 0);
});

Deno.test("callStage: a stage that fails because it was interrupted has not failed", async () => {
  const stop = new AbortController();
  const reason = new Error("interrupted");
  const call = ({ signal }: CallTools) =>
    new Promise((_resolve, reject) => {
      signal.addEventListener("abort", () => reject(new Error("aborted by the signal")));
    });
  const called = callGenerate(call, { stop: stop.signal });
  await settle();
  stop.abort(reason);
  await assert.rejects(called, (thrown) => thrown === reason);
});

Deno.test("callStage: an interruption during the wait for another attempt makes none", async () => {
  const clock = new HandClock();
  const stop = new AbortController();
  const reason = new Error("interrupted");
  const stage = attempts(throws);
  const called = callGenerate(stage.call, { clock, stop: stop.signal, retries: 3 });
  await settle();
  stop.abort(reason);
  await assert.rejects(called, (thrown) => thrown === reason);
  assert.equal(stage.made, 1);
  assert.equal(clock.pending, 0);
});

Deno.test("callStage: after an interruption nothing is called", async () => {
  const reason = new Error("interrupted");
  const stage = attempts();
  const called = callGenerate(stage.call, { stop: AbortSignal.abort(reason) });
  await assert.rejects(called, (thrown) => thrown === reason);
  assert.equal(stage.made, 0);
});

Deno.test("callStage: a stage that asks to stop and hangs is not waited for", async () => {
  const clock = new HandClock();
  const stop = new AbortController();
  const reason = new Error("enough");
  const called = callGenerate(() => {
    stop.abort(reason);
    return hangs();
  }, { clock, stop: stop.signal });
  await assert.rejects(called, (thrown) => thrown === reason);
  assert.equal(clock.pending, 0);
});
