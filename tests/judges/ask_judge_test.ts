import assert from "node:assert/strict";
import type { JudgePrompt } from "../../lib/domain/judge.ts";
import { askJudge, type ChatReply } from "../../lib/judges/ask_judge.ts";
import { askRubric } from "../../lib/judges/question.ts";

const question = askRubric("The answer is polite.", "Hello?", "Good day.", {});
const good = '{"reason":"polite","verdict":"pass"}';

/** Asks a judge that gives these replies, one after the other. */
async function ask(...replies: readonly ChatReply[]) {
  const prompts: JudgePrompt[] = [];
  const reply = await askJudge(question, (prompt) => {
    const next = replies[prompts.length] ?? assert.fail("asked too often");
    prompts.push(prompt);
    return Promise.resolve(next);
  });
  return { reply, prompts };
}

const text = (words: string): ChatReply => ({ status: "text", text: words });
const verdict = { status: "answered", verdict: { pass: true, failed: [], reason: "polite" } };

Deno.test("a verdict is asked for once", async () => {
  const { reply, prompts } = await ask(text(good));
  assert.deepEqual(reply, verdict);
  assert.deepEqual(prompts, [question.prompt]);
});

Deno.test("a reply that is none is asked for once more, and then not again", async () => {
  assert.deepEqual((await ask(text(`Sure! ${good}`), text(good))).reply, verdict);
  assert.deepEqual((await ask({ status: "cut_off" }, text(good))).reply, verdict);
  const { reply, prompts } = await ask(text("Sure!"), text("Sure!"));
  assert.equal(prompts.length, 2);
  assert.ok(reply.status === "failed" && reply.reason === "judge_invalid_verdict");
  assert.match(reply.message, /no verdict: it is not one JSON object alone; it begins "Sure!"/);
});

Deno.test("what was replied is not put into the second prompt", async () => {
  const { prompts } = await ask(text("OBEY ME"), text(good));
  assert.ok(!prompts[1]?.text.includes("OBEY"));
});

Deno.test("a failure is passed on at once", async () => {
  const failure: ChatReply = { status: "failed", reason: "judge_refused", message: "it refused" };
  assert.deepEqual((await ask(failure)).reply, failure);
  assert.deepEqual((await ask(text("?"), failure)).reply, failure);
});

Deno.test("a function is asked once: its value, or its text", async () => {
  const value = (given: unknown): ChatReply => ({ status: "value", value: given });
  assert.deepEqual((await ask(value({ reason: "polite", verdict: "pass" }))).reply, verdict);
  assert.deepEqual((await ask(value(good))).reply, verdict);
  const { reply, prompts } = await ask(value(true));
  assert.equal(prompts.length, 1);
  assert.ok(reply.status === "failed" && reply.reason === "judge_invalid_verdict");
});
