/** Judges: which model is asked, what it is asked, and what it said. */
import type { Json, JsonObject } from "./json.ts";
import type { Usage } from "./record.ts";

/** Who answers: a model behind an API, or a function of the user's. */
export type JudgeProvider = "openai" | "anthropic" | "google" | "openai_compatible" | "object";

/** Which model judges and how it is asked. Everything here can change a verdict, and so is a part of what identifies one. */
export interface JudgeModel {
  readonly provider: JudgeProvider;
  /** The name that the provider knows the model by; of an `object` any name, or none. */
  readonly model?: string;
  /** The user's function, `module:export`; only of the provider `object`. */
  readonly object?: string;
  /** Where the API is; absent = the provider's own address. */
  readonly base_url?: string;
  /** Null = not sent: some models take none. */
  readonly temperature?: number | null;
  readonly seed?: number;
  readonly max_output_tokens?: number;
  /** Whether an OpenAI-compatible server is given the schema of the verdict; absent = it is only told to answer in JSON. */
  readonly structured_outputs?: boolean;
  /** Further options, as the provider's package of the AI SDK names them. */
  readonly provider_options?: JsonObject;
}

/** What is asked: whether claims are supported, whether cited passages support what cites them, or a rubric. */
export type JudgeTask = "groundedness" | "citation_support" | "rubric";

/** A question as a model reads it: who it is and what it does, apart from what it judges. */
export interface JudgePrompt {
  readonly instructions: string;
  /** The material under judgment, delimited. */
  readonly text: string;
}

/** One question about one record. */
export interface JudgeQuestion {
  readonly task: JudgeTask;
  /** How many numbered claims or citations need a verdict of their own; 0 for a rubric. */
  readonly items: number;
  readonly prompt: JudgePrompt;
  /** The same material as data, for a judge that is a function. */
  readonly material: JsonObject;
}

/** What a judge said, checked. */
export interface JudgeVerdict {
  /** Of a rubric, the verdict; of numbered parts, whether none failed. */
  readonly pass: boolean;
  /** The 1-based numbers of the claims or citations that failed, in their order; empty for a rubric. */
  readonly failed: readonly number[];
  /** In the judge's words; may be empty. */
  readonly reason: string;
}

/** Why there is no verdict. It lies with the judge or its provider: never a fail, and never kept. */
export const JUDGE_FAILURES = [
  "judge_invalid_verdict",
  "judge_refused",
  "judge_timed_out",
  "judge_rate_limited",
  "judge_failed",
  "judge_budget_spent",
] as const;

/** One of {@link JUDGE_FAILURES}. */
export type JudgeFailure = typeof JUDGE_FAILURES[number];

/** Whether a reason for which a judgment is missing is that a judge gave no verdict. */
export function isJudgeFailure(reason: string): reason is JudgeFailure {
  return JUDGE_FAILURES.some((known) => known === reason);
}

/** A verdict, or why there is none. */
export type JudgeReply =
  | { readonly status: "answered"; readonly verdict: JudgeVerdict }
  | { readonly status: "failed"; readonly reason: JudgeFailure; readonly message: string };

/** Asks a judge. Whether the answer was remembered is the affair of whoever provides this. */
export type JudgePort = (model: JudgeModel, question: JudgeQuestion) => Promise<JudgeReply>;

/** A remembered verdict. Of several under one identity the newest counts. */
export interface JudgeCallEntry {
  /** The hash of everything that can change the verdict. */
  readonly identity: string;
  /**
   * The identity of the record that was judged when the call was made, or in a calibration the hash of the labelled one: the entry is
   * forgotten with the last judgments and the last calibration of it.
   */
  readonly record: string;
  /** The run that made the call; absent when none did, as in a calibration. */
  readonly run_id?: string;
  readonly verdict: JudgeVerdict;
  /** What the call used, as far as the provider says. */
  readonly usage?: Usage;
}

/** A price in US dollars per million tokens. */
export interface TokenPrice {
  /** Of what the model reads. */
  readonly input: number;
  /** Of what the model writes. */
  readonly output: number;
}

/** How judge calls are made. Nothing here changes a verdict. */
export interface JudgingOptions {
  /** Calls under way at once, over all judges. */
  readonly concurrency: number;
  /** After which one call is given up, in seconds. */
  readonly timeout_seconds: number;
  /** Further attempts after a time-out, a full provider (429), a server error or a broken connection. */
  readonly retries: number;
  /** Calls begun in any 60 seconds; absent = as many as there are. */
  readonly requests_per_minute?: number;
  /** Calls of one run, further attempts included; absent = no limit. */
  readonly max_calls?: number;
  /** No call begins once so much was spent; absent = no limit. */
  readonly max_cost_usd?: number;
  /** By the name of the model: what turns reported tokens into dollars. */
  readonly prices: { readonly [model: string]: TokenPrice };
}

/** The parameters of an evaluator that name its judge; undefined for an evaluator that asks none. */
export function judgeModelOf(parameters: JsonObject): JudgeModel | undefined {
  const { provider } = parameters;
  if (typeof provider !== "string") return undefined;
  const given = Object.entries(parameters).filter(([key, value]) =>
    MODEL_KEYS.includes(key) && value !== undefined
  );
  return Object.fromEntries(given) as unknown as JudgeModel;
}

const MODEL_KEYS: readonly string[] = [
  "provider",
  "model",
  "object",
  "base_url",
  "temperature",
  "seed",
  "max_output_tokens",
  "structured_outputs",
  "provider_options",
];

/** How a judge is named in prose: `openai gpt-5-mini`, `object judge:overlap`. */
export function judgeName({ provider, model, object }: JudgeModel): string {
  return [provider, object ?? model ?? ""].filter((part) => part !== "").join(" ");
}

/** JSON of a verdict as it is stored, back to a verdict; undefined when it is none. */
export function verdictOf(value: Json): JudgeVerdict | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  const { pass, failed, reason } = value as JsonObject;
  if (typeof pass !== "boolean" || typeof reason !== "string" || !Array.isArray(failed)) return undefined;
  return { pass, failed: failed.map(Number), reason };
}
