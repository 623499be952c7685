/** The schema of a project file. What is optional here has its default beside it. */
import { z } from "zod";
import { isRemoteStore } from "../domain/store_location.ts";
import { partialSettingsSchema } from "../domain/settings.ts";
import { isCasePath } from "./case_path.ts";
import { didYouMean } from "./nearest.ts";

const text = z.string().min(1);
const stated = partialSettingsSchema.shape;

/** `module:export`; the last colon separates, so that a module may be a path with colons in it. */
const moduleExport = z.string()
  .regex(/^\S(?:.*\S)?:[\p{ID_Start}$_][\p{ID_Continue}$]*$/u)
  .describe('module:export, as in "app:supportRag"');

/** The name of a criterion; it stands in tables, file names and options. */
export const criterionName = z.string()
  .regex(/^[\p{L}\p{N}_.-]+$/u)
  .describe("a name of letters, digits and the signs _ . -");

/** What a slice may be besides a path into the case. */
const COMPUTED_SLICES: readonly string[] = ["relevant_position", "context_truncated"];

const slice = z.string()
  .superRefine((name, context) => {
    if (COMPUTED_SLICES.includes(name) || isCasePath(name)) return;
    context.addIssue({ code: "custom", params: hintForSlice(name) });
  })
  .describe("metadata.<path>, input.<path>, relevant_position or context_truncated");

/** A name alone is most often meant to be one of the metadata. */
function hintForSlice(name: string): { readonly hint?: string } {
  const near = didYouMean(name, COMPUTED_SLICES);
  const isName = /^(?!(?:metadata|input)$)[\w-]+$/.test(name);
  return near.hint === undefined && isName ? { hint: `did you mean "metadata.${name}"?` } : near;
}

/** Timers cannot wait any longer. */
const LONGEST_TIMEOUT_SECONDS = 2_147_483;

/** How a run is carried out. */
const run = z.strictObject({
  concurrency: z.int().min(1).default(8),
  timeout_seconds: z.number().gt(0).max(LONGEST_TIMEOUT_SECONDS).default(60),
  retries: z.int().min(0).default(0),
  repeats: z.int().min(1).default(1),
});

const rag = z.strictObject({
  object: moduleExport.optional(),
  records: text.optional(),
  depth: stated.depth,
  top_k: stated.top_k,
  token_budget: stated.token_budget,
  index_version: stated.index_version,
  params: stated.params,
  reports: stated.reports,
  accepts_context: stated.accepts_context,
  ranked: stated.ranked,
  identity: z.enum(["source", "version"]).default("source"),
  files: z.array(text).default([]),
});

const store = text
  .refine((place) => isRemoteStore(place) || !/^(?:[a-z][a-z\d+.-]*:\/\/|file:)/i.test(place))
  .describe("a file path or a libsql://, https:// or http:// URL");

/**
 * The schema of `oloproof.yaml`. The parameters of evaluators are checked apart, by the schema of their
 * type. `min_slice_support` is the number of cases from which a slice shows metrics, 5 unless the project
 * says otherwise.
 */
export const projectSchema = z.strictObject({
  system: z.strictObject({ name: stated.name, version: stated.version, rag }),
  cases: z.union([text, z.array(text).min(1)]).default("cases.jsonl"),
  corpus: text.optional(),
  evaluators: z.array(z.looseObject({ type: text, criterion: criterionName.optional() })).default([]),
  slices: z.array(slice).default([]),
  min_slice_support: z.int().min(1).default(5),
  relevance_unit: z.enum(["document", "chunk"]).default("document"),
  run: run.prefault({}),
  store: store.default(".oloproof/oloproof.db"),
});

/** Keys of later versions, by the object that they stand in. */
export const LATER_KEYS: ReadonlyMap<string, readonly string[]> = new Map([
  ["", ["python"]],
  ["system.rag", ["command", "python", "runtime", "url"]],
]);

/** Evaluator types of later versions. */
export const LATER_EVALUATORS: readonly string[] = ["judge", "groundedness_judge", "citation_support_judge"];
