import assert from "node:assert/strict";
import { CallGate, type GateLimits } from "../../lib/provider/call_gate.ts";
import { HandClock, settle } from "../stages/hand_clock.ts";

function gateOf(limits: Partial<GateLimits>) {
  const clock = new HandClock();
  const stop = new AbortController();
  return { clock, stop, gate: new CallGate({ concurrency: 100, ...limits }, clock, stop.signal) };
}

Deno.test("so many calls are under way at once, and the next ones come in their order", async () => {
  const { gate } = gateOf({ concurrency: 2 });
  const begun: number[] = [];
  const ends: (() => void)[] = [];
  const all = [0, 1, 2, 3].map((number) =>
    gate.pass(() => {
      begun.push(number);
      return new Promise<number>((resolve) => ends.push(() => resolve(number)));
    })
  );
  await settle();
  assert.deepEqual(begun, [0, 1]);
  ends[1]?.();
  await settle();
  assert.deepEqual(begun, [0, 1, 2]);
  for (const number of [0, 2, 3]) {
    ends[number]?.();
    await settle();
  }
  assert.deepEqual(await Promise.all(all), [0, 1, 2, 3].map((made) => ({ made })));
});

Deno.test("a call that throws gives its place back", async () => {
  const { gate } = gateOf({ concurrency: 1 });
  await assert.rejects(gate.pass(() => Promise.reject(new Error("no"))));
  assert.deepEqual(await gate.pass(() => Promise.resolve("yes")), { made: "yes" });
});

Deno.test("in any minute no more calls begin than are allowed", async () => {
  const { gate, clock } = gateOf({ requests_per_minute: 3 });
  const begun: number[] = [];
  const pass = () => gate.pass(() => Promise.resolve(begun.push(clock.elapsed())));
  for (let call = 0; call < 8; call++) void pass();
  await settle();
  assert.deepEqual(begun, [0, 0, 0]);
  await clock.advance(59_999);
  assert.equal(begun.length, 3);
  await clock.advance(1);
  assert.deepEqual(begun.slice(3), [60_000, 60_000, 60_000]);
  await clock.advance(30_000);
  assert.equal(begun.length, 6);
  await clock.advance(30_000);
  assert.equal(begun.length, 8);
});

Deno.test("a run has so many calls and no more, and nobody waits for a call that is not to be", async () => {
  const { gate, clock } = gateOf({ max_calls: 2, requests_per_minute: 2 });
  const call = () => Promise.resolve("made");
  const passed = await Promise.all([gate.pass(call), gate.pass(call)]);
  assert.deepEqual(passed, [{ made: "made" }, { made: "made" }]);
  assert.deepEqual(await gate.pass(call), {
    refused: "judging.max_calls is 2, and so many calls were made",
  });
  assert.equal(gate.calls, 2);
  assert.equal(clock.pending, 0);
});

Deno.test("calls that come at once share what is left of them", async () => {
  const { gate } = gateOf({ max_calls: 3 });
  const passed = await Promise.all(
    Array.from({ length: 10 }, () => gate.pass(() => Promise.resolve("made"))),
  );
  assert.equal(passed.filter((one) => "made" in one).length, 3);
});

Deno.test("no call begins once the money is spent", async () => {
  const { gate } = gateOf({ max_cost_usd: 0.01 });
  const call = () => Promise.resolve("made");
  gate.spend(0.009);
  assert.deepEqual(await gate.pass(call), { made: "made" });
  gate.spend(0.001);
  assert.deepEqual(await gate.pass(call), {
    refused: "judging.max_cost_usd is 0.01, and 0.01 USD are spent",
  });
});

Deno.test("an interruption ends the waiting, and is no refusal", async () => {
  const { gate, stop } = gateOf({ requests_per_minute: 1 });
  await gate.pass(() => Promise.resolve());
  const waiting = gate.pass(() => Promise.resolve());
  const reason = new Error("interrupted");
  const ended = assert.rejects(waiting, reason);
  await settle();
  stop.abort(reason);
  await ended;
  await assert.rejects(gate.pass(() => Promise.resolve()), reason);
});
