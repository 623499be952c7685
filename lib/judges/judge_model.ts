/** The parameters that name a judge: which provider, which model, and how it is asked. */
import { z } from "zod";
import type { JudgeProvider } from "../domain/judge.ts";
import { findAddressProblem } from "./endpoint.ts";

const PROVIDERS = [
  "openai",
  "anthropic",
  "google",
  "openai_compatible",
  "object",
] as const satisfies readonly JudgeProvider[];

/** The keys of a judge's model, beside which an evaluator has those of its own. */
export const judgeModelShape = {
  provider: z.enum(PROVIDERS),
  model: z.string().min(1).optional(),
  object: z.string()
    .regex(/^\S(?:.*\S)?:[\p{ID_Start}$_][\p{ID_Continue}$]*$/u)
    .describe('module:function, as in "judge:overlap"')
    .optional(),
  base_url: z.string().min(1).optional(),
  api_key_env: z.string().regex(/^[A-Za-z_]\w*$/)
    .describe("the name of an environment variable (never the key itself)")
    .optional(),
  // Null: some models refuse to be told.
  temperature: z.number().min(0).max(2).nullable().default(0),
  seed: z.int().optional(),
  max_output_tokens: z.int().min(1).optional(),
  structured_outputs: z.boolean().optional(),
  provider_options: z.record(z.string(), z.json()).optional(),
};

/** What {@link checkJudgeModel} reads; the types are not to be trusted. */
type Given = { readonly [Key in keyof typeof judgeModelShape]?: unknown };

/** Keys that are about an API, of which a function has none. */
const API_KEYS = ["base_url", "api_key_env", "seed", "max_output_tokens", "provider_options"] as const;

/** What the keys of a judge ask of each other. */
export function checkJudgeModel(given: Given, context: z.RefinementCtx): void {
  const { provider } = given;
  const tell = (key: string, message: string, hint?: string) =>
    context.addIssue({
      code: "custom",
      path: key.split("."),
      message,
      params: { about: "other keys", ...(hint === undefined ? {} : { hint }) },
    });
  if (provider === "object") {
    if (given.object === undefined) {
      tell("object", "the provider object needs object: module:function, a function that judges");
    }
    for (const key of API_KEYS) {
      if (given[key] !== undefined) tell(key, "has no meaning for the provider object, which calls no API");
    }
  } else if (PROVIDERS.some((known) => known === provider)) {
    if (given.object !== undefined) tell("object", "belongs to the provider object alone");
    if (given.model === undefined) tell("model", `the provider ${provider} needs the name of a model`);
  }
  if (given.structured_outputs !== undefined && provider !== "openai_compatible") {
    tell(
      "structured_outputs",
      "belongs to the provider openai_compatible alone; the others always give the schema",
    );
  }
  checkAddress(given, tell);
}

function checkAddress(
  { provider, base_url, api_key_env }: Given,
  tell: (key: string, message: string, hint?: string) => void,
): void {
  if (base_url === undefined) {
    if (provider === "openai_compatible") {
      tell("base_url", "the provider openai_compatible needs the address of its API, up to /v1");
    }
    return;
  }
  if (typeof base_url !== "string") return;
  const problem = findAddressProblem(base_url, {
    withKey: provider !== "openai_compatible" || api_key_env !== undefined,
  });
  switch (problem) {
    case undefined:
      return;
    case "credential":
      // At a place of its own, so that the message does not show the address.
      return tell("base_url.credential", "an address must not hold a credential", "name it with api_key_env");
    case "clear_text":
      return tell("base_url", "the key would be sent over plain http", "use https, or a loopback address");
    case "no_url":
      return tell("base_url", "expected an http:// or https:// URL, such as http://localhost:8000/v1");
  }
}
