/** Re-executes recorded cases under a change, outside every cache: what it finds is nobody's answer but its own. */
import { type Case, goldPassages } from "../domain/case.ts";
import { OloproofError } from "../domain/error.ts";
import { canonicalJson, identityOf } from "../domain/identity.ts";
import { copyJson, type Json } from "../domain/json.ts";
import type { Passage, Retrieval } from "../domain/passage.ts";
import type { Clock, EvaluatorPorts, Store } from "../domain/ports.ts";
import type { EvaluatorSpec } from "../domain/project.ts";
import type { StageCost, StageFailure } from "../domain/record.ts";
import type { ReportedPart } from "../domain/settings.ts";
import type { GenerationEntry, RetrievalEntry, RunHeader, RunStatus, StoredCase } from "../domain/run.ts";
import { callStage, type StageLimits, type StageResult } from "../stages/call_stage.ts";
import { type Answer, InvalidOutput, readCandidates } from "../stages/read_output.ts";
import type {
  AnswerEvidence,
  CaseExecution,
  CaseResult,
  EvidenceCache,
  Kept,
  RunnableSystem,
} from "../stages/case_execution.ts";
import { recordOf, runCase } from "../stages/run_case.ts";
import type { Made } from "../stages/single_flight.ts";
import { keepAnswer } from "./keep_answer.ts";
import { JudgeCalls } from "./judge_calls.ts";
import { CaseJudge } from "./judge_case.ts";
import type { Judges } from "./load_judges.ts";
import { RunRecorder } from "./run_recorder.ts";

/** A function of the user's that orders recorded candidates anew. */
export type Reranker = (input: Json, candidates: readonly Passage[]) => unknown;

/** What a re-execution keeps of the recorded case, and what it changes. */
export interface Change {
  /** Whether the recorded retrieval stands; else the retriever is called. */
  readonly replay: boolean;
  /** Whether the gold passages take the place of the context. */
  readonly gold: boolean;
  readonly rerank?: Reranker;
  /** Whether more of the candidates may enter the context than in the recorded run. */
  readonly widened?: boolean;
}

/** How one re-execution ended. */
export type Ending = "passed" | "failed" | "unjudged";

/** What re-executions need. */
export interface ReExecutionSurroundings {
  readonly store: Store;
  readonly clock: Clock;
  readonly stop: AbortSignal;
  readonly limits: StageLimits;
  readonly ports: EvaluatorPorts;
  /** Absent when the evaluator asks no judge. */
  readonly judges?: Judges | undefined;
}

/** A child run: one change applied to recorded cases, each once per repeat. */
export class ReExecution {
  readonly #judge: CaseJudge;
  readonly #judgeCalls: JudgeCalls | undefined;

  private constructor(
    private readonly recorder: RunRecorder,
    private readonly system: RunnableSystem,
    private readonly change: Change,
    private readonly surroundings: ReExecutionSurroundings,
    evaluator: EvaluatorSpec,
    sources: ReadonlyMap<string, string>,
  ) {
    const { writer, newEntryId } = recorder;
    const { store, ports, judges, clock } = surroundings;
    // What a judge was asked before it need not be asked again: its cache stays on.
    this.#judgeCalls = judges === undefined
      ? undefined
      : new JudgeCalls(judges, { store, clock, run_id: recorder.run_id });
    this.#judge = new CaseJudge([evaluator], sources, {
      store,
      ports,
      judgeCalls: this.#judgeCalls,
      writer,
      newEntryId,
      system: system.identity.settings,
      orphans: recorder.orphans.judgments,
    });
  }

  /** Begins the child run that a header describes; its one evaluator judges every re-execution. */
  static async begin(
    header: RunHeader,
    system: RunnableSystem,
    change: Change,
    surroundings: ReExecutionSurroundings,
  ): Promise<ReExecution> {
    const [evaluator] = header.evaluators;
    if (evaluator === undefined) throw new TypeError("a re-execution needs an evaluator");
    const recorder = await RunRecorder.begin(surroundings.store, header, surroundings.clock);
    const sources = new Map(Object.entries(header.function_digests));
    return new ReExecution(recorder, system, change, surroundings, evaluator, sources);
  }

  get run_id(): string {
    return this.recorder.run_id;
  }

  /** Executes one recorded case once more and judges it. */
  async execute(ordinal: number, repeat: number, recorded: StoredCase): Promise<Ending> {
    const testCase = recorded.record.case;
    const { clock, stop, limits } = this.surroundings;
    const scope = [this.run_id, testCase.id, repeat];
    const fixed = await this.#fixedContext(recorded);
    const result = fixed.ok
      ? await runCase(testCase, this.system, {
        limits,
        clock,
        stop,
        cache: new ScopedEvidence(scope, this.recorder, (identity) => this.#retrieve(identity, recorded)),
        ...(fixed.value === undefined ? {} : { fixedContext: fixed.value }),
      })
      : notExecuted(testCase, identityOf({ scope }), fixed.failure);
    // An identity of its own: no later run may take this for an equal execution, nor its judgments.
    const own = { ...result, execution: identityOf({ kind: "re-execution", scope, of: result.execution }) };
    const judged = await this.#judge.judge(own, repeat);
    await this.recorder.record({ ordinal, repeat }, testCase, own, judged);
    const [judgment] = judged.entry.judgments;
    if (judgment?.status !== "observed") return "unjudged";
    return judgment.value === true ? "passed" : "failed";
  }

  /** Keeps what can be kept of a child run that cannot go on. */
  async abandon(): Promise<void> {
    await this.#judgeCalls?.flush().catch(() => undefined);
    await this.recorder.abandon();
  }

  async finish(status: RunStatus): Promise<void> {
    await this.#judgeCalls?.flush();
    await this.recorder.finish(status);
  }

  /** What takes the place of the context: the gold passages, or, of one stage, what two stages would assemble of the replay. */
  async #fixedContext(recorded: StoredCase): Promise<FixedContext> {
    const { replay, gold, rerank, widened } = this.change;
    const { case: testCase, candidates, context } = recorded.record;
    // Whole, in the order of the case, without scores: top_k and budget do not apply to it.
    if (gold) return { ok: true, value: goldPassages(testCase.expected) };
    const { reports, top_k } = this.system.identity.settings;
    if (reports === undefined || !replay) return { ok: true, value: undefined };
    if (candidates === undefined) return notReported("candidates");
    if (rerank !== undefined) {
      const ordered = await this.#rerank(rerank, recorded, candidates);
      return ordered.ok ? { ok: true, value: ordered.value.slice(0, top_k ?? undefined) } : ordered;
    }
    if (context !== undefined && widened !== true) return { ok: true, value: context };
    return top_k === null ? notReported("context") : { ok: true, value: candidates.slice(0, top_k) };
  }

  /** The recorded retrieval, in another order where there is a reranker; `undefined` when the retriever is to be called. */
  async #retrieve(
    identity: string,
    recorded: StoredCase,
  ): Promise<RetrievalEntry | StageFailure | undefined> {
    const { replay, rerank } = this.change;
    if (!replay) return undefined;
    const { record, retrieval_id, costs } = recorded;
    if (record.candidates === undefined || retrieval_id === undefined || costs.retrieve === undefined) {
      throw new OloproofError(
        `Cannot replay the case ${JSON.stringify(record.case.id)}: it has no retrieval`,
        {
          code: "no_recorded_retrieval",
          kind: "surroundings",
        },
      );
    }
    const retrieval: Retrieval = {
      ...(record.query === undefined ? {} : { query: record.query }),
      candidates: record.candidates,
    };
    if (rerank === undefined) return { id: retrieval_id, identity, retrieval, cost: costs.retrieve };
    const made = await this.#rerank(rerank, recorded, retrieval.candidates);
    if (!made.ok) return made.failure;
    const entry = {
      id: this.recorder.newEntryId(),
      identity,
      retrieval: { ...retrieval, candidates: made.value },
      cost: made.cost,
    };
    this.recorder.writer.addRetrieval(entry);
    return entry;
  }

  #rerank(
    rerank: Reranker,
    { record }: StoredCase,
    candidates: readonly Passage[],
  ): Promise<StageResult<readonly Passage[]>> {
    const { clock, stop, limits } = this.surroundings;
    return callStage(
      "rerank",
      () => rerank(copyJson(record.case.input), copyJson(candidates)),
      (returned) => readPermutation(returned, candidates),
      limits,
      { clock, stop },
    );
  }
}

/** The context that a re-execution is given; undefined = the system's own. */
type FixedContext =
  | { readonly ok: true; readonly value: readonly Passage[] | undefined }
  | { readonly ok: false; readonly failure: StageFailure };

function notReported(part: ReportedPart): FixedContext {
  const message = `the diagnosed run holds no ${part} of this case: the system did not report them`;
  return { ok: false, failure: { stage: "answer", kind: "not_recorded", message } };
}

/** A case whose re-execution lacks what it would be made from. */
function notExecuted(testCase: Case, execution: string, error: StageFailure): CaseResult {
  const evidence = { error, stages: {} };
  return { execution, evidence, record: recordOf(testCase, evidence), cache: { execution: "miss" } };
}

/** What a reranker returned: the candidates that it was given, each once, in any order. */
function readPermutation(returned: unknown, candidates: readonly Passage[]): readonly Passage[] {
  const ordered = readCandidates(returned);
  const keysOf = (passages: readonly Passage[]) => passages.map(canonicalJson).sort().join("\n");
  if (keysOf(ordered) === keysOf(candidates)) return ordered;
  throw new InvalidOutput(
    `the reranker returned ${ordered.length} passages that are not a permutation of the ${candidates.length} candidates`,
  );
}

/** Evidence that is made anew, kept under identities that nothing else has, and looked up by nobody. */
class ScopedEvidence implements EvidenceCache {
  constructor(
    private readonly scope: readonly (string | number)[],
    private readonly recorder: RunRecorder,
    private readonly recordedRetrieval: (
      identity: string,
    ) => Promise<RetrievalEntry | StageFailure | undefined>,
  ) {}

  async execution(
    _identity: string,
    make: () => Promise<Made<CaseExecution>>,
  ): Promise<Kept<CaseExecution>> {
    return { value: (await make()).value, outcome: "miss" };
  }

  async retrieval(
    identity: string,
    make: () => Promise<StageResult<Retrieval>>,
  ): Promise<Kept<RetrievalEntry | StageFailure>> {
    const recorded = await this.recordedRetrieval(this.#own(identity));
    if (recorded !== undefined) return { value: recorded, outcome: "hit" };
    const made = await make();
    if (!made.ok) return { value: made.failure, outcome: "miss" };
    const entry = this.#entry(identity, { retrieval: made.value, cost: made.cost });
    this.recorder.writer.addRetrieval(entry);
    return { value: entry, outcome: "miss" };
  }

  async generation(
    identity: string,
    make: () => Promise<StageResult<Json>>,
  ): Promise<Kept<GenerationEntry | StageFailure>> {
    const made = await make();
    if (!made.ok) return { value: made.failure, outcome: "miss" };
    const entry = this.#entry(identity, { output: made.value, cost: made.cost });
    this.recorder.writer.addGeneration(entry);
    return { value: entry, outcome: "miss" };
  }

  keepAnswer(identity: string, answer: Answer, cost: StageCost): AnswerEvidence {
    return keepAnswer(this.#own(identity), answer, cost, this.recorder);
  }

  #entry<T>(identity: string, made: T): T & { readonly id: number; readonly identity: string } {
    return { ...made, id: this.recorder.newEntryId(), identity: this.#own(identity) };
  }

  #own(identity: string): string {
    return identityOf({ kind: "re-execution", scope: this.scope, of: identity });
  }
}
