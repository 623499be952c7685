/** Whoever answers a judge's question, as the machinery around it sees it. */
import type { JudgeFailure, JudgePrompt, JudgeQuestion } from "../domain/judge.ts";
import type { Usage } from "../domain/record.ts";

/** What one attempt came to, and what it used as far as that was said. */
export type Attempt =
  & { readonly usage?: Usage }
  & (
    | { readonly status: "text"; readonly text: string }
    | { readonly status: "value"; readonly value: unknown }
    /** The answer was longer than it may be. */
    | { readonly status: "cut_off" }
    | AttemptFailure
  );

/** An attempt without an answer. */
export interface AttemptFailure {
  readonly status: "failed";
  readonly reason: JudgeFailure;
  readonly message: string;
  /** Whether the same may work a little later. */
  readonly again: boolean;
  /** How long the provider asks to be left alone, in milliseconds. */
  readonly wait_ms?: number;
}

/** Asks once. What goes wrong is an attempt that failed; nothing is thrown. */
export interface ChatModel {
  ask(prompt: JudgePrompt, question: JudgeQuestion, signal: AbortSignal): Promise<Attempt>;
}

/** The longest message that is kept of a failure, in characters. */
const LONGEST_MESSAGE = 300;

/** A message of others on one line, well-formed and of bounded length. */
export function shortMessage(text: string): string {
  const line = text.toWellFormed().replace(/\s+/gu, " ").trim();
  return line.length <= LONGEST_MESSAGE ? line : `${line.slice(0, LONGEST_MESSAGE).toWellFormed()}…`;
}
