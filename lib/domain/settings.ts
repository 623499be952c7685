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
  reports: z.array(z.enum(["candidates", "context"])).optional(),
  accepts_context: z.boolean().optional(),
  ranked: z.boolean().optional(),
});

/** What a system that answers in one stage may tell of itself. */
export type ReportedPart = "candidates" | "context";

/** How a system comes: in two stages that are observed, in one, or as outputs that were recorded before. */
export type SystemShape = "two_stage" | "one_stage" | "recorded";

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
  /** Of a system that answers in one stage: what every answer tells besides its output; absent = nothing. */
  readonly reports?: readonly ReportedPart[] | undefined;
  /** Of a system that answers in one stage: whether it answers from a context that it is given; absent = false. */
  readonly accepts_context?: boolean | undefined;
  /** False when the candidates are no single ranking, as of several merged searches; absent = true. */
  readonly ranked?: boolean | undefined;
}

/** All settings of a system, complete. */
export interface SystemSettings {
  /** Part of every identity: two systems never share cached work. */
  readonly name: string;
  /** Non-empty; retrievals are shared between versions, generations are not. */
  readonly version: string;
  /** How many candidates there may be; null only where a system of one stage, or its recorded outputs, states none. */
  readonly depth: number | null;
  /** How many of them may enter the context; null as `depth` is: then no cut of the ranking is known. */
  readonly top_k: number | null;
  /** Tokens that the context may hold; null = no budget. */
  readonly token_budget: number | null;
  /** Names the state of the index; a change makes recorded retrievals stale. */
  readonly index_version?: string;
  /** Handed to the stages as they are. */
  readonly params: { readonly retrieve: JsonObject; readonly generate: JsonObject };
  /** What a system of one stage, or its recorded outputs, tell besides the output; absent = two stages, which are observed whole. */
  readonly reports?: readonly ReportedPart[];
  /** Whether a system of one stage answers from a context that it is given; absent for every other. */
  readonly accepts_context?: boolean;
  /** Present for recorded outputs: nothing is called. */
  readonly recorded?: true;
  /** Present when the candidates are no single ranking. */
  readonly ranked?: false;
}

/** Whether a part of the records of a system is to be expected: of two stages both are. */
export function isReported({ reports }: Pick<SystemSettings, "reports">, part: ReportedPart): boolean {
  return reports === undefined || reports.includes(part);
}

/** A setting that is absent, does not fit another one, or has no meaning for a system of this shape. */
export interface SettingsProblem {
  readonly code: "setting_absent" | "top_k_beyond_depth" | "setting_without_meaning";
  readonly key: keyof SystemSettings;
  readonly message: string;
}

/**
 * Lays the project's settings over the system's own, key by key (also within `params`), and checks the whole.
 * A key that is `undefined` overrides nothing; `token_budget: null` takes a budget away.
 *
 * A system of two stages needs depth and top_k. One that answers in one stage assembles its context itself: what only two stages
 * read is refused there, and so the other way round.
 */
export function completeSettings(
  own: PartialSettings,
  overrides: PartialSettings,
  shape: SystemShape = "two_stage",
):
  | { readonly ok: true; readonly settings: SystemSettings }
  | { readonly ok: false; readonly problems: readonly SettingsProblem[] } {
  const stated = mergeSettings(own, overrides);
  const { name, version, depth, top_k, index_version, token_budget, params, ranked } = stated;
  const problems: SettingsProblem[] = [...withoutMeaning(stated, shape)];
  const absent = (key: keyof SystemSettings) =>
    problems.push({
      code: "setting_absent",
      key,
      message: `neither the system nor the project states "${key}"`,
    });
  if (name === undefined) absent("name");
  if (version === undefined) absent("version");
  if (shape === "two_stage" && depth === undefined) absent("depth");
  if (shape === "two_stage" && top_k === undefined) absent("top_k");
  if (depth !== undefined && top_k !== undefined && top_k > depth) {
    problems.push({
      code: "top_k_beyond_depth",
      key: "top_k",
      message:
        `top_k ${top_k} is greater than depth ${depth}; at most depth candidates can enter the context`,
    });
  }
  if (problems.length > 0 || name === undefined || version === undefined) return { ok: false, problems };
  return {
    ok: true,
    settings: {
      name,
      version,
      depth: depth ?? null,
      top_k: top_k ?? null,
      token_budget: token_budget ?? null,
      ...(index_version === undefined ? {} : { index_version }),
      params: { retrieve: params?.retrieve ?? {}, generate: params?.generate ?? {} },
      ...shapeOf(stated, shape),
      ...(ranked === false ? { ranked } : {}),
    },
  };
}

function shapeOf(
  { reports = [], accepts_context = false }: PartialSettings,
  shape: SystemShape,
): Pick<SystemSettings, "reports" | "accepts_context" | "recorded"> {
  // A set, in an order of its own: how it was written is no difference.
  const parts = (["candidates", "context"] as const).filter((part) => reports.includes(part));
  switch (shape) {
    case "two_stage":
      return {};
    case "one_stage":
      return { reports: parts, accepts_context };
    case "recorded":
      return { reports: parts, recorded: true };
  }
}

/** Settings that no stage of such a system would ever read. */
function withoutMeaning(stated: PartialSettings, shape: SystemShape): readonly SettingsProblem[] {
  const problem = (key: keyof SystemSettings, message: string): SettingsProblem[] => [
    { code: "setting_without_meaning", key, message },
  ];
  const { reports, accepts_context, token_budget, params } = stated;
  if (shape === "two_stage") {
    return [
      ...(reports === undefined
        ? []
        : problem("reports", '"reports" is for a system that answers in one stage; two stages are observed')),
      ...(accepts_context === undefined ? [] : problem(
        "accepts_context",
        '"accepts_context" is for a system that answers in one stage; generate is always given its context',
      )),
    ];
  }
  const calls = shape === "recorded"
    ? "recorded outputs call nothing"
    : "a system of one stage has no such stage";
  return [
    ...(token_budget === undefined || token_budget === null ? [] : problem(
      "token_budget",
      '"token_budget" is for two stages; here the context is not assembled by oloproof',
    )),
    ...(Object.keys(params?.retrieve ?? {}).length === 0
      ? []
      : problem("params", `"params.retrieve" is read by nobody: ${calls}`)),
    ...(shape === "recorded" && Object.keys(params?.generate ?? {}).length > 0
      ? problem("params", `"params.generate" is read by nobody: ${calls}`)
      : []),
    ...(shape === "recorded" && accepts_context !== undefined
      ? problem("accepts_context", `"accepts_context" has no meaning: ${calls}`)
      : []),
  ];
}

/** Complete settings as they would be stated, so that a recorded run can be loaded again. */
export function statedSettings(settings: SystemSettings): PartialSettings {
  const { depth, top_k, recorded: _recorded, ...rest } = settings;
  return { ...rest, depth: depth ?? undefined, top_k: top_k ?? undefined };
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
