/** Judges behind the APIs of model providers, through the AI SDK. Its packages are loaded when a judge is first asked. */
import type { LanguageModel } from "ai";
import { messageOf } from "../domain/error.ts";
import type { JudgeModel, JudgeProvider } from "../domain/judge.ts";
import type { Usage } from "../domain/record.ts";
import { redactorOf } from "../domain/secrets.ts";
import { addressOf } from "../judges/endpoint.ts";
import { verdictJsonSchema } from "../judges/verdict.ts";
import { type Attempt, type ChatModel, shortMessage } from "./chat_model.ts";
import { readRetryAfter } from "./retry_after.ts";

/** What a model needs besides its parameters. */
export interface ModelSurroundings {
  /** The key that is sent; undefined = none is. */
  readonly apiKey: string | undefined;
  /** What stands for the key where it must not stand: the name of its variable. */
  readonly keyName?: string | undefined;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** The answer of a model as the SDK tells it, whether or not it could be parsed. */
interface Said {
  readonly text: string;
  readonly finishReason: string | undefined;
  readonly usage: { readonly inputTokens?: number | undefined; readonly outputTokens?: number | undefined };
}

/**
 * A model by its provider. It is asked through a provider object, never by a name that would go to a gateway, at exactly the address
 * that the parameters say; the SDK's own further attempts are off.
 */
export async function aiSdkModel(model: JudgeModel, outside: ModelSurroundings): Promise<ChatModel> {
  const { APICallError, generateText, jsonSchema, NoObjectGeneratedError, Output } = await import("ai");
  Reflect.set(globalThis, "AI_SDK_LOG_WARNINGS", false);
  const language = await languageModel(model, outside.apiKey);
  const { temperature, seed, max_output_tokens, provider_options, provider } = model;
  const settings = {
    maxRetries: 0,
    ...(typeof temperature === "number" ? { temperature } : {}),
    ...(seed === undefined ? {} : { seed }),
    ...(max_output_tokens === undefined ? {} : { maxOutputTokens: max_output_tokens }),
    ...(provider_options === undefined ? {} : { providerOptions: optionsOf(provider, provider_options) }),
  };
  const redact = redactorOf(new Map([[outside.keyName ?? "API key", outside.apiKey]]));
  const tell = (text: string) => shortMessage(redact(text));
  return {
    async ask({ instructions, text }, { task }, abortSignal): Promise<Attempt> {
      const schema = jsonSchema(verdictJsonSchema(task) as Parameters<typeof jsonSchema>[0]);
      try {
        const output = Output.object({ schema, name: "verdict" });
        const said = await generateText({
          ...settings,
          model: language,
          instructions,
          prompt: text,
          output,
          abortSignal,
        });
        return attemptOf(said, { redact, tell });
      } catch (cause) {
        if (NoObjectGeneratedError.isInstance(cause)) {
          const { text: said = "", finishReason, usage = {} } = cause;
          return attemptOf({ text: said, finishReason, usage }, { redact, tell });
        }
        return APICallError.isInstance(cause) ? failureOf(cause, tell, outside.now) : {
          status: "failed",
          reason: "judge_failed",
          message: tell(messageOf(cause)),
          again: false,
        };
      }
    },
  };
}

async function languageModel(model: JudgeModel, apiKey: string | undefined): Promise<LanguageModel> {
  const address = addressOf(model);
  if (address === undefined || model.model === undefined) throw new TypeError("the parameters were checked");
  // Everything is said, or the SDK would look for it in the environment.
  const settings = { baseURL: address, apiKey: apiKey ?? "", fetch: fetchFrom(new URL(address).host) };
  switch (model.provider) {
    case "openai":
      return (await import("@ai-sdk/openai")).createOpenAI(settings).chat(model.model);
    case "anthropic":
      return (await import("@ai-sdk/anthropic")).createAnthropic(settings)(model.model);
    case "google":
      return (await import("@ai-sdk/google")).createGoogle(settings)(model.model);
    case "openai_compatible": {
      const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
      return createOpenAICompatible({
        ...settings,
        name: COMPATIBLE,
        supportsStructuredOutputs: model.structured_outputs ?? false,
      }).chatModel(model.model);
    }
    case "object":
      throw new TypeError("a function is no model of a provider");
  }
}

/** How the options of compatible servers are addressed. */
const COMPATIBLE = "judge";

function optionsOf(provider: JudgeProvider, options: NonNullable<JudgeModel["provider_options"]>) {
  const given = JSON.parse(JSON.stringify(options));
  return { [provider === "openai_compatible" ? COMPATIBLE : provider]: given };
}

/** Asks one host alone: what passages say must not follow a redirection to another. */
function fetchFrom(host: string): typeof fetch {
  return (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input);
    if (url.host !== host) throw new TypeError(`a judge at ${host} must not call ${url.host}`);
    return fetch(input, { ...init, redirect: "error" });
  };
}

/** How words of a provider are told: without the key, and of a failure in brief. */
interface Telling {
  redact(text: string): string;
  tell(text: string): string;
}

function attemptOf({ text, finishReason, usage }: Said, { redact, tell }: Telling): Attempt {
  const used = usageOf(usage);
  switch (finishReason) {
    case "length":
      return { status: "cut_off", ...used };
    case "content-filter":
      return {
        status: "failed",
        reason: "judge_refused",
        message: `The judge refused${text === "" ? "" : `: ${tell(text)}`}`,
        again: false,
        ...used,
      };
    case "error":
      return {
        status: "failed",
        reason: "judge_failed",
        message: "The model ended with an error",
        again: true,
        ...used,
      };
    default:
      return { status: "text", text: redact(text), ...used };
  }
}

function usageOf({ inputTokens, outputTokens }: Said["usage"]): { readonly usage?: Usage } {
  if (inputTokens === undefined && outputTokens === undefined) return {};
  return {
    usage: {
      ...(inputTokens === undefined ? {} : { input_tokens: inputTokens }),
      ...(outputTokens === undefined ? {} : { output_tokens: outputTokens }),
    },
  };
}

/** The error of a call, as far as it is read here. */
interface CallError {
  readonly message: string;
  readonly statusCode?: number | undefined;
  readonly responseHeaders?: Readonly<Record<string, string>> | undefined;
  readonly isRetryable: boolean;
  readonly data?: unknown;
}

function failureOf(error: CallError, tell: (text: string) => string, now: () => number): Attempt {
  const { statusCode, responseHeaders = {}, isRetryable } = error;
  const limited = statusCode === 429;
  // A body that breaks off in the middle of a good answer is the connection's fault.
  const broken = statusCode !== undefined && statusCode < 300;
  const wait_ms = readRetryAfter(responseHeaders, now());
  const status = statusCode === undefined || broken ? "" : `HTTP ${statusCode}: `;
  return {
    status: "failed",
    reason: limited ? "judge_rate_limited" : "judge_failed",
    message: `${status}${tell(error.message)}`,
    again: (isRetryable || broken) && !isOutOfQuota(error.data),
    ...(wait_ms === undefined ? {} : { wait_ms }),
  };
}

/** A full account answers like a full minute, but does not empty by waiting. */
function isOutOfQuota(data: unknown): boolean {
  return JSON.stringify(data ?? null).includes("insufficient_quota");
}
