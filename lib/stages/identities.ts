/** What makes two pieces of work equal: the identities of the caches, field by field. */
import type { Json, JsonObject } from "../domain/json.ts";
import { canonicalJson, identityOf, writtenOnce } from "../domain/identity.ts";
import type { Passage } from "../domain/passage.ts";
import type { CaseRecord } from "../domain/record.ts";
import type { SystemSettings } from "../domain/settings.ts";

/** A system as identities see it: its settings, and the digest of its code (null: its version stands for it). */
export interface SystemIdentity {
  readonly settings: SystemSettings;
  readonly source_digest: string | null;
  /** The 1-based repeat of an execution; absent = the first. Different repeats are different work. */
  readonly repeat?: number;
}

/** The first repeat is named nowhere: it is the execution of a run without repeats. */
function repeatKey({ repeat = 1 }: SystemIdentity): { readonly repeat?: number } {
  return repeat === 1 ? {} : { repeat };
}

/**
 * What an identity is the hash of, by name, in the order in which differences are told. The functions below hash nothing else, so that
 * what explains a miss is what caused it.
 */
export type IdentityFields = { readonly [field: string]: unknown };

/** Equal retrievals. Not version, top_k or token_budget: a change to generation never re-runs retrieval. */
export function retrievalFields(system: SystemIdentity, input: Json): IdentityFields {
  const { name, index_version, depth, params } = system.settings;
  return { name, index_version, depth, input, params: params.retrieve, ...repeatKey(system) };
}

/** The identity of {@link retrievalFields}. */
export function retrievalIdentity(system: SystemIdentity, input: Json): string {
  return identityOf({ kind: "retrieval", ...retrievalFields(system, input) });
}

/** Equal generations. Where a passage has no text, the index version stands for what its id means. */
export function generationFields(
  system: SystemIdentity,
  input: Json,
  query: Json | undefined,
  context: readonly Passage[],
): IdentityFields {
  const { settings: { name, version, index_version, params }, source_digest } = system;
  const textless = context.some((passage) => passage.text === undefined);
  return {
    name,
    version,
    source_digest,
    input,
    query,
    context,
    params: params.generate,
    ...(textless ? { index_version } : {}),
    ...repeatKey(system),
  };
}

/** The identity of {@link generationFields}. */
export function generationIdentity(
  system: SystemIdentity,
  input: Json,
  query: Json | undefined,
  context: readonly Passage[],
): string {
  const fields = generationFields(system, input, query, context);
  return identityOf({ kind: "generation", ...fields, context });
}

/** Equal executions of all stages. */
export function executionFields(system: SystemIdentity, input: Json): IdentityFields {
  const { settings, source_digest } = system;
  return { settings, source_digest, input, ...repeatKey(system) };
}

/** The identity of {@link executionFields}. */
export function executionIdentity(system: SystemIdentity, input: Json): string {
  const fields = executionFields(system, input);
  return identityOf({ kind: "execution", ...fields, settings: writtenOnce(system.settings) });
}

/** Equal recorded executions: nothing is called, so the record itself stands for the code that made it. */
export function recordedIdentity({ settings }: SystemIdentity, input: Json, recorded: unknown): string {
  return identityOf({ kind: "execution", settings, input, recorded });
}

/**
 * What judgments are of: an execution (and so a repeat), its record and the expectation. A judgment's identity is that of this together
 * with that of its {@link evaluatorFields}; keeping the two halves apart lets one row hold all judgments of a record.
 *
 * @param options `wholeCase` where an evaluator may read the id and the metadata of the case, too: the user's functions do.
 */
export function recordFields(
  execution: string,
  record: CaseRecord,
  options: { readonly wholeCase?: boolean } = {},
): IdentityFields & { readonly record: IdentityFields } {
  const { candidates, context, output, error } = record;
  const { id, expected, metadata } = record.case;
  const { query, dropped } = record;
  return {
    execution,
    record: {
      candidates,
      context,
      output,
      error: error && { ...error, cost: undefined, trace: undefined },
    },
    expected,
    ...(options.wholeCase === true ? { id, metadata, query, dropped } : {}),
  };
}

/** The identity of {@link recordFields}: of the record itself its digest stands in it. */
export function recordIdentity(
  execution: string,
  record: CaseRecord,
  options: { readonly wholeCase?: boolean } = {},
): string {
  const { record: observed, ...fields } = recordFields(execution, record, options);
  const { candidates, context } = record;
  // Which candidates are in the context says as much as the passages themselves.
  const places = context?.map((passage) => placeAmong(candidates, passage) ?? passage);
  const digest = identityOf({ ...observed, context: places });
  return identityOf({ kind: "record", ...fields, digest });
}

/** The 0-based place of a passage among the candidates, so that a context is not written out beside them. */
function placeAmong(candidates: readonly Passage[] = [], passage: Passage): number | undefined {
  const itself = candidates.indexOf(passage);
  if (itself >= 0) return itself;
  // A context that the system assembled itself holds copies.
  const text = canonicalJson(passage);
  const equal = candidates.findIndex((one) => one.doc_id === passage.doc_id && canonicalJson(one) === text);
  return equal < 0 ? undefined : equal;
}

/** Equal judging: the evaluator's type and version, all its parameters, and the digest of the user's code that it calls. */
export interface EvaluatorFields extends IdentityFields {
  readonly type: string;
  readonly version: number;
  readonly parameters: JsonObject;
  readonly source_digest?: string;
}

/** The identity of an evaluator. */
export function evaluatorIdentity(evaluator: EvaluatorFields): string {
  return identityOf({
    kind: "evaluator",
    ...evaluator,
    parameters: identifyingParameters(evaluator.parameters),
  });
}

/** The parameters that can change a judgment: where the key of a judge is looked for cannot. */
export function identifyingParameters({ api_key_env: _, ...parameters }: JsonObject): JsonObject {
  return parameters;
}
