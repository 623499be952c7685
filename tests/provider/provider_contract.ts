/** What every judge behind an API must do, whoever provides it. */
import assert from "node:assert/strict";
import type { JudgeModel, JudgePrompt } from "../../lib/domain/judge.ts";
import type { Usage } from "../../lib/domain/record.ts";
import { askJudge } from "../../lib/judges/ask_judge.ts";
import { askGroundedness } from "../../lib/judges/question.ts";
import { aiSdkModel } from "../../lib/provider/ai_sdk_model.ts";
import { PatientModel } from "../../lib/provider/ask_patiently.ts";
import { CallGate } from "../../lib/provider/call_gate.ts";
import { systemClock } from "../../lib/system/clock.ts";
import { type Behaviour, ModelServer } from "./model_server.ts";

/** The key that every provider is given. */
export const KEY = "sk-secret-0123456789";

/** A question of one claim. */
export const question = askGroundedness("When?", "In 14 days.", [{ doc_id: "a", text: "14 days." }], [
  "In 14 days.",
]);

/** A verdict on it. */
export const supported = JSON.stringify({
  claims: [{ claim: 1, verdict: "supported" }],
  reason: "it says so",
});
const unsupported = JSON.stringify({ claims: [{ claim: 1, verdict: "unsupported" }], reason: "no" });

/** Quick enough for a test, and slow enough to tell the waits apart. */
const patience = { first_wait_ms: 1, longest_backoff_ms: 4, longest_wait_ms: 50 };

/** What came back of one question, and what it took. */
async function ask(
  model: JudgeModel,
  options: { readonly retries?: number; readonly timeout_seconds?: number } = {},
) {
  const stop = new AbortController();
  const gate = new CallGate({ concurrency: 4 }, systemClock, stop.signal);
  const asked = new PatientModel(
    await aiSdkModel(model, { apiKey: KEY, keyName: "JUDGE_KEY", now: () => Date.now() }),
    {
      clock: systemClock,
      stop: stop.signal,
      gate,
      options: { retries: 2, timeout_seconds: 10, ...options },
      price: { input: 1, output: 10 },
      patience,
    },
  );
  const used: Usage[] = [];
  const reply = await askJudge(
    question,
    (prompt: JudgePrompt) => asked.ask(prompt, question, (usage) => used.push(usage)),
  );
  return { reply, used, calls: gate.calls, spent_usd: gate.spent_usd };
}

/** The tests of a provider; `modelAt` names a model at an address. */
export function describeProvider(name: string, modelAt: (base_url: string) => JudgeModel): void {
  const test = (
    title: string,
    script: readonly [Behaviour, ...Behaviour[]],
    body: (
      asking: (options?: Parameters<typeof ask>[1]) => ReturnType<typeof ask>,
      server: ModelServer,
    ) => Promise<void>,
  ) =>
    Deno.test(`${name}: ${title}`, async () => {
      await using server = ModelServer.scripted(...script);
      await body((options) => ask(modelAt(server.base_url), options), server);
    });

  test("a verdict, with the tokens and the price that it took", [{ text: supported }], async (asking) => {
    const { reply, used, calls, spent_usd } = await asking();
    assert.deepEqual(reply, {
      status: "answered",
      verdict: { pass: true, failed: [], reason: "it says so" },
    });
    assert.equal(calls, 1);
    assert.deepEqual(used, [{ input_tokens: 100, output_tokens: 20, cost_usd: 0.0003 }]);
    assert.equal(spent_usd, 0.0003);
  });

  test("instructions and material are told apart, and the key is sent", [{ text: supported }], async (
    asking,
    server,
  ) => {
    await asking();
    const [request] = server.seen;
    assert.ok(request?.instructions.startsWith(question.prompt.instructions));
    assert.equal(request?.prompt, question.prompt.text);
    assert.ok([...request?.headers.values() ?? []].some((value) => value.includes(KEY)));
    assert.ok(!JSON.stringify(request?.body).includes(KEY));
  });

  test("a fail is a fail", [{ text: unsupported }], async (asking) => {
    const { reply } = await asking();
    assert.ok(reply.status === "answered" && !reply.verdict.pass);
  });

  test("a full minute is waited for, then asked again", [
    { status: 429, headers: { "retry-after-ms": "5" } },
    { status: 429 },
    { text: supported },
  ], async (asking) => {
    const { reply, calls } = await asking();
    assert.equal(reply.status, "answered");
    assert.equal(calls, 3);
  });

  test("a minute that stays full is missing, with its reason", [{ status: 429 }], async (asking) => {
    const { reply, calls } = await asking();
    assert.ok(reply.status === "failed" && reply.reason === "judge_rate_limited");
    assert.match(reply.message, /HTTP 429/);
    assert.equal(calls, 3);
  });

  test("who asks for a longer wait than we have is not waited for", [
    { status: 429, headers: { "retry-after": "3600" } },
  ], async (asking) => {
    const { reply, calls } = await asking();
    assert.ok(reply.status === "failed" && reply.reason === "judge_rate_limited");
    assert.match(reply.message, /wait 3600 s/);
    assert.equal(calls, 1);
  });

  test(
    "a server error is asked again, and missing in the end",
    [{ status: 500 }, { text: supported }],
    async (
      asking,
    ) => assert.equal((await asking()).reply.status, "answered"),
  );

  test("a server that only errs", [{ status: 503 }], async (asking) => {
    const { reply, calls } = await asking();
    assert.ok(reply.status === "failed" && reply.reason === "judge_failed");
    assert.equal(calls, 3);
  });

  test("a refused key is not tried again, and not told", [
    { status: 401, message: `Incorrect API key provided: ${KEY}` },
  ], async (asking) => {
    const { reply, calls } = await asking();
    assert.ok(reply.status === "failed" && reply.reason === "judge_failed");
    assert.match(reply.message, /HTTP 401: .*\[redacted JUDGE_KEY\]/);
    assert.ok(!JSON.stringify(reply).includes(KEY));
    assert.equal(calls, 1);
  });

  test("a hanging server is given up", ["hang"], async (asking) => {
    const { reply, calls } = await asking({ timeout_seconds: 0.05, retries: 1 });
    assert.ok(reply.status === "failed" && reply.reason === "judge_timed_out");
    assert.match(reply.message, /no answer within 0.05 s/);
    assert.equal(calls, 2);
  });

  test("prose around JSON is asked for once more", [
    { text: `Here you are: ${supported}` },
    { text: supported },
  ], async (asking, server) => {
    const { reply, used } = await asking();
    assert.equal(reply.status, "answered");
    assert.equal(used.length, 2);
    assert.match(server.seen[1]?.prompt ?? "", /could not be read: it is not one JSON object alone/);
  });

  const invalid: readonly (readonly [string, Behaviour])[] = [
    ["prose around JSON, for ever", { text: `Here you are: ${supported}` }],
    ["truncated JSON", { text: supported.slice(0, -5) }],
    ["an answer that was cut off", { text: supported, finish: "length" }],
    ["verdicts for two claims where one was asked for", {
      text: JSON.stringify({
        claims: [{ claim: 1, verdict: "supported" }, { claim: 2, verdict: "supported" }],
        reason: "",
      }),
    }],
    ["no verdict for any claim", { text: '{"claims": [], "reason": "all is well"}' }],
    ["the answer PASS, as a passage asked for", { text: "PASS" }],
    ["an object that the passage made", { text: '{"reason": "as told", "verdict": "pass"}' }],
    ["nothing", { text: "" }],
  ];
  for (const [title, behaviour] of invalid) {
    test(`${title} is no verdict`, [behaviour], async (asking) => {
      const { reply, calls } = await asking();
      assert.ok(reply.status === "failed" && reply.reason === "judge_invalid_verdict", JSON.stringify(reply));
      assert.equal(calls, 2);
    });
  }

  test("a refusal is no verdict, and is not asked for again", [{ refusal: "I cannot judge that." }], async (
    asking,
  ) => {
    const { reply, calls } = await asking();
    assert.ok(reply.status === "failed" && reply.reason === "judge_refused", JSON.stringify(reply));
    assert.equal(calls, 1);
  });

  test("a refusal that holds a verdict is a refusal", [{ refusal: supported }], async (asking) => {
    const { reply } = await asking();
    assert.ok(reply.status === "failed" && reply.reason === "judge_refused");
  });

  test("a body that breaks off is asked again", [{ body: '{"id": "c", "choi' }, { text: supported }], async (
    asking,
  ) => assert.equal((await asking()).reply.status, "answered"));

  Deno.test(`${name}: a redirection is not followed, so that no other host reads the passages`, async () => {
    await using other = ModelServer.scripted({ text: supported });
    await using server = ModelServer.scripted({ redirect: `${other.base_url}/chat/completions` });
    const { reply } = await ask(modelAt(server.base_url), { retries: 0 });
    assert.ok(reply.status === "failed" && reply.reason === "judge_failed");
    assert.equal(other.seen.length, 0);
  });

  Deno.test(`${name}: a server that is not there is missing`, async () => {
    const { reply } = await ask(modelAt("http://127.0.0.1:9/v1"), { retries: 1 });
    assert.ok(reply.status === "failed" && reply.reason === "judge_failed", JSON.stringify(reply));
  });
}
