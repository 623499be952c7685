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

/** `${NAME}` stands for an environment variable. */
const serviceUrl = z.string()
  .refine((url) => /^\$\{\w+\}$/.test(url) || isServiceUrl(url.replaceAll(/\$\{\w+\}/g, "1")))
  .describe("an http:// or https:// URL without a password in it");

function isServiceUrl(text: string): boolean {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return false;
  const { username, password } = new URL(text);
  return username === "" && password === "";
}

const headerName = z.string().regex(/^[\w!#$%&'*+.^`|~-]+$/, "a header's name has no spaces and no colon");

const headerValue = z.string().regex(/^[^\r\n\0]*$/).describe("one line of text");

/** The words of a command line. */
const command = z.array(text).min(1).describe("a list of words, as in [python3, server.py]");

/** A place in a JSON value: keys and numbers of places, joined by dots. */
const path = z.string().regex(/^[^.\s]+(?:\.[^.\s]+)*$/).describe("a dotted path, as in result.answer");

const passagePaths = z.strictObject({
  items: path,
  doc_id: path.default("doc_id"),
  chunk_id: path.default("chunk_id"),
  score: path.default("score"),
  text: path.default("text"),
  metadata: path.default("metadata"),
});

const passages = z.union([path, passagePaths]);

/** What is read of a service's response. */
const response = z.strictObject({
  output: path.optional(),
  candidates: passages.optional(),
  context: passages.optional(),
  usage: z.strictObject({
    input_tokens: path.optional(),
    output_tokens: path.optional(),
    cost_usd: path.optional(),
    first_token_ms: path.optional(),
  }).default({}),
});

/** The default of `start_timeout_seconds`: models may have to be read first. */
const START_TIMEOUT_SECONDS = 120;

const price = z.strictObject({ input: z.number().min(0), output: z.number().min(0) });

/** How judge calls are made. */
const judging = z.strictObject({
  concurrency: z.int().min(1).default(16),
  timeout_seconds: z.number().gt(0).max(LONGEST_TIMEOUT_SECONDS).default(60),
  retries: z.int().min(0).default(4),
  requests_per_minute: z.int().min(1).optional(),
  max_calls: z.int().min(0).optional(),
  max_cost_usd: z.number().gt(0).optional(),
  prices: z.record(z.string().min(1), price).default({}),
});

const rag = z.strictObject({
  object: moduleExport.optional(),
  records: text.optional(),
  command: command.optional(),
  url: serviceUrl.optional(),
  request: z.json().optional(),
  response: response.optional(),
  headers: z.record(headerName, headerValue).default({}),
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
  runtime: z.enum(["auto", "deno", "node", "python"]).default("auto"),
  start_timeout_seconds: z.number().gt(0).max(LONGEST_TIMEOUT_SECONDS).default(START_TIMEOUT_SECONDS),
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
  python: z.strictObject({ command }).optional(),
  judging: judging.prefault({}),
  store: store.default(".oloproof/oloproof.db"),
});

/** Keys of later versions, by the object that they stand in. */
export const LATER_KEYS: ReadonlyMap<string, readonly string[]> = new Map();
