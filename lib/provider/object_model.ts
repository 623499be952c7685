/** A judge that is a function of the user's. */
import { messageOf } from "../domain/error.ts";
import type { Usage } from "../domain/record.ts";
import { type Attempt, type ChatModel, shortMessage } from "./chat_model.ts";

/** What the function is called with: the material as data, the prompt that a model would read, and tools. */
export type JudgeFunction = (question: unknown, tools: JudgeTools) => unknown;

/** The second argument of a {@link JudgeFunction}. */
export interface JudgeTools {
  /** Fires at the time limit, and when the run is interrupted. */
  readonly signal: AbortSignal;
  /** Says what the judging used; several reports add up. */
  usage(used: Usage): void;
}

/** A model that calls the function. Its verdict is the value that it returns, or a text that a model wrote. */
export function objectModel(judge: JudgeFunction): ChatModel {
  return {
    async ask(prompt, { material }, signal): Promise<Attempt> {
      const used: Record<string, number> = {};
      const usage = (more: Usage) => {
        for (const key of ["input_tokens", "output_tokens", "cost_usd"] as const) {
          if (more[key] !== undefined) used[key] = (used[key] ?? 0) + checked(key, more[key]);
        }
      };
      const spent = () => Object.keys(used).length === 0 ? {} : { usage: { ...used } };
      try {
        const value = await judge(structuredClone({ ...material, prompt }), { signal, usage });
        return { status: "value", value, ...spent() };
      } catch (cause) {
        const message = `The judge threw: ${shortMessage(messageOf(cause))}`;
        return { status: "failed", reason: "judge_failed", message, again: false, ...spent() };
      }
    },
  };
}

function checked(key: string, value: unknown): number {
  if (typeof value === "number" && value >= 0 && Number.isFinite(value)) return value;
  throw new TypeError(`usage: ${key} is ${String(value)}; it is a number ≥ 0`);
}
