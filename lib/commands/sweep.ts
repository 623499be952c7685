/** `sweep`: a recorded run under every combination of some settings, each compared with the run itself. */
import { canonicalJson, identityOf } from "../domain/identity.ts";
import type { Json } from "../domain/json.ts";
import { issuesError } from "../domain/error.ts";
import type { Store, StoredDocument } from "../domain/ports.ts";
import type { Metric } from "../domain/metric.ts";
import type { Project } from "../domain/project.ts";
import type { RunHeader } from "../domain/run.ts";
import type { RunReport } from "../domain/run_report.ts";
import { statedSettings } from "../domain/settings.ts";
import type { Combination, CombinationRun, Sweep, SweepContent, SweptCalls } from "../domain/sweep.ts";
import { sweepFromObject, type SweptSettings } from "../config/parse_sweep.ts";
import { evaluatorTypes } from "../evaluators/table.ts";
import type { RunnableSystem } from "../stages/case_execution.ts";
import { isRecorded } from "../stages/read_record.ts";
import { openStore, TOKEN_VARIABLE } from "../store/open_store.ts";
import { checkTokenCounter } from "../system/load_system.ts";
import { settleSettings } from "../system/settle_settings.ts";
import { checkSweepable, checkSweptSource } from "./check_sweep.ts";
import { runCombination, type SweptRun } from "./combination_run.ts";
import { compare } from "./compare.ts";
import { findRun } from "./find_run.ts";
import { loadFunctions } from "./load_functions.ts";
import { judgeSecrets } from "./judge_notices.ts";
import { loadRunnable } from "./load_runnable.ts";
import { OpenSystems } from "./open_systems.ts";
import { summarizeRun } from "./summarize_run.ts";
import type { Surroundings } from "./surroundings.ts";

/** What is varied. */
export interface SweepOptions {
  /**
   * Lists of values by the dotted names of settings: `{ token_budget: [40, 80], top_k: [2, 4] }`. Everything that is read after the
   * retrieval can be varied: `top_k`, `token_budget` and what stands below `params.generate`.
   */
  readonly set: Readonly<Record<string, readonly Json[]>>;
}

/**
 * Sweeps a run. No retriever is called: every case starts from the retrieval that the run recorded, and answers are generated where
 * no equal one is recorded.
 *
 * @returns The stored sweep; `undefined` when it was interrupted (what was generated is kept and found by the next one).
 * @throws {OloproofError} Every mistake in what is varied at once; `wrong_kind`, `not_sweepable`, `unfinished_run`,
 *   `source_changed`, settings that do not fit, and what finding the run and loading the system throws.
 */
export async function sweep(
  project: Project,
  id: string,
  options: SweepOptions,
  outside: Surroundings,
): Promise<Sweep | undefined> {
  const parsed = sweepFromObject(options.set);
  if (!parsed.ok) throw issuesError("Cannot sweep the settings", parsed.issues);
  await using systems = new OpenSystems();
  const surroundings = { ...outside, systems };
  const token = surroundings.env(TOKEN_VARIABLE);
  const secrets = judgeSecrets(project.evaluators, surroundings);
  const store = await openStore(project.store, { mode: "read", token, secrets });
  try {
    const { header } = await findRun(store, id);
    checkSweepable(header);
    const system = await loadRunnable(project, statedSettings(header.system), surroundings);
    const functions = await loadFunctions({ ...project, evaluators: header.evaluators }, surroundings);
    const stated = header.source_digest === null ? await loadRunnable(project, {}, surroundings) : system;
    checkSweptSource(header, stated, functions);
    functions.judges?.requireKeys();
    // Settled before anything is executed: a combination that cannot be is told at once.
    const loaded = parsed.combinations.map((swept) => ({ swept, system: under(system, swept, header) }));
    const total = loaded.length * header.cases * header.repeats;
    let done = 0;
    const onExecuted = () =>
      surroundings.onProgress?.({ done: ++done, total, failed: 0, unit: "executions" });
    const work = { project, store, header, functions, onExecuted };
    const made: MadeCombination[] = [];
    for (const one of loaded) made.push(await makeCombination(work, one, surroundings));
    const { metrics } = await summarizeRun({ header, store });
    return await keepSweep(store, sweepOf({ header, metrics }, parsed.varied, made, surroundings));
  } catch (cause) {
    if (surroundings.stop.aborted && cause === surroundings.stop.reason) return undefined;
    throw cause;
  } finally {
    store.close();
  }
}

interface Loaded {
  readonly swept: SweptSettings;
  readonly system: RunnableSystem;
}

/** The system under the settings of a combination. @throws {OloproofError} `top_k_beyond_depth`, `no_token_counter`. */
function under(
  system: RunnableSystem,
  { settings }: SweptSettings,
  { run_id, system: recorded }: RunHeader,
): RunnableSystem {
  const { stages, identity } = system;
  const settled = settleSettings(statedSettings(recorded), settings, "two_stage", run_id);
  if (!isRecorded(stages)) checkTokenCounter(settled, stages, run_id);
  return { ...system, identity: { ...identity, settings: settled } };
}

interface MadeCombination {
  readonly combination: Combination;
  readonly run: CombinationRun;
  readonly report: RunReport;
}

async function makeCombination(
  work: SweptRun,
  { swept, system }: Loaded,
  surroundings: Surroundings,
): Promise<MadeCombination> {
  const { header, store } = work;
  const report = await runCombination(work, system, surroundings);
  const child = (await findRun(store, report.run_id)).header;
  const comparison = await compare({ header: child, store }, { header, store }, null, store, surroundings);
  return {
    combination: {
      set: swept.set,
      as_run: canonicalJson(system.identity.settings) === canonicalJson(header.system),
      metrics: report.metrics,
      differences: comparison.content.metrics,
    },
    run: { run_id: report.run_id, comparison_id: comparison.comparison_id },
    report,
  };
}

function sweepOf(
  { header, metrics }: { readonly header: RunHeader; readonly metrics: readonly Metric[] },
  varied: SweepContent["varied"],
  made: readonly MadeCombination[],
  { clock }: Surroundings,
): Sweep {
  const content: SweepContent = {
    schema: "oloproof/sweep/1",
    run_id: header.run_id,
    varied,
    unaffected: header.evaluators.filter(({ type }, index) =>
      !readsAnswer(type) && isSame(metrics, made, index)
    )
      .map(({ criterion }) => criterion),
    cases: header.cases,
    combinations: made.map(({ combination }) => combination),
  };
  const reports = made.map(({ report }) => report);
  return {
    sweep_id: `sha256:${identityOf(content)}`,
    content,
    runs: made.map(({ run }) => run),
    calls: { retrieve: callsOf(reports, "retrieve"), generate: callsOf(reports, "generate") },
    created_at: new Date(clock.now()).toISOString(),
  };
}

/** Whether what comes after the retrieval can change the judgments of an evaluator. */
function readsAnswer(type: string): boolean {
  const reads = evaluatorTypes.get(type)?.reads;
  return reads !== "retrieval";
}

/** Whether a criterion came out as in the run everywhere: an answer that fails takes what the retrieval earned with it. */
function isSame(metrics: readonly Metric[], made: readonly MadeCombination[], index: number): boolean {
  const asRun = canonicalJson(metrics[index] ?? null);
  return made.every(({ combination }) => canonicalJson(combination.metrics[index] ?? null) === asRun);
}

function callsOf(reports: readonly RunReport[], stage: "retrieve" | "generate"): SweptCalls {
  const sum = (outcome: "hit" | "miss") =>
    reports.reduce((total, { stages }) => total + (stages[stage]?.[outcome] ?? 0), 0);
  return { made: sum("miss"), saved: sum("hit") };
}

async function keepSweep(store: Store, sweep: Sweep): Promise<Sweep> {
  const { sweep_id: id, content, ...beside } = sweep;
  const { run_id, varied } = content;
  const document: StoredDocument = {
    id,
    kind: "sweep",
    run_id,
    question: canonicalJson({ kind: "sweep", varied }),
    content,
    beside,
  };
  await store.addDocument(document);
  return sweep;
}
