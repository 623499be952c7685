/** One combination of a sweep: every case of a run again, from its recorded retrieval, under other settings. */
import { identityOf } from "../domain/identity.ts";
import type { Json } from "../domain/json.ts";
import type { Batch, RunHeader, StoredCase } from "../domain/run.ts";
import type { GenerationEntry, RetrievalEntry } from "../domain/run.ts";
import type { RunReport } from "../domain/run_report.ts";
import type { StageFailure } from "../domain/record.ts";
import type { Store } from "../domain/ports.ts";
import type { Project } from "../domain/project.ts";
import type { StageResult } from "../stages/call_stage.ts";
import type {
  AnswerEvidence,
  CaseExecution,
  EvidenceCache,
  Kept,
  RunnableSystem,
} from "../stages/case_execution.ts";
import { runCase } from "../stages/run_case.ts";
import type { Made } from "../stages/single_flight.ts";
import { forEachConcurrently } from "./for_each_concurrently.ts";
import { JudgeCalls } from "./judge_calls.ts";
import { CaseJudge } from "./judge_case.ts";
import type { UserFunctions } from "./load_functions.ts";
import { RunRecorder } from "./run_recorder.ts";
import { StoreCache } from "./store_cache.ts";
import { evaluatorVersions } from "./judging_evaluators.ts";
import type { Surroundings } from "./surroundings.ts";

/** What all combinations of a sweep share. */
export interface SweptRun {
  readonly project: Project;
  readonly store: Store;
  /** The run that the sweep starts from. */
  readonly header: RunHeader;
  readonly functions: UserFunctions;
  /** Called after every execution. */
  readonly onExecuted: () => void;
}

/**
 * Executes a combination and answers with its report. Answers are generated only where the context, or another part of what
 * identifies a generation, is not that of a recorded one.
 */
export async function runCombination(
  swept: SweptRun,
  system: RunnableSystem,
  surroundings: Surroundings,
): Promise<RunReport> {
  const { store, project, functions, header } = swept;
  const onLanded = (batch: Batch) => {
    cache.landed(batch);
    judge.landed(batch.judgments);
  };
  const child = childHeader(swept, system, surroundings);
  const recorder = await RunRecorder.begin(store, child, surroundings.clock, onLanded);
  const cache = new StoreCache(store, new Set(), recorder);
  const { judges } = functions;
  const { clock } = surroundings;
  const judgeCalls = judges === undefined
    ? undefined
    : new JudgeCalls(judges, { store, clock, run_id: recorder.run_id });
  const judge = new CaseJudge(header.evaluators, functions.sources, {
    store,
    ports: functions.ports,
    writer: recorder.writer,
    newEntryId: recorder.newEntryId,
    system: system.identity.settings,
    judgeCalls,
    mayReuse: () => true,
    orphans: recorder.orphans.judgments,
  });
  const execute = async (recorded: StoredCase) => {
    surroundings.stop.throwIfAborted();
    const { ordinal, repeat, record } = recorded;
    const { identity } = system;
    const replayed = new ReplayedRetrieval(cache, recorded);
    const own = repeat === 1 ? system : { ...system, identity: { ...identity, repeat } };
    const result = await runCase(record.case, own, {
      limits: project.run,
      cache: replayed,
      clock: surroundings.clock,
      stop: surroundings.stop,
    });
    // The retrieval is a part of what was executed: a run that retrieves anew is not answered with it.
    const executed = { ...result, execution: replayed.own(result.execution) };
    await recorder.record({ ordinal, repeat }, record.case, executed, await judge.judge(executed, repeat));
    swept.onExecuted();
  };
  try {
    await forEachConcurrently(store.readCases(header.run_id), project.run.concurrency, execute);
    await judgeCalls?.flush();
  } catch (cause) {
    // What was paid for is kept; the error that ended the sweep is the one that is told.
    await judgeCalls?.flush().catch(() => undefined);
    await recorder.abandon();
    throw cause;
  }
  await recorder.finish("complete");
  return recorder.fold.report("complete");
}

function childHeader(
  { header, functions }: SweptRun,
  { identity }: RunnableSystem,
  { clock, newId }: Surroundings,
): RunHeader {
  const { name: _name, finished_at: _finished, request: _request, retry_of: _retried, ...kept } = header;
  return {
    ...kept,
    run_id: `run_${newId()}`,
    kind: "combination",
    parent: header.run_id,
    status: "running",
    started_at: new Date(clock.now()).toISOString(),
    system: identity.settings,
    source_digest: identity.source_digest,
    function_digests: Object.fromEntries(functions.sources),
    evaluator_versions: evaluatorVersions(header.evaluators),
  };
}

/** The caches of a store, but the retrieval is the recorded one, whatever else the store holds. */
class ReplayedRetrieval implements EvidenceCache {
  readonly #retrieval: string;

  constructor(private readonly cache: StoreCache, private readonly recorded: StoredCase) {
    const { candidates, query } = recorded.record;
    this.#retrieval = identityOf({ candidates, query });
  }

  /** The identity of an execution from this very retrieval. */
  own(execution: string): string {
    return identityOf({ kind: "replayed execution", of: execution, retrieval: this.#retrieval });
  }

  execution(identity: string, make: () => Promise<Made<CaseExecution>>): Promise<Kept<CaseExecution>> {
    return this.cache.execution(this.own(identity), make);
  }

  retrieval(identity: string): Promise<Kept<RetrievalEntry | StageFailure>> {
    const { record, retrieval_id, costs } = this.recorded;
    if (record.candidates === undefined || retrieval_id === undefined) {
      // What was not retrieved is not retrieved now: both sides of the comparison lack it.
      const error: StageFailure = record.error ??
        { stage: "retrieve", kind: "not_recorded", message: "the run holds no retrieval of this case" };
      return Promise.resolve({ value: error, outcome: "hit" });
    }
    const retrieval = {
      ...(record.query === undefined ? {} : { query: record.query }),
      candidates: record.candidates,
    };
    const entry = { id: retrieval_id, identity, retrieval, cost: costs.retrieve ?? {} };
    return Promise.resolve({ value: entry, outcome: "hit" });
  }

  generation(
    identity: string,
    make: () => Promise<StageResult<Json>>,
  ): Promise<Kept<GenerationEntry | StageFailure>> {
    return this.cache.generation(identity, make);
  }

  keepAnswer(): AnswerEvidence {
    throw new TypeError("a sweep is of systems in two stages");
  }
}
