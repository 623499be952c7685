/** One case through the stages: retrieve → assemble → generate, each asked of the cache first; or through the one that there is. */
import type { Case } from "../domain/case.ts";
import { copyJson, type Json } from "../domain/json.ts";
import type { Assembly, Passage } from "../domain/passage.ts";
import type { CaseRecord, CountedStage, StageCost, StageFailure } from "../domain/record.ts";
import type { CaseCache } from "../domain/run.ts";
import { accountForContext, assembleContext } from "./assemble.ts";
import { callStage, type CallTools, type StageResult } from "./call_stage.ts";
import type { CaseExecution, CaseResult, CaseSurroundings, RunnableSystem } from "./case_execution.ts";
import {
  executionIdentity,
  generationIdentity,
  recordedIdentity,
  retrievalIdentity,
  type SystemIdentity,
} from "./identities.ts";
import { isOneStage, type RagStages } from "./rag_system.ts";
import { readAnswer, readContext, readRetrieval, readTokens } from "./read_output.ts";
import { isRecorded, type RecordedOutput } from "./read_record.ts";
import { executeAnswer, replayRecord } from "./run_answer.ts";

/** Executes one case. A stage that fails ends the execution; it is recorded, not thrown. */
export async function runCase(
  testCase: Case,
  system: RunnableSystem,
  surroundings: CaseSurroundings,
): Promise<CaseResult> {
  const { stages, identity } = system;
  const { execution, recorded } = await identifyExecution(testCase, system);
  const { value: evidence, outcome } = await surroundings.cache.execution(execution, async () => {
    const value = isRecorded(stages)
      ? replayRecord(testCase, recorded, execution, surroundings)
      : isOneStage(stages)
      ? await executeAnswer(testCase.input, { stages, identity }, execution, surroundings)
      : await executeStages(testCase.input, { stages, identity }, surroundings);
    return { value, shareable: value.error === undefined };
  });
  return {
    execution,
    evidence,
    record: recordOf(testCase, evidence),
    cache: { execution: outcome, ...(outcome === "hit" ? hitsOf(stages) : evidence.stages) },
  };
}

/** The identity of a case's execution; of recorded outputs with the record itself, which is a part of it. */
export async function identifyExecution(
  { id, input }: Pick<Case, "id" | "input">,
  { stages, identity }: RunnableSystem,
): Promise<{ readonly execution: string; readonly recorded?: RecordedOutput | undefined }> {
  if (!isRecorded(stages)) return { execution: executionIdentity(identity, input) };
  const recorded = await stages.recorded(id);
  return { execution: recordedIdentity(identity, input, recorded), recorded };
}

/** An execution that stands for an equal one made no stage call: every stage counts as a hit. */
export function hitsOf(stages: RunnableSystem["stages"]): Pick<CaseCache, CountedStage> {
  if (isRecorded(stages)) return {};
  return isOneStage(stages) ? { answer: "hit" } : { retrieve: "hit", generate: "hit" };
}

/** The record of a case from the evidence of its execution. */
export function recordOf(testCase: Case, evidence: Omit<CaseExecution, "stages">): CaseRecord {
  const { retrieval, assembly, generation, error } = evidence;
  return {
    case: testCase,
    ...retrieval?.retrieval,
    // Without candidates nothing is known of what was dropped.
    ...(retrieval === undefined && assembly !== undefined ? { context: assembly.context } : assembly),
    ...(generation === undefined ? {} : { output: generation.output }),
    ...(error === undefined ? {} : { error }),
  };
}

/** A system of two stages. */
export interface StagedSystem {
  readonly stages: RagStages;
  readonly identity: SystemIdentity;
}

/** Of two stages depth and top_k are always stated. */
function limitsOf({ settings: { depth, top_k, token_budget } }: SystemIdentity) {
  if (depth === null || top_k === null) throw new TypeError("a system of two stages has a depth and a top_k");
  return { depth, top_k, token_budget };
}

async function executeStages(
  input: Json,
  system: StagedSystem,
  surroundings: CaseSurroundings,
): Promise<CaseExecution> {
  const { stages, identity } = system;
  const { limits, cache } = surroundings;
  const { params } = identity.settings;
  const { depth } = limitsOf(identity);

  const retrieved = await cache.retrieval(retrievalIdentity(identity, input), () =>
    callStage(
      "retrieve",
      (tools) =>
        stages.retrieve(copyJson(input), depth, {
          ...tools,
          params: copyJson(params.retrieve),
        }),
      (returned) => readRetrieval(returned, depth),
      limits,
      surroundings,
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
          stages.generate(copyJson(input), copyPassages(context), {
            ...tools,
            params: copyJson(params.generate),
            ...(query === undefined ? {} : { query: copyJson(query) }),
          }),
        readAnswer,
        limits,
        surroundings,
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
  system: StagedSystem,
  surroundings: Omit<CaseSurroundings, "cache">,
): Promise<StageResult<Assembly>> {
  const { stages, identity } = system;
  const { limits, fixedContext } = surroundings;
  const { top_k, token_budget } = limitsOf(identity);
  const isOurs = stages.assemble === undefined && token_budget === null && fixedContext === undefined;
  // Nothing is waited for where nobody's code is called.
  const call = isOurs
    ? () => assembleContext(candidates, { top_k, token_budget })
    : async ({ signal }: CallTools): Promise<Assembly> => {
      if (fixedContext !== undefined) return { context: fixedContext, dropped: [] };
      if (stages.assemble !== undefined) {
        const given = copyPassages(candidates);
        const sent = await stages.assemble(copyJson(input), given, { top_k, token_budget }, { signal });
        return accountForContext(candidates, readContext(sent));
      }
      const tokens = token_budget === null ? [] : await countAll(stages, candidates.slice(0, top_k), signal);
      return assembleContext(candidates, { top_k, token_budget }, tokens);
    };
  return callStage("assemble", call, (assembly) => assembly as Assembly, limits, surroundings);
}

/** All at once: a system elsewhere then counts them in one message. */
function countAll(
  stages: RagStages,
  passages: readonly Passage[],
  signal: AbortSignal,
): Promise<readonly number[]> {
  const count = async (passage: Passage, index: number) =>
    readTokens(await stages.countTokens?.(passage, { signal }), index + 1);
  return Promise.all(copyPassages(passages).map(count));
}

/** Passages as a stage receives them: its own copies, as all that it is given, so that nothing that it does reaches the record. */
function copyPassages(passages: readonly Passage[]): readonly Passage[] {
  return copyJson(passages);
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
