/** The settings of a system under test: data that the system states and the project may override. */
import { z } from "zod";
import { isJsonObject, type Json, type JsonObject } from "./json.ts";

const text = z.string().min(1);
const count = z.int().min(1);
const params = z.record(z.string(), z.json());

/** The schema of {@link SystemSettings}; every key is optional here, since system and project each give a part. */
export const partialSettingsSchema = z.strictObject({
  name: text.optional(),
  version: text.optional(),
  depth: count.optional(),
  top_k: count.optional(),
  token_budget: count.nullish(),
  index_version: text.optional(),
  params: z.strictObject({ retrieve: params.optional(), generate: params.optional() }).optional(),
});

/** Some of the settings, as a system or a project states them. */
export interface PartialSettings {
  /** Non-empty; part of every identity, so that two systems never share cached work. */
  readonly name?: string | undefined;
  /** Non-empty; a change generates and judges anew and keeps the recorded retrievals. */
  readonly version?: string | undefined;
  /** How many candidates the retriever is asked for, an integer ≥ 1. */
  readonly depth?: number | undefined;
  /** How many of them may enter the context, an integer from 1 to `depth`. */
  readonly top_k?: number | undefined;
  /** Tokens; null or absent = no budget. */
  readonly token_budget?: number | null | undefined;
  /** Names the state of the index; state another whenever the index or the retriever changes. */
  readonly index_version?: string | undefined;
  /** Handed to the stages as they are; where both state a key, the project's value holds. */
  readonly params?:
    | { readonly retrieve?: JsonObject | undefined; readonly generate?: JsonObject | undefined }
    | undefined;
}

/** All settings of a system, complete. */
export interface SystemSettings {
  /** Part of every identity: two systems never share cached work. */
  readonly name: string;
  /** Non-empty; retrievals are shared between versions, generations are not. */
  readonly version: string;
  /** How many candidates the retriever is asked for. */
  readonly depth: number;
  /** How many of them may enter the context. */
  readonly top_k: number;
  /** Tokens that the context may hold; null = no budget. */
  readonly token_budget: number | null;
  /** Names the state of the index; a change makes recorded retrievals stale. */
  readonly index_version?: string;
  /** Handed to the stages as they are. */
  readonly params: { readonly retrieve: JsonObject; readonly generate: JsonObject };
}

/** A setting that is absent or does not fit another one. */
export interface SettingsProblem {
  readonly code: "setting_absent" | "top_k_beyond_depth";
  readonly key: keyof SystemSettings;
  readonly message: string;
}

/**
 * Lays the project's settings over the system's own, key by key (also within `params`), and checks the whole.
 * A key that is `undefined` overrides nothing; `token_budget: null` takes a budget away.
 */
export function completeSettings(
  own: PartialSettings,
  overrides: PartialSettings,
):
  | { readonly ok: true; readonly settings: SystemSettings }
  | { readonly ok: false; readonly problems: readonly SettingsProblem[] } {
  const { name, version, depth, top_k, index_version, token_budget, params } = mergeSettings(own, overrides);
  const problems: SettingsProblem[] = [];
  const absent = (key: keyof SystemSettings) =>
    problems.push({
      code: "setting_absent",
      key,
      message: `neither the system nor the project states "${key}"`,
    });
  if (name === undefined) absent("name");
  if (version === undefined) absent("version");
  if (depth === undefined) absent("depth");
  if (top_k === undefined) absent("top_k");
  if (depth !== undefined && top_k !== undefined && top_k > depth) {
    problems.push({
      code: "top_k_beyond_depth",
      key: "top_k",
      message:
        `top_k ${top_k} is greater than depth ${depth}; at most depth candidates can enter the context`,
    });
  }
  if (
    problems.length > 0 || name === undefined || version === undefined || depth === undefined ||
    top_k === undefined
  ) return { ok: false, problems };
  return {
    ok: true,
    settings: {
      name,
      version,
      depth,
      top_k,
      token_budget: token_budget ?? null,
      ...(index_version === undefined ? {} : { index_version }),
      params: { retrieve: params?.retrieve ?? {}, generate: params?.generate ?? {} },
    },
  };
}

/** Settings under others: what is stated above wins, key by key, also within `params` and the objects in it. */
export function mergeSettings(under: PartialSettings, over: PartialSettings): PartialSettings {
  const stated = Object.entries(over).filter(([, value]) => value !== undefined);
  const params = {
    retrieve: mergeObjects(under.params?.retrieve, over.params?.retrieve),
    generate: mergeObjects(under.params?.generate, over.params?.generate),
  };
  return { ...under, ...Object.fromEntries(stated), params };
}

function mergeObjects(under: JsonObject = {}, over: JsonObject = {}): JsonObject {
  const merged: Record<string, Json | undefined> = { ...under };
  for (const [key, value] of Object.entries(over)) {
    if (value === undefined) continue;
    const below = Object.hasOwn(under, key) ? under[key] : undefined;
    merged[key] = isJsonObject(below) && isJsonObject(value) ? mergeObjects(below, value) : value;
  }
  return merged;
}
