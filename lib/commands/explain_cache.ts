/** `cache explain`: why each step of a case was found in the caches or had to be done. */
import type { CacheExplanation, StepExplanation } from "../domain/cache_explanation.ts";
import { OloproofError } from "../domain/error.ts";
import { isLasting } from "../domain/judgment.ts";
import type { CacheOutcome, TracedCase } from "../domain/run.ts";
import { evaluatorTypes } from "../evaluators/table.ts";
import {
  evaluatorIdentity,
  executionFields,
  generationFields,
  generationIdentity,
  recordFields,
  retrievalFields,
  retrievalIdentity,
  type SystemIdentity,
} from "../stages/identities.ts";
import { explainStep, type StepTrace } from "./explain_step.ts";
import { findRun } from "./find_run.ts";
import { unknownCase } from "./inspect.ts";
import type { Surroundings } from "./surroundings.ts";
import { withStore } from "./with_store.ts";

/**
 * Explains a stored case step by step. Nothing is executed: the fields of every identity are told from what the runs recorded.
 *
 * @throws {OloproofError} `unknown_case`, `wrong_kind` (re-executions use no cache), and what finding the run throws.
 */
export async function explainCache(
  location: string,
  id: string,
  case_id: string,
  surroundings: Surroundings,
): Promise<CacheExplanation> {
  return await withStore(location, surroundings, async (store) => {
    const { header: { run_id, kind, parent } } = await findRun(store, id);
    if (kind !== "run") {
      throw new OloproofError(`Cannot explain ${run_id}: it re-executes cases outside the caches`, {
        code: "wrong_kind",
        kind: "configuration",
        hint: parent === undefined ? "explain a case of a run" : `explain a case of the run ${parent}`,
      });
    }
    const here = await store.traceCase(run_id, case_id);
    if (here === undefined) throw await unknownCase(store, run_id, case_id);
    const earlier = await Array.fromAsync(store.traceInput(here.stored.record.case.input, run_id));
    return { run_id, case_id, steps: [...explainStages(here, earlier), ...explainJudgments(here, earlier)] };
  });
}

function explainStages(here: TracedCase, earlier: readonly TracedCase[]): readonly StepExplanation[] {
  const { execution, retrieve, generate } = here.stored.cache;
  const stage = (
    step: "execution" | "retrieve" | "generate",
    outcome: CacheOutcome | undefined,
    trace: (traced: TracedCase) => readonly StepTrace[],
  ): StepExplanation => {
    const [own] = trace(here);
    if (outcome === undefined || own === undefined) return notReached({ step });
    return explainStep({ step }, outcome, own, earlier.flatMap(trace));
  };
  const source = earlier.find(({ execution, stored }) =>
    execution === here.execution && stored.record.error === undefined
  );
  const whole = stage("execution", execution, (traced) => executionTrace(traced, source));
  // One stage is kept and found as a whole.
  if (here.run.system.reports !== undefined) return [whole];
  return [
    whole,
    stage("retrieve", retrieve, retrievalTrace),
    stage("generate", generate, generationTrace),
  ];
}

function notReached(name: Pick<StepExplanation, "step" | "criterion">): StepExplanation {
  return { ...name, outcome: "not_reached", reason: "not_reached", run: null };
}

function systemOf({ run: { system, source_digest }, stored: { repeat } }: TracedCase): SystemIdentity {
  return { settings: system, source_digest, repeat };
}

/** @param source The earlier case whose execution stands for that of the explained one, if there is any. */
function executionTrace(traced: TracedCase, source: TracedCase | undefined): readonly StepTrace[] {
  const { run, stored, execution, generation } = traced;
  const { settings, source_digest, ...rest } = executionFields(systemOf(traced), stored.record.case.input);
  const { candidates, context, output } = stored.record;
  // Of recorded outputs the record itself stands for the code that made it.
  const made = run.system.recorded ? { record: { candidates, context, output } } : { source_digest };
  return [{
    run_id: run.run_id,
    identity: execution,
    fields: { ...settings as Record<string, unknown>, ...made, ...rest },
    kept: stored.record.error === undefined,
    made_by: source?.run.run_id ?? generation?.made_by ?? null,
  }];
}

function retrievalTrace(traced: TracedCase): readonly StepTrace[] {
  const { run, stored, retrieval } = traced;
  const { input } = stored.record.case;
  const { params, ...fields } = retrievalFields(systemOf(traced), input);
  return [{
    run_id: run.run_id,
    identity: retrieval?.identity ?? retrievalIdentity(systemOf(traced), input),
    fields: { ...fields, "params.retrieve": params },
    kept: retrieval !== undefined,
    made_by: retrieval?.made_by ?? null,
  }];
}

/** Nothing where the stage was not reached. */
function generationTrace(traced: TracedCase): readonly StepTrace[] {
  const { run, stored, generation } = traced;
  const { case: { input }, query, context } = stored.record;
  if (context === undefined) return [];
  const { params, index_version, ...fields } = generationFields(systemOf(traced), input, query, context);
  return [{
    run_id: run.run_id,
    identity: generation?.identity ?? generationIdentity(systemOf(traced), input, query, context),
    fields: { ...fields, "params.generate": params, index_version },
    kept: generation !== undefined,
    made_by: generation?.made_by ?? null,
  }];
}

function explainJudgments(here: TracedCase, earlier: readonly TracedCase[]): readonly StepExplanation[] {
  const { evaluators, run_id } = here.run;
  const { hit, miss } = here.stored.cache.judgment;
  return evaluators.map(({ criterion }) => {
    const name = { step: "judgment", criterion } as const;
    const own = judgmentTrace(here, criterion);
    if (own === undefined || hit + miss === 0) return notReached(name);
    const others = earlier.flatMap((traced) => judgmentTrace(traced, criterion) ?? []);
    // Of an entry that was made for some criteria and took over others, the case counts how many those were.
    const equal = others.find(({ identity, kept }) => kept && identity === own.identity);
    const isHit = miss === 0 || (hit > 0 && own.made_by === run_id && equal !== undefined);
    const made_by = miss === 0 ? own.made_by : equal?.made_by ?? null;
    return explainStep(name, isHit ? "hit" : "miss", { ...own, made_by }, others);
  });
}

/** The judgment of a criterion, as far as the run has it. */
function judgmentTrace(
  { run, stored, execution, judged }: TracedCase,
  criterion: string,
): StepTrace | undefined {
  const index = run.evaluators.findIndex((one) => one.criterion === criterion);
  const [evaluator, key, judgment] = [
    run.evaluators[index],
    judged.evaluators[index],
    stored.judgments[index],
  ];
  if (evaluator === undefined || key === undefined || judgment === undefined) return undefined;
  const { type, parameters } = evaluator;
  const { object } = parameters;
  const source_digest = typeof object === "string" ? run.function_digests[object] : undefined;
  const version = evaluatorTypes.get(type)?.version;
  // Of an evaluator that this program does not have nothing can be told.
  if (version === undefined) return undefined;
  const known = { type, version, parameters, ...(source_digest === undefined ? {} : { source_digest }) };
  const wholeCase = run.evaluators.some(({ parameters }) => parameters.object !== undefined);
  return {
    run_id: run.run_id,
    identity: `${judged.identity} ${key}`,
    fields: {
      type,
      // The run does not say by which version it judged; that it was not this one shows in the key.
      version: evaluatorIdentity(known) === key ? version : "another",
      parameters,
      source_digest,
      ...recordFields(execution, stored.record, { wholeCase }),
    },
    kept: stored.record.error === undefined && isLasting(judgment),
    made_by: judged.made_by,
  };
}
