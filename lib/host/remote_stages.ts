/** Stages that ask the other side of the protocol. */
import type { Passage } from "../domain/passage.ts";
import type { Usage } from "../domain/record.ts";
import type { AnswerStage, RagStages, StageTools } from "../stages/rag_system.ts";
import { InvalidOutput } from "../stages/read_output.ts";
import { type Caller, CallError } from "./caller.ts";
import { isRecord, type Method } from "./message.ts";
import { TokenBatches } from "./token_batches.ts";

/**
 * Every stage that a system can have. What comes back is not read here: the values of a system elsewhere are checked like those of
 * one in this process.
 */
export function remoteStages(caller: Caller): Required<RagStages> & AnswerStage {
  const ask = <T>(method: Method, params: unknown, tools: AskTools) =>
    askStage(caller, method, params, tools) as Promise<T>;
  const tokens = new TokenBatches((passages, signal) => ask("count_tokens", { passages }, { signal }));
  return {
    retrieve: (input, depth, tools) => ask("retrieve", { input, depth, params: tools.params }, tools),
    assemble: (input, candidates, limits, options) =>
      ask("assemble", { input, candidates, ...limits }, { signal: options?.signal }),
    generate: (input, context, tools) => {
      const { params, query } = tools;
      return ask("generate", { input, context, params, query }, tools);
    },
    answer: (input, tools) => {
      const { params, context } = tools;
      return ask("answer", { input, params, context }, tools);
    },
    countTokens: (passage: Passage, options) => tokens.count(passage, options?.signal),
  };
}

type AskTools = { readonly signal?: AbortSignal | undefined } & Partial<Pick<StageTools, "usage">>;

/** The value of a result `{ value, usage? }`. */
async function askStage(
  caller: Caller,
  method: Method,
  params: unknown,
  { signal, usage }: AskTools,
): Promise<unknown> {
  let result: unknown;
  try {
    result = await caller.call(method, params, signal);
  } catch (cause) {
    if (cause instanceof CallError) { for (const used of usagesOf(cause.usage) ?? []) usage?.(used); }
    throw cause;
  }
  if (!isRecord(result)) {
    throw new InvalidOutput(`the result of ${method} is no object { value, usage? }`);
  }
  const used = usagesOf(result.usage);
  if (used === undefined) throw new InvalidOutput(`${method} reported a usage that is no object of numbers`);
  for (const one of used) usage?.(one);
  return result.value;
}

/** A usage, or a list of them; undefined when it is neither. Their numbers are checked where they are added up. */
function usagesOf(reported: unknown = []): readonly Usage[] | undefined {
  const list: readonly unknown[] = Array.isArray(reported) ? reported : [reported];
  return list.every(isUsage) ? list : undefined;
}

function isUsage(value: unknown): value is Usage {
  return isRecord(value) && Object.values(value).every((part) => typeof part === "number");
}
