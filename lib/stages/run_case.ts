/** One case through the stages: retrieve → assemble → generate, each asked of the cache first. */
import type { Case } from "../domain/case.ts";
import type { Json } from "../domain/json.ts";
import type { Assembly, Passage, Retrieval } from "../domain/passage.ts";
import type { Clock } from "../domain/ports.ts";
import type { CaseRecord, StageCost, StageFailure } from "../domain/record.ts";
import type { CacheOutcome, CaseCache, GenerationEntry, RetrievalEntry } from "../domain/run.ts";
import { accountForContext, assembleContext } from "./assemble.ts";
import { callStage, type StageLimits, type StageResult } from "./call_stage.ts";
import {
  executionIdentity,
  generationIdentity,
  retrievalIdentity,
  type SystemIdentity,
} from "./identities.ts";
import type { RagStages } from "./rag_system.ts";
import { readAnswer, readContext, readRetrieval, readTokens } from "./read_output.ts";
import type { Made } from "./single_flight.ts";

/** What an execution left behind: all of it when it finished, what there was before the failing stage otherwise. */
export interface CaseExecution {
  readonly retrieval?: RetrievalEntry;
  readonly assembly?: Assembly;
  readonly generation?: GenerationEntry;
  readonly error?: StageFailure;
  /** Outcomes of the stages' own caches; a stage not reached is absent. */
  readonly stages: { readonly retrieve?: CacheOutcome; readonly generate?: CacheOutcome };
}

/** An answer of the cache. */
export interface Kept<T> {
  readonly value: T;
  readonly outcome: CacheOutcome;
}

/** Where equal work is looked for before it is done. Made stage results become entries with ids there. */
export interface EvidenceCache {
  execution(identity: string, make: () => Promise<Made<CaseExecution>>): Promise<Kept<CaseExecution>>;
  retrieval(
    identity: string,
    make: () => Promise<StageResult<Retrieval>>,
  ): Promise<Kept<RetrievalEntry | StageFailure>>;
  generation(
    identity: string,
    make: () => Promise<StageResult<Json>>,
  ): Promise<Kept<GenerationEntry | StageFailure>>;
}

/** A loaded system, ready to be run. */
export interface RunnableSystem {
  readonly stages: RagStages;
  readonly identity: SystemIdentity;
}

/** What a case needs besides itself. */
export interface CaseSurroundings {
  readonly limits: StageLimits;
  readonly cache: EvidenceCache;
  readonly clock: Clock;
  readonly stop: AbortSignal;
  /** Takes the place of what top_k and budget would let in; nothing is dropped then. */
  readonly fixedContext?: readonly Passage[];
}

/** A case that was executed, or answered by an equal execution. */
export interface CaseResult {
  readonly execution: string;
  readonly evidence: CaseExecution;
  readonly record: CaseRecord;
  readonly cache: Omit<CaseCache, "judgment">;
}

/** Executes one case. A stage that fails ends the execution; it is recorded, not thrown. */
export async function runCase(
  testCase: Case,
  system: RunnableSystem,
  surroundings: CaseSurroundings,
): Promise<CaseResult> {
  const execution = executionIdentity(system.identity, testCase.input);
  const { value: evidence, outcome } = await surroundings.cache.execution(execution, async () => {
    const value = await executeStages(testCase.input, system, surroundings);
    return { value, shareable: value.error === undefined };
  });
  // An execution that stands for an equal one made no stage call: both stages count as hits.
  const stages = outcome === "hit" ? { retrieve: outcome, generate: outcome } : evidence.stages;
  return {
    execution,
    evidence,
    record: recordOf(testCase, evidence),
    cache: { execution: outcome, ...stages },
  };
}

/** The record of a case from the evidence of its execution. */
export function recordOf(testCase: Case, evidence: Omit<CaseExecution, "stages">): CaseRecord {
  const { retrieval, assembly, generation, error } = evidence;
  return {
    case: testCase,
    ...retrieval?.retrieval,
    ...assembly,
    ...(generation === undefined ? {} : { output: generation.output }),
    ...(error === undefined ? {} : { error }),
  };
}

async function executeStages(
  input: Json,
  system: RunnableSystem,
  surroundings: CaseSurroundings,
): Promise<CaseExecution> {
  const { stages, identity } = system;
  const { limits, cache } = surroundings;
  const { depth, params } = identity.settings;

  const retrieved = await cache.retrieval(retrievalIdentity(identity, input), () =>
    callStage(
      "retrieve",
      (tools) =>
        stages.retrieve(structuredClone(input), depth, {
          ...tools,
          params: structuredClone(params.retrieve),
        }),
      (returned) => readRetrieval(returned, depth),
      limits,
      { clock: surroundings.clock, stop: surroundings.stop },
    ));
  if (isFailure(retrieved.value)) return { error: retrieved.value, stages: { retrieve: retrieved.outcome } };
  const retrieval = retrieved.value;
  const soFar = { retrieval, stages: { retrieve: retrieved.outcome } };

  const assembled = await assemble(input, retrieval.retrieval.candidates, system, surroundings);
  if (!assembled.ok) return { ...soFar, error: assembled.failure };
  const assembly = assembled.value;
  const { context } = assembly;

  const { query } = retrieval.retrieval;
  const generated = await cache.generation(
    generationIdentity(identity, input, query, context),
    () =>
      callStage(
        "generate",
        (tools) =>
          stages.generate(structuredClone(input), copyPassages(context), {
            ...tools,
            params: structuredClone(params.generate),
            ...(query === undefined ? {} : { query: structuredClone(query) }),
          }),
        readAnswer,
        limits,
        { clock: surroundings.clock, stop: surroundings.stop },
      ),
  );
  const outcomes = { retrieve: retrieved.outcome, generate: generated.outcome };
  if (isFailure(generated.value)) return { ...soFar, assembly, error: generated.value, stages: outcomes };
  return { retrieval, assembly, generation: generated.value, stages: outcomes };
}

/** Assembles by the system's own `assemble` where it has one, else by top_k and budget. */
export function assemble(
  input: Json,
  candidates: readonly Passage[],
  system: RunnableSystem,
  { limits, clock, stop, fixedContext }: Omit<CaseSurroundings, "cache">,
): Promise<StageResult<Assembly>> {
  const { stages, identity } = system;
  const { top_k, token_budget } = identity.settings;
  const call = async (): Promise<Assembly> => {
    if (fixedContext !== undefined) return { context: fixedContext, dropped: [] };
    if (stages.assemble !== undefined) {
      const given = copyPassages(candidates);
      const sent = await stages.assemble(structuredClone(input), given, { top_k, token_budget });
      return accountForContext(candidates, readContext(sent));
    }
    const tokens = token_budget === null ? [] : await countAll(stages, candidates.slice(0, top_k));
    return assembleContext(candidates, { top_k, token_budget }, tokens);
  };
  return callStage("assemble", call, (assembly) => assembly as Assembly, limits, { clock, stop });
}

async function countAll(stages: RagStages, passages: readonly Passage[]): Promise<readonly number[]> {
  const tokens: number[] = [];
  for (const [index, passage] of copyPassages(passages).entries()) {
    tokens.push(readTokens(await stages.countTokens?.(passage), index + 1));
  }
  return tokens;
}

/** Passages as a stage receives them: its own copies, as all that it is given, so that nothing that it does reaches the record. */
function copyPassages(passages: readonly Passage[]): readonly Passage[] {
  return structuredClone(passages);
}

function isFailure(value: { readonly id: number } | StageFailure): value is StageFailure {
  return "kind" in value && "stage" in value;
}

/** The costs of the stage calls that a case really made. */
export function costsOf(evidence: CaseExecution): { retrieve?: StageCost; generate?: StageCost } {
  return {
    ...(evidence.retrieval === undefined ? {} : { retrieve: evidence.retrieval.cost }),
    ...(evidence.generation === undefined ? {} : { generate: evidence.generation.cost }),
  };
}
