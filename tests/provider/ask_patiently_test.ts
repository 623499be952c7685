import assert from "node:assert/strict";
import type { ChatReply } from "../../lib/judges/ask_judge.ts";
import { PatientModel } from "../../lib/provider/ask_patiently.ts";
import { CallGate } from "../../lib/provider/call_gate.ts";
import type { Attempt, ChatModel } from "../../lib/provider/chat_model.ts";
import { HandClock, settle } from "../stages/hand_clock.ts";
import { question } from "./provider_contract.ts";

const busy = (wait_ms?: number): Attempt => ({
  status: "failed",
  reason: "judge_rate_limited",
  message: "busy",
  again: true,
  ...(wait_ms === undefined ? {} : { wait_ms }),
});
const answer: Attempt = { status: "text", text: "{}" };

/** A model that does these things one after the other, on a clock that a test moves. */
function modelOf(script: readonly (Attempt | "hang")[], retries = 9) {
  const clock = new HandClock();
  const stop = new AbortController();
  const asked: number[] = [];
  const signals: AbortSignal[] = [];
  const model: ChatModel = {
    ask(_prompt, _question, signal) {
      const next = script[asked.push(clock.elapsed()) - 1] ?? answer;
      signals.push(signal);
      return next === "hang" ? new Promise(() => {}) : Promise.resolve(next);
    },
  };
  const gate = new CallGate({ concurrency: 9 }, clock, stop.signal);
  const patient = new PatientModel(model, {
    clock,
    stop: stop.signal,
    gate,
    options: { retries, timeout_seconds: 60 },
  });
  const ask = (): Promise<ChatReply> => patient.ask(question.prompt, question, () => {});
  return { ask, clock, stop, asked, signals };
}

Deno.test("further attempts come after 0.5 s, 1 s, 2 s, 4 s, and then every 8 s", async () => {
  const { ask, clock, asked } = modelOf(Array(7).fill(busy()));
  const reply = ask();
  for (let second = 0; second < 80; second++) await clock.advance(500);
  assert.equal((await reply).status, "text");
  assert.deepEqual(asked, [0, 500, 1500, 3500, 7500, 15_500, 23_500, 31_500]);
});

Deno.test("a provider that says how long is left alone so long, by all questions", async () => {
  const { ask, clock, asked } = modelOf([busy(5000)]);
  const first = ask();
  await settle();
  const second = ask();
  await clock.advance(4999);
  assert.equal(asked.length, 1);
  await clock.advance(1);
  assert.deepEqual([(await first).status, (await second).status], ["text", "text"]);
  assert.deepEqual(asked, [0, 5000, 5000]);
});

Deno.test("the last attempt is not waited for once more", async () => {
  const { ask, asked } = modelOf([busy()], 0);
  assert.deepEqual(await ask(), { status: "failed", reason: "judge_rate_limited", message: "busy" });
  assert.equal(asked.length, 1);
});

Deno.test("a call that hangs is called off at the limit and made again", async () => {
  const { ask, clock, asked, signals } = modelOf(["hang"]);
  const reply = ask();
  await clock.advance(59_999);
  assert.equal(signals[0]?.aborted, false);
  await clock.advance(1);
  assert.equal(signals[0]?.aborted, true);
  await clock.advance(500);
  assert.equal((await reply).status, "text");
  assert.deepEqual(asked, [0, 60_500]);
  assert.equal(clock.pending, 0);
});

Deno.test("an interruption is thrown, during a call and between two", async () => {
  for (const script of [["hang"], [busy()], [busy(1000)]] as const) {
    const { ask, stop, signals } = modelOf(script);
    const reason = new Error("interrupted");
    const ended = assert.rejects(ask(), reason);
    await settle();
    stop.abort(reason);
    await ended;
    if (script[0] === "hang") assert.equal(signals[0]?.aborted, true);
  }
});
