/** One question to a judge: asked once, and once more when the reply could not be read. */
import type { JudgeFailure, JudgePrompt, JudgeQuestion, JudgeReply } from "../domain/judge.ts";
import { repairPrompt } from "./prompt.ts";
import { readVerdict, readVerdictText, type VerdictReading } from "./verdict.ts";

/** What came back from whoever answers: words of a model, a value of a function, or nothing usable. */
export type ChatReply =
  | { readonly status: "text"; readonly text: string }
  | { readonly status: "value"; readonly value: unknown }
  /** The model stopped in the middle. */
  | { readonly status: "cut_off" }
  | { readonly status: "failed"; readonly reason: JudgeFailure; readonly message: string };

/** Asks one prompt; never throws but for an interruption. */
export type Ask = (prompt: JudgePrompt, question: JudgeQuestion) => Promise<ChatReply>;

/** Asks for a verdict. A reply that is none is asked for once more, with our reason; then it is `judge_invalid_verdict`. */
export async function askJudge(question: JudgeQuestion, ask: Ask): Promise<JudgeReply> {
  let prompt = question.prompt;
  for (let attempt = 1;; attempt++) {
    const reply = await ask(prompt, question);
    if (reply.status === "failed") return reply;
    const reading = read(question, reply);
    if (reading.ok) return { status: "answered", verdict: reading.verdict };
    // A function would only return the same once more.
    if (attempt === 2 || reply.status === "value") {
      return { status: "failed", reason: "judge_invalid_verdict", message: describe(reply, reading.problem) };
    }
    prompt = repairPrompt(question.prompt, reading.problem);
  }
}

function read(
  question: JudgeQuestion,
  reply: Exclude<ChatReply, { readonly status: "failed" }>,
): VerdictReading {
  switch (reply.status) {
    case "text":
      return readVerdictText(question, reply.text);
    case "value":
      return typeof reply.value === "string"
        ? readVerdictText(question, reply.value)
        : readVerdict(question, reply.value);
    case "cut_off":
      return { ok: false, problem: "it was cut off" };
  }
}

/** As much of a reply as a message shows. */
const SHOWN = 200;

function describe(reply: ChatReply, problem: string): string {
  const text = reply.status === "text" ? reply.text.toWellFormed().slice(0, SHOWN).toWellFormed() : undefined;
  return `The judge's reply is no verdict: ${problem}` +
    (text === undefined ? "" : `; it begins ${JSON.stringify(text)}`);
}
