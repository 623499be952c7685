/** `diagnose`: re-executes the failed cases of a run under a controlled change, beside an unchanged control. */
import { hasOtherPassage } from "../diagnose/other_passage.ts";
import { isRecovered, labelCase } from "../diagnose/label.ts";
import { reportOf } from "../diagnose/tally.ts";
import { bestPosition, unitFates } from "../diagnose/unit_fates.ts";
import { goldPassages } from "../domain/case.ts";
import type {
  Attempts,
  ChildRun,
  DiagnosedCase,
  Diagnosis,
  DiagnosisContent,
  DiagnosisReport,
  Intervention,
} from "../domain/diagnosis.ts";
import { compareText, OloproofError } from "../domain/error.ts";
import { canonicalJson, identityOf } from "../domain/identity.ts";
import { judgeModelOf, judgeName } from "../domain/judge.ts";
import type { Store, StoredDocument, StoredRun } from "../domain/ports.ts";
import type { EvaluatorSpec, Project } from "../domain/project.ts";
import type { RunHeader, StoredCase } from "../domain/run.ts";
import { statedSettings } from "../domain/settings.ts";
import { expectedTextOccurs } from "../evaluators/expected_text.ts";
import type { RunnableSystem } from "../stages/case_execution.ts";
import { openStore, TOKEN_VARIABLE } from "../store/open_store.ts";
import { loadExport } from "../system/load_export.ts";
import { checkOptions, checkSource, findCriterion } from "./check_diagnosis.ts";
import { diagnosisOf } from "./find_document.ts";
import { findCalibration, judgeOf } from "./find_calibration.ts";
import { findRun } from "./find_run.ts";
import { forEachConcurrently } from "./for_each_concurrently.ts";
import { loadRunnable } from "./load_runnable.ts";
import { loadFunctions, type UserFunctions } from "./load_functions.ts";
import { OpenSystems } from "./open_systems.ts";
import { type Change, type Ending, ReExecution, type Reranker } from "./re_execute.ts";
import { type SelectedFailures, selectFailures } from "./select_failures.ts";
import { judgeSecrets } from "./judge_notices.ts";
import { evaluatorVersions } from "./judging_evaluators.ts";
import type { Surroundings } from "./surroundings.ts";

/** What is to be diagnosed, and by which change. */
export interface DiagnoseOptions {
  /** What the re-execution changed. */
  readonly intervention: Intervention;
  /** A pass/fail criterion of the run that reads the output. */
  readonly criterion: string;
  /** How often each re-execution is made; odd, 1 by default. */
  readonly repeats?: number;
  /** At most so many cases, the first by the hash of their ids. */
  readonly limit?: number;
  /** Whether other code than the diagnosed run's may answer. */
  readonly allow_changed_source?: boolean;
}

/**
 * Diagnoses the observed failures of a criterion that have gold context. Each is executed twice, under the change and without
 * it, by the settings, cases and evaluator that the run recorded; nothing is read from or left in the caches.
 *
 * @returns The stored diagnosis with its counts; `undefined` when it was interrupted.
 * @throws {OloproofError} `unknown_run`, `unknown_criterion`, `not_diagnosable` (with the reason), `source_changed`,
 *   `invalid_intervention`, and what loading the system throws.
 */
export async function diagnose(
  project: Project,
  id: string,
  options: DiagnoseOptions,
  outside: Surroundings,
): Promise<DiagnosisReport | undefined> {
  await using systems = new OpenSystems();
  const surroundings = { ...outside, systems };
  const token = surroundings.env(TOKEN_VARIABLE);
  const secrets = judgeSecrets(project.evaluators, surroundings);
  const store = await openStore(project.store, { mode: "read", token, secrets });
  try {
    const run = await findRun(store, id);
    const work = await DiagnosisWork.prepare(project, run, store, options, surroundings);
    const report = await work.diagnose(options.intervention);
    return { ...report, notices: systems.notices() };
  } catch (cause) {
    // Whatever else went wrong meanwhile is told.
    if (surroundings.stop.aborted && cause === surroundings.stop.reason) return undefined;
    throw cause;
  } finally {
    store.close();
  }
}

/** The question that a diagnosis answers about its run. */
function questionOf(criterion: string, intervention: Intervention): string {
  return canonicalJson({ kind: "diagnosis", criterion, intervention });
}

/** One criterion of one run, ready to be re-executed. */
class DiagnosisWork {
  private constructor(
    private readonly project: Project,
    private readonly header: RunHeader,
    private readonly index: number,
    private readonly evaluator: EvaluatorSpec,
    private readonly system: RunnableSystem,
    private readonly functions: UserFunctions,
    private readonly store: Store,
    private readonly options: DiagnoseOptions,
    private readonly selection: SelectedFailures,
    private readonly surroundings: Surroundings,
  ) {}

  static async prepare(
    project: Project,
    { header }: StoredRun,
    store: Store,
    options: DiagnoseOptions,
    surroundings: Surroundings,
  ): Promise<DiagnosisWork> {
    checkOptions(options, header);
    const index = findCriterion(header, options.criterion);
    const evaluator = header.evaluators[index];
    if (evaluator === undefined) throw new TypeError("the criterion was just found");
    // The recorded settings over everything that the project says today.
    const system = await loadRunnable(project, statedSettings(header.system), surroundings);
    const functions = await loadFunctions({ ...project, evaluators: [evaluator] }, surroundings);
    functions.judges?.requireKeys();
    const stated = header.source_digest === null ? await loadRunnable(project, {}, surroundings) : system;
    if (stated !== system) await surroundings.systems?.close(stated);
    checkSource(header, stated, functions, options.allow_changed_source ?? false);
    const selection = await selectFailures(store, header, index, options.limit);
    return new DiagnosisWork(
      project,
      header,
      index,
      evaluator,
      { ...system, identity: { ...system.identity, settings: header.system } },
      functions,
      store,
      options,
      selection,
      surroundings,
    );
  }

  async diagnose(intervention: Intervention): Promise<DiagnosisReport> {
    if (intervention.kind === "gold-context") {
      const diagnosis = await this.#diagnoseGold();
      return reportOf(diagnosis, diagnosis);
    }
    const rerank = intervention.kind === "reranker"
      ? await this.#loadReranker(intervention.reranker)
      : undefined;
    const gold = await this.#findGold() ?? await this.#diagnoseGold();
    const diagnosis = await this.#diagnoseReplay(intervention, gold, rerank);
    return reportOf(diagnosis, gold);
  }

  /** The newest gold-context diagnosis of the same criterion that has a label for every selected case. */
  async #findGold(): Promise<Diagnosis | undefined> {
    const question = questionOf(this.options.criterion, { kind: "gold-context" });
    const found = await this.store.newestDocument(this.header.run_id, question);
    if (found?.kind !== "diagnosis") return undefined;
    const diagnosis = diagnosisOf(found);
    const labelled = new Set(diagnosis.content.cases.map(({ case_id }) => case_id));
    const covers = [...this.selection.repeats.keys()].every((id) => labelled.has(id));
    return covers && diagnosis.content.repeats === this.#repeats ? diagnosis : undefined;
  }

  async #diagnoseGold(): Promise<Diagnosis> {
    const cases: DiagnosedCase[] = [];
    const child_runs = await this.#reExecute(
      [
        { role: "gold context", kind: "intervention", change: { replay: true, gold: true } },
        { role: "control", kind: "control", change: { replay: false, gold: false } },
      ],
      (stored, [gold, control]) => cases.push(this.#labelGold(stored, gold, control)),
    );
    return await this.#keep({ kind: "gold-context" }, null, cases, child_runs);
  }

  #labelGold({ record }: StoredCase, gold: Attempts, control: Attempts): DiagnosedCase {
    const { relevance_unit, system } = this.header;
    const units = unitFates(record, relevance_unit, system);
    const passages = goldPassages(record.case.expected);
    // Chunk labels say themselves which passage is meant; a document may be in the context by the wrong one.
    const otherPassage = relevance_unit === "document" && hasOtherPassage(passages, record.context ?? []);
    const labelling = labelCase({ control, gold, units, otherPassage });
    const occurs = labelling.label === "GENERATION_FAILURE"
      ? expectedTextOccurs(this.evaluator, record.case, passages.map(({ text }) => text))
      : undefined;
    return {
      case_id: record.case.id,
      ...labelling,
      best_relevant_position: typeof units === "string" ? null : bestPosition(units),
      units: typeof units === "string" ? [] : units,
      control,
      intervention: gold,
      recovered: isRecovered(gold, control),
      ...(occurs === undefined ? {} : { expected_in_gold: occurs }),
    };
  }

  async #diagnoseReplay(
    intervention: Exclude<Intervention, { kind: "gold-context" }>,
    gold: Diagnosis,
    rerank: Reranker | undefined,
  ): Promise<Diagnosis> {
    const labels = new Map(gold.content.cases.map((one) => [one.case_id, one]));
    const cases: DiagnosedCase[] = [];
    const settings = intervention.kind === "top-k"
      ? { ...this.header.system, top_k: intervention.top_k }
      : this.header.system;
    const role = intervention.kind === "top-k"
      ? `top-k ${intervention.top_k}`
      : `reranker ${intervention.reranker}`;
    const change: Change = {
      replay: true,
      gold: false,
      ...(rerank === undefined ? { widened: true } : { rerank }),
    };
    const child_runs = await this.#reExecute(
      [
        { role, kind: "intervention", change, settings },
        { role: "replay control", kind: "control", change: { replay: true, gold: false } },
      ],
      ({ record }, [replayed, control]) => {
        const label = labels.get(record.case.id);
        if (label === undefined) {
          throw new TypeError(`the carried diagnosis has no label for ${record.case.id}`);
        }
        const recovered = isRecovered(replayed, control);
        cases.push({ ...label, control, intervention: replayed, recovered });
      },
    );
    return await this.#keep(intervention, gold.diagnosis_id, cases, [...gold.child_runs, ...child_runs]);
  }

  async #loadReranker(object: string): Promise<Reranker> {
    const { value, where } = await loadExport(object, this.project.root);
    if (typeof value !== "function") {
      throw new OloproofError(`Cannot use the reranker ${JSON.stringify(object)}: it is not a function`, {
        code: "not_a_function",
        kind: "configuration",
        where,
        hint: "export a function (input, candidates) that returns the candidates in another order",
      });
    }
    return (input, candidates) => Reflect.apply(value, undefined, [input, candidates]);
  }

  /** Who judged, and how well that was measured; nothing for a criterion without a judge. */
  async #judgedBy(): Promise<Pick<Diagnosis, "judged_by">> {
    const judge = judgeOf(
      this.evaluator,
      Object.fromEntries(this.functions.sources),
      evaluatorVersions([this.evaluator])[this.evaluator.criterion],
    );
    if (judge === undefined) return {};
    const model = judgeModelOf(judge.parameters);
    const found = await findCalibration(this.store, judge);
    const calibration = found?.genuine === true ? found.calibration : undefined;
    const { sensitivity = null, specificity = null } = calibration?.content.figures ?? {};
    return {
      judged_by: {
        judge: model === undefined ? judge.type : judgeName(model),
        calibration_id: calibration?.calibration_id ?? null,
        sensitivity,
        specificity,
      },
    };
  }

  get #repeats(): number {
    return this.options.repeats ?? 1;
  }

  /** Executes every selected case under two changes, each in a child run of its own. */
  async #reExecute(
    roles: readonly [Role, Role],
    onCase: (stored: StoredCase, attempts: readonly [Attempts, Attempts]) => void,
  ): Promise<readonly ChildRun[]> {
    if (this.selection.repeats.size === 0) return [];
    const first = await this.#begin(roles[0]);
    const second = await this.#begin(roles[1]);
    const total = this.selection.repeats.size * this.#repeats * 2;
    let done = 0;
    try {
      const concurrency = Math.min(this.project.run.concurrency, this.selection.repeats.size);
      await forEachConcurrently(this.#selected(), concurrency, async ([ordinal, stored]) => {
        const endings: [Ending[], Ending[]] = [[], []];
        for (let repeat = 1; repeat <= this.#repeats; repeat++) {
          endings[0].push(await first.execute(ordinal, repeat, stored));
          endings[1].push(await second.execute(ordinal, repeat, stored));
          done += 2;
          this.surroundings.onProgress?.({ done, total, failed: 0, unit: "executions" });
        }
        onCase(stored, [countEndings(endings[0]), countEndings(endings[1])]);
      });
    } catch (cause) {
      await first.abandon();
      await second.abandon();
      throw cause;
    }
    await first.finish("complete");
    await second.finish("complete");
    return [
      { role: roles[0].role, run_id: first.run_id },
      { role: roles[1].role, run_id: second.run_id },
    ];
  }

  async *#selected(): AsyncGenerator<readonly [number, StoredCase]> {
    let ordinal = 0;
    for await (const stored of this.store.readCases(this.header.run_id)) {
      if (this.selection.repeats.get(stored.record.case.id) === stored.repeat) yield [ordinal++, stored];
    }
  }

  async #begin({ role, kind, change, settings = this.header.system }: Role): Promise<ReExecution> {
    const { clock, stop, newId } = this.surroundings;
    const {
      name: _name,
      finished_at: _finished,
      request: _request,
      retry_of: _retry,
      forgotten_cases: _forgotten,
      ...header
    } = this.header;
    const child: RunHeader = {
      ...header,
      run_id: `run_${newId()}`,
      kind,
      name: role,
      parent: header.run_id,
      status: "running",
      started_at: new Date(clock.now()).toISOString(),
      system: settings,
      source_digest: this.system.identity.source_digest,
      evaluators: [this.evaluator],
      function_digests: Object.fromEntries(this.functions.sources),
      evaluator_versions: evaluatorVersions([this.evaluator]),
      slices: [],
      selection: [],
      cases: this.selection.repeats.size,
      repeats: this.#repeats,
    };
    const system = { ...this.system, identity: { ...this.system.identity, settings } };
    return await ReExecution.begin(child, system, change, {
      store: this.store,
      clock,
      stop,
      limits: this.project.run,
      ports: this.functions.ports,
      judges: this.functions.judges,
    });
  }

  async #keep(
    intervention: Intervention,
    carried: string | null,
    cases: readonly DiagnosedCase[],
    child_runs: readonly ChildRun[],
  ): Promise<Diagnosis> {
    const { run_id, system } = this.header;
    const content: DiagnosisContent = {
      schema: "oloproof/diagnosis/1",
      run_id,
      criterion: this.options.criterion,
      intervention,
      repeats: this.#repeats,
      carried,
      cases: cases.toSorted((a, b) => compareText(a.case_id, b.case_id)),
    };
    const { repeats: _repeats, ...selection } = this.selection;
    const diagnosis: Diagnosis = {
      diagnosis_id: `sha256:${identityOf(content)}`,
      content,
      selection,
      settings: {
        depth: system.depth,
        top_k: system.top_k,
        ...(system.reports === undefined ? {} : { reports: system.reports }),
        ...(system.ranked === undefined ? {} : { ranked: system.ranked }),
      },
      child_runs,
      ...await this.#judgedBy(),
      created_at: new Date(this.surroundings.clock.now()).toISOString(),
    };
    await this.store.addDocument(documentOf(diagnosis));
    return diagnosis;
  }
}

/** One of the two re-executions of a case. */
interface Role {
  /** How the child run is named. */
  readonly role: string;
  readonly kind: "intervention" | "control";
  readonly change: Change;
  /** Where they differ from the recorded ones. */
  readonly settings?: RunHeader["system"];
}

function documentOf({ diagnosis_id, content, ...beside }: Diagnosis): StoredDocument {
  return {
    id: diagnosis_id,
    kind: "diagnosis",
    run_id: content.run_id,
    question: questionOf(content.criterion, content.intervention),
    content,
    beside,
  };
}

function countEndings(endings: readonly Ending[]): Attempts {
  const count = (wanted: Ending) => endings.filter((ending) => ending === wanted).length;
  return { passed: count("passed"), failed: count("failed"), unjudged: count("unjudged") };
}
