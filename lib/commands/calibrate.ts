/** `judge calibrate`: measures the judge of a criterion against people's labels. */
import { didYouMean } from "../config/nearest.ts";
import type {
  CalibratedJudge,
  Calibration,
  CalibrationContent,
  CalibrationRow,
  JudgedOutcome,
} from "../domain/calibration.ts";
import { compareText, OloproofError } from "../domain/error.ts";
import { identityOf } from "../domain/identity.ts";
import { isJsonObject } from "../domain/json.ts";
import type { Judgment } from "../domain/judgment.ts";
import type { Store } from "../domain/ports.ts";
import type { EvaluatorSpec, Project } from "../domain/project.ts";
import type { CaseRecord } from "../domain/record.ts";
import type { BoundEvaluator } from "../evaluators/evaluator.ts";
import { judgeRecord } from "../evaluators/judge_record.ts";
import { evaluatorTypes } from "../evaluators/table.ts";
import { CALIBRATION_LEVEL, measureJudge } from "../judges/calibration.ts";
import { openStore, TOKEN_VARIABLE } from "../store/open_store.ts";
import { calibrationQuestion, judgeOf } from "./find_calibration.ts";
import { findRun } from "./find_run.ts";
import { forEachConcurrently } from "./for_each_concurrently.ts";
import { JudgeCalls, JudgeTally } from "./judge_calls.ts";
import { judgeSecrets } from "./judge_notices.ts";
import { evaluatorVersions } from "./judging_evaluators.ts";
import { loadFunctions, type UserFunctions } from "./load_functions.ts";
import {
  digestOf,
  labelledCases,
  type LabelledRecord,
  type LabelledRun,
  pairLabels,
  readLabels,
} from "./read_labels.ts";
import type { Surroundings } from "./surroundings.ts";

/** Which judge is measured, and by what. */
export interface CalibrateOptions {
  /** A criterion of the project whose evaluator asks a judge. */
  readonly criterion: string;
  /** The path of a JSONL file of labels, relative to the current folder or to the project's. */
  readonly labels: string;
  /** The run that labelled cases are of: an id, a name, `latest` (the default). Not needed where labels bring their records. */
  readonly run?: string;
  /** How often each row is judged, 2 by default: only then is it known whether the judge says the same again. */
  readonly repeats?: number;
}

const REPEATS = 2;

/**
 * Judges every labelled record and keeps the result. Verdicts that are remembered are not asked for again.
 *
 * @returns The stored calibration; undefined when it was interrupted.
 * @throws {OloproofError} `unknown_criterion`, `not_judged`, `invalid_option`, every mistake of the labels, `missing_api_key`, and
 *   what finding the run and loading functions throws.
 */
export async function calibrate(
  project: Project,
  options: CalibrateOptions,
  surroundings: Surroundings,
): Promise<Calibration | undefined> {
  const evaluator = findJudged(project, options.criterion);
  const repeats = checkRepeats(options.repeats ?? REPEATS);
  const labels = await readLabels(options.labels, project.root, surroundings.cwd);
  const functions = await loadFunctions({ ...project, evaluators: [evaluator] }, surroundings);
  const judge = judgeOf(
    evaluator,
    Object.fromEntries(functions.sources),
    evaluatorVersions([evaluator])[evaluator.criterion],
  );
  if (judge === undefined) throw new TypeError("the evaluator was found to ask a judge");
  functions.judges?.requireKeys();
  const cases = labelledCases(labels);
  const store = await openStore(project.store, {
    mode: cases.size === 0 ? "write" : "read",
    token: surroundings.env(TOKEN_VARIABLE),
    secrets: judgeSecrets(project.evaluators, surroundings),
  });
  try {
    const run = cases.size === 0 ? undefined : await readRun(store, options.run ?? "latest", cases);
    const rows = pairLabels(labels, run);
    const work = new CalibrationWork(project, evaluator, functions, store, run, surroundings);
    const judged = await work.judgeAll(rows, repeats);
    return await keep(store, { criterion: options.criterion, judge, repeats }, judged, run, surroundings);
  } catch (cause) {
    if (surroundings.stop.aborted && cause === surroundings.stop.reason) return undefined;
    throw cause;
  } finally {
    store.close();
  }
}

function findJudged({ evaluators }: Project, criterion: string): EvaluatorSpec {
  const found = evaluators.find((one) => one.criterion === criterion);
  const judged = evaluators.filter(({ type }) => evaluatorTypes.get(type)?.judged === true)
    .map((one) => one.criterion);
  const known = judged.length === 0
    ? "no evaluator of the project asks a judge"
    : `judged are ${judged.join(", ")}`;
  if (found === undefined) {
    throw new OloproofError(`Cannot calibrate ${JSON.stringify(criterion)}: there is no such criterion`, {
      code: "unknown_criterion",
      kind: "configuration",
      hint: didYouMean(criterion, judged).hint ?? known,
    });
  }
  if (judged.includes(criterion)) return found;
  throw new OloproofError(`Cannot calibrate ${JSON.stringify(criterion)}: ${found.type} asks no judge`, {
    code: "not_judged",
    kind: "configuration",
    hint: known,
  });
}

function checkRepeats(repeats: number): number {
  if (Number.isInteger(repeats) && repeats >= 1 && repeats <= MAX_REPEATS) return repeats;
  throw new OloproofError(`Cannot judge each row ${repeats} times`, {
    code: "invalid_option",
    kind: "configuration",
    hint: `a whole number from 1 to ${MAX_REPEATS}`,
  });
}

const MAX_REPEATS = 100;

async function readRun(store: Store, id: string, cases: ReadonlySet<string>): Promise<ReadRun> {
  const { header } = await findRun(store, id);
  const records = new Map<string, CaseRecord>();
  for (const case_id of cases) {
    const [first] = await store.readCase(header.run_id, case_id);
    if (first !== undefined) records.set(case_id, first.record);
  }
  if (records.size < cases.size) await addIds(store, header.run_id, records);
  return { run_id: header.run_id, records, system: header.system };
}

/** All cases of the run, so that the nearest of their ids can be told. */
async function addIds(store: Store, run_id: string, records: Map<string, CaseRecord>): Promise<void> {
  for await (const { record } of store.readCases(run_id)) {
    if (!records.has(record.case.id)) records.set(record.case.id, record);
  }
}

interface ReadRun extends LabelledRun {
  readonly system: Parameters<typeof judgeRecord>[3];
}

/** A row as it was judged, and what the judge gave as its reason. */
interface JudgedRow {
  readonly row: CalibrationRow;
  readonly reason: string;
}

/** The judging of labelled records. */
class CalibrationWork {
  readonly #bound: BoundEvaluator;
  readonly #calls: JudgeCalls | undefined;

  constructor(
    private readonly project: Project,
    { type, parameters }: EvaluatorSpec,
    private readonly functions: UserFunctions,
    store: Store,
    private readonly run: ReadRun | undefined,
    private readonly surroundings: Surroundings,
  ) {
    const known = evaluatorTypes.get(type);
    if (known === undefined) throw new TypeError(`there is no evaluator of type ${type}`);
    this.#bound = known.bind(parameters);
    const { judges } = functions;
    this.#calls = judges === undefined
      ? undefined
      : new JudgeCalls(judges, { store, clock: surroundings.clock });
  }

  async judgeAll(rows: readonly LabelledRecord[], repeats: number): Promise<readonly JudgedRow[]> {
    const judged: JudgedRow[] = [];
    const total = rows.length * repeats;
    let done = 0;
    try {
      const concurrency = Math.min(this.project.judging.concurrency, rows.length);
      await forEachConcurrently(streamOf(rows), concurrency, async (row) => {
        const judgments: Judgment[] = [];
        for (let repeat = 1; repeat <= repeats; repeat++) {
          this.surroundings.stop.throwIfAborted();
          judgments.push(await this.#judge(row, repeat));
          done++;
          this.surroundings.onProgress?.({ done, total, failed: 0, unit: "verdicts" });
        }
        judged.push(rowOf(row, judgments));
      });
    } finally {
      // What was paid for is kept, however this ends.
      await this.#calls?.flush();
    }
    return judged.sort((a, b) => compareText(a.row.row, b.row.row));
  }

  #judge({ record }: LabelledRecord, repeat: number): Promise<Judgment> {
    const judged = { record: digestOf(record), repeat };
    const judge = this.#calls?.portFor(judged, new JudgeTally());
    const ports = { ...this.functions.ports, ...(judge === undefined ? {} : { judge }) };
    return judgeRecord(this.#bound, record, ports, this.run?.system);
  }
}

async function* streamOf<T>(items: readonly T[]): AsyncGenerator<T> {
  yield* items;
}

function rowOf({ row, label, record }: LabelledRecord, judgments: readonly Judgment[]): JudgedRow {
  const [first] = judgments;
  const details = first?.status === "observed" && isJsonObject(first.details) ? first.details : {};
  const said = first?.status === "missing" ? first.message : details.reason;
  return {
    row: {
      row,
      record: digestOf(record),
      label,
      verdicts: judgments.map(outcomeOf),
      ...(first === undefined || first.status === "observed" ? {} : { reason: first.reason }),
    },
    reason: typeof said === "string" ? said : "",
  };
}

function outcomeOf(judgment: Judgment): JudgedOutcome {
  if (judgment.status !== "observed") return judgment.status;
  return judgment.value === true ? "pass" : "fail";
}

async function keep(
  store: Store,
  of: { readonly criterion: string; readonly judge: CalibratedJudge; readonly repeats: number },
  judged: readonly JudgedRow[],
  run: ReadRun | undefined,
  { clock }: Surroundings,
): Promise<Calibration> {
  const rows = judged.map(({ row }) => row);
  const content: CalibrationContent = {
    schema: "oloproof/calibration/1",
    ...of,
    level: CALIBRATION_LEVEL,
    rows,
    figures: measureJudge(rows),
  };
  const question = calibrationQuestion(of.judge);
  const calibration_id = `sha256:${identityOf(content)}`;
  const before = await store.documentsAnswering(question);
  const beside = {
    run_id: run?.run_id ?? null,
    reasons: Object.fromEntries(
      judged.flatMap(({ row: { row }, reason }) => reason === "" ? [] : [[row, reason]]),
    ),
    earlier: new Set(before.map(({ id }) => id).filter((id) => id !== calibration_id)).size,
    created_at: new Date(clock.now()).toISOString(),
  };
  await store.addDocument({
    id: calibration_id,
    kind: "calibration",
    run_id: run?.run_id ?? "",
    question,
    content,
    beside,
  });
  return { calibration_id, content, ...beside };
}
