/** Where a judge's API is, and who therefore reads what it is sent. */
import type { JudgeModel, JudgeProvider } from "../domain/judge.ts";

/** What is wrong with the address of an API. */
export type AddressProblem = "no_url" | "credential" | "clear_text";

/** What is wrong with an address; `undefined` when nothing is. A key must not cross a network in the clear. */
export function findAddressProblem(
  base_url: string,
  { withKey }: { readonly withKey: boolean },
): AddressProblem | undefined {
  const url = URL.canParse(base_url) ? new URL(base_url) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.host === "") return "no_url";
  if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "") return "credential";
  const loopback = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(url.hostname);
  return withKey && url.protocol === "http:" && !loopback ? "clear_text" : undefined;
}

/** The addresses of the providers that have one, so that no environment variable can move them. */
const ADDRESSES: ReadonlyMap<JudgeProvider, string> = new Map([
  ["openai", "https://api.openai.com/v1"],
  ["anthropic", "https://api.anthropic.com/v1"],
  ["google", "https://generativelanguage.googleapis.com/v1beta"],
]);

/** The variables that hold a key where the project names none. */
const KEY_VARIABLES: ReadonlyMap<JudgeProvider, string> = new Map([
  ["openai", "OPENAI_API_KEY"],
  ["anthropic", "ANTHROPIC_API_KEY"],
  ["google", "GOOGLE_GENERATIVE_AI_API_KEY"],
]);

/** The address of a judge's API; undefined for a function. */
export function addressOf({ provider, base_url }: JudgeModel): string | undefined {
  return base_url ?? ADDRESSES.get(provider);
}

/** The host, with its port, that receives what a judge is asked; undefined for a function. */
export function hostOf(model: JudgeModel): string | undefined {
  const address = addressOf(model);
  return address === undefined ? undefined : new URL(address).host;
}

/** The environment variable that holds a judge's key; undefined where none is sent. */
export function keyVariableOf(provider: JudgeProvider, api_key_env?: string): string | undefined {
  return api_key_env ?? KEY_VARIABLES.get(provider);
}
