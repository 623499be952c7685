/** What the caches hold of a run that was not begun. */
import type { Case } from "../domain/case.ts";
import type { DryRun } from "../domain/dry_run.ts";
import { judgeModelOf } from "../domain/judge.ts";
import type { Assembly } from "../domain/passage.ts";
import { ENTRIES_PER_RUN, type Store } from "../domain/ports.ts";
import type { EvaluatorSpec, Project } from "../domain/project.ts";
import type { CaseRecord, CountedStage } from "../domain/record.ts";
import type { CasePlace, ExecutionEntry, Refresh, RetrievalEntry } from "../domain/run.ts";
import type { SystemSettings } from "../domain/settings.ts";
import { generationIdentity, recordIdentity, retrievalIdentity } from "../stages/identities.ts";
import type { RunnableSystem } from "../stages/case_execution.ts";
import { isOneStage } from "../stages/rag_system.ts";
import { isRecorded } from "../stages/read_record.ts";
import { assemble, identifyExecution, recordOf, type StagedSystem } from "../stages/run_case.ts";
import { bindEvaluators, callsUserCode, knownJudgments } from "./judging_evaluators.ts";
import { type Preparation, systemsOf } from "./prepare_run.ts";
import type { Surroundings } from "./surroundings.ts";

/** What is forecast. */
export interface ForecastTask {
  readonly project: Project;
  readonly prepared: Preparation;
  readonly store: Store;
  readonly refresh: readonly Refresh[];
  /** The run that goes on, 0 for none: of a refreshed part only what it made is reused. */
  readonly number: number;
}

/** One execution that would be made, under the identity of its work. */
interface Planned {
  readonly testCase: Case;
  readonly system: RunnableSystem;
  readonly execution: string;
}

/** One of a system of two stages. */
interface Staged extends Planned {
  readonly system: StagedSystem;
}

/** Looks up executions, chunk by chunk, in the order of the run. */
export class ForecastFold {
  readonly #systems: readonly RunnableSystem[];
  readonly #keys: readonly string[];
  readonly #evaluators: readonly EvaluatorSpec[];
  /** Work that an execution before would do. */
  readonly #planned = new Set<string>();
  readonly #executions = { cached: 0, shared: 0, to_execute: 0 };
  readonly #calls = { retrieve: 0, generate: 0, answer: 0 };
  #unknownContexts = 0;
  #judgments = 0;
  #known = 0;
  /** How many judgments of each evaluator are known, by its key. */
  readonly #knownOf = new Map<string, number>();

  constructor(private readonly task: ForecastTask, private readonly surroundings: Surroundings) {
    const { project, prepared } = task;
    this.#systems = systemsOf(prepared);
    this.#evaluators = project.evaluators;
    const bound = bindEvaluators(project.evaluators, prepared.functions.sources);
    this.#keys = bound.map(({ key }) => key);
  }

  async add(chunk: readonly (readonly [CasePlace, Case])[]): Promise<void> {
    this.surroundings.stop.throwIfAborted();
    const planned: Planned[] = [];
    for (const [{ repeat }, testCase] of chunk) {
      const system = this.#systems[repeat - 1] ?? this.task.prepared.system;
      const { execution } = await identifyExecution(testCase, system);
      planned.push({ testCase, system, execution });
    }
    this.#judgments += planned.length * this.#evaluators.length;
    const found = await this.task.store.findExecutions(
      planned.map(({ execution }) => execution),
      this.#madeBy("retrieve", "generate", "judge", "all"),
    );
    const records: [string, CaseRecord][] = [];
    const missed: Planned[] = [];
    for (const one of planned) {
      const entry = found.get(one.execution);
      if (entry !== undefined) {
        this.#executions.cached++;
        records.push([one.execution, recordOf(one.testCase, entry)]);
      } else if (this.#planned.has(one.execution)) this.#executions.shared++;
      else {
        this.#planned.add(one.execution);
        this.#executions.to_execute++;
        missed.push(one);
      }
    }
    const staged = missed.flatMap((one) => this.#countAnswer(one));
    for (const [{ execution, testCase }, entry] of await this.#findStages(staged)) {
      records.push([execution, recordOf(testCase, entry)]);
    }
    await this.#countKnown(records);
  }

  /** Counts the call of one stage; of two stages, what their caches answer is to be looked up. */
  #countAnswer(one: Planned): readonly Staged[] {
    const { stages, identity } = one.system;
    if (isRecorded(stages)) return [];
    if (!isOneStage(stages)) return [{ ...one, system: { stages, identity } }];
    this.#calls.answer++;
    return [];
  }

  /** Counts the calls that the stages' own caches do not answer; what they answer whole is told. */
  async #findStages(missed: readonly Staged[]): Promise<readonly (readonly [Staged, ExecutionEntry])[]> {
    const identities = missed.map(({ system, testCase }) =>
      retrievalIdentity(system.identity, testCase.input)
    );
    const retrievals = await this.task.store.findRetrievals(identities, this.#madeBy("retrieve", "all"));
    const generating: { one: Staged; retrieval: RetrievalEntry; assembly: Assembly; identity: string }[] = [];
    for (const [index, one] of missed.entries()) {
      const retrieval = retrievals.get(identities[index] ?? "");
      if (retrieval === undefined) this.#calls.retrieve++;
      const assembly = retrieval === undefined ? undefined : await this.#assemble(one, retrieval);
      if (retrieval === undefined || assembly === undefined) {
        this.#calls.generate++;
        this.#unknownContexts++;
        continue;
      }
      const { query } = retrieval.retrieval;
      const identity = generationIdentity(one.system.identity, one.testCase.input, query, assembly.context);
      generating.push({ one, retrieval, assembly, identity });
    }
    const generations = await this.task.store.findGenerations(
      generating.map(({ identity }) => identity),
      this.#madeBy("generate", "all"),
    );
    return generating.flatMap(({ one, retrieval, assembly, identity }) => {
      const generation = generations.get(identity);
      if (generation === undefined) this.#calls.generate++;
      return generation === undefined ? [] : [[one, { retrieval, assembly, generation }] as const];
    });
  }

  /** The context that a known retrieval gives; unknown where the system would have to be called, or cannot count tokens. */
  async #assemble(
    { system, testCase }: Staged,
    { retrieval }: RetrievalEntry,
  ): Promise<Assembly | undefined> {
    if (system.stages.assemble !== undefined) return undefined;
    const { clock, stop } = this.surroundings;
    const limits = this.task.project.run;
    const made = await assemble(testCase.input, retrieval.candidates, system, { limits, clock, stop });
    return made.ok ? made.value : undefined;
  }

  async #countKnown(records: readonly (readonly [execution: string, record: CaseRecord])[]): Promise<void> {
    const wholeCase = callsUserCode(this.#evaluators);
    const identities = records.map(([execution, record]) => recordIdentity(execution, record, { wholeCase }));
    const found = await this.task.store.findJudgments(identities);
    const madeBy = this.#madeBy("judge", "all");
    for (const identity of identities) {
      const entries = (found.get(identity) ?? [])
        .filter(({ id }) => madeBy === undefined || Math.floor(id / ENTRIES_PER_RUN) === madeBy);
      const known = knownJudgments(entries);
      for (const key of this.#keys) {
        if (!known.has(key)) continue;
        this.#known++;
        this.#knownOf.set(key, (this.#knownOf.get(key) ?? 0) + 1);
      }
    }
  }

  /** The run whose work alone is reused where one of these parts is refreshed. */
  #madeBy(...parts: readonly Refresh[]): number | undefined {
    return parts.some((part) => this.task.refresh.includes(part)) ? this.task.number : undefined;
  }

  /** What was found, the executions that are finished aside. */
  forecast(): Pick<DryRun, "calls" | "judge_calls" | "judgments"> & {
    readonly executions: Omit<DryRun["executions"], "total" | "finished">;
  } {
    const { retrieve, generate, answer } = this.#calls;
    // What is called again may return what it returned before, and be judged already.
    const mayRecur = this.#madeBy("retrieve", "generate", "all") !== undefined &&
      this.#madeBy("judge", "all") === undefined && retrieve + generate + answer > 0;
    return {
      executions: { ...this.#executions },
      calls: callsOf(this.task.prepared.system.identity.settings, this.#calls, this.#unknownContexts > 0),
      ...this.#judgeCalls(),
      judgments: { total: this.#judgments, known: this.#known, at_least: mayRecur && this.#judgments > 0 },
    };
  }

  /** One question for each judgment that is not known; what a record will hold, and so what its judge is asked, is not. */
  #judgeCalls(): Pick<DryRun, "judge_calls"> {
    const executions = this.#evaluators.length === 0 ? 0 : this.#judgments / this.#evaluators.length;
    const asked = this.#evaluators.flatMap(({ criterion, parameters }, index) => {
      if (judgeModelOf(parameters) === undefined) return [];
      const known = this.#knownOf.get(this.#keys[index] ?? "") ?? 0;
      const calls = executions - this.#executions.shared - known;
      return [[criterion, { calls, at_most: calls > 0 }] as const];
    });
    return asked.length === 0 ? {} : { judge_calls: Object.fromEntries(asked) };
  }
}

/** The calls of the stages that a system has. */
export function callsOf(
  { reports, recorded }: Pick<SystemSettings, "reports" | "recorded">,
  { retrieve, generate, answer }: Readonly<Record<CountedStage, number>>,
  unknownContexts: boolean,
): DryRun["calls"] {
  if (recorded) return {};
  if (reports !== undefined) return { answer: { calls: answer, at_most: false } };
  return {
    retrieve: { calls: retrieve, at_most: false },
    generate: { calls: generate, at_most: unknownContexts },
  };
}
