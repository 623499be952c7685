/** What a report is made of: a run or a document, and the recorded evidence of every case behind it. No project code is loaded. */
import type { Calibration } from "../domain/calibration.ts";
import type { Comparison } from "../domain/comparison.ts";
import type { DiagnosedCase, DiagnosisReport } from "../domain/diagnosis.ts";
import type { Judgment } from "../domain/judgment.ts";
import type { Store } from "../domain/ports.ts";
import type { RunHeader, StoredCase } from "../domain/run.ts";
import type { InspectedCase, RunReport } from "../domain/run_report.ts";
import type { Sweep } from "../domain/sweep.ts";
import { averageJudgments } from "../metrics/average_judgments.ts";
import { eachCase } from "./each_case.ts";
import { namesDocument } from "./find_document.ts";
import { findSource } from "./find_source.ts";
import { describeCase } from "./inspect.ts";
import { inspectDocument } from "./inspect_document.ts";
import { comparable } from "./match_cases.ts";
import type { RunSource } from "./run_source.ts";
import { summarizeRun } from "./summarize_run.ts";
import type { Surroundings } from "./surroundings.ts";
import { withStore } from "./with_store.ts";

/** One case of one run: its executions, and its judgments with the repeats averaged. */
export interface CaseEvidence {
  readonly executions: readonly [InspectedCase, ...InspectedCase[]];
  /** By criterion. */
  readonly judgments: ReadonlyMap<string, Judgment>;
}

/** A diagnosed case with the recorded executions and those of the child runs, by role, as far as the store holds them. */
export interface DiagnosedEvidence {
  readonly diagnosed: DiagnosedCase;
  readonly recorded: CaseEvidence | undefined;
  readonly children: readonly { readonly role: string; readonly evidence: CaseEvidence }[];
}

/** A case of a comparison, as far as the store holds it. */
export interface ComparedEvidence {
  readonly case_id: string;
  readonly candidate: CaseEvidence | undefined;
  readonly baseline: CaseEvidence | undefined;
  /** Whether input and expectation are the same in both; false when one side is absent. */
  readonly comparable: boolean;
}

/** A case of a sweep: as the run recorded it, and under each combination, as far as the store holds it. */
export interface SweptEvidence {
  readonly recorded: CaseEvidence;
  readonly combinations: readonly (CaseEvidence | undefined)[];
}

/** What can be reported, each with its cases, which are read as they are consumed. */
export type ReportSource =
  | {
    readonly kind: "run";
    readonly report: RunReport;
    readonly criteria: readonly string[];
    readonly cases: AsyncIterable<CaseEvidence>;
  }
  | {
    readonly kind: "diagnosis";
    readonly report: DiagnosisReport;
    readonly cases: AsyncIterable<DiagnosedEvidence>;
  }
  | {
    readonly kind: "comparison";
    readonly comparison: Comparison;
    readonly cases: AsyncIterable<ComparedEvidence>;
  }
  | { readonly kind: "calibration"; readonly calibration: Calibration }
  | { readonly kind: "sweep"; readonly sweep: Sweep; readonly cases: AsyncIterable<SweptEvidence> };

/**
 * Opens what an id names for as long as it is read.
 *
 * @param id A run (id, prefix, name, `latest`, bundle), or `sha256:` and the beginning of a document's id.
 * @throws {OloproofError} As `inspect` does.
 */
export async function withReportSource<T>(
  location: string,
  id: string,
  surroundings: Surroundings,
  read: (source: ReportSource) => Promise<T>,
): Promise<T> {
  return await withStore(location, surroundings, async (store) => {
    if (namesDocument(id)) return await read(await documentSource(store, id));
    const source = await findSource(store, id, surroundings.cwd);
    return await read({
      kind: "run",
      report: await summarizeRun(source),
      criteria: source.header.evaluators.map(({ criterion }) => criterion),
      cases: evidenceOf(source),
    });
  });
}

async function documentSource(store: Store, id: string): Promise<ReportSource> {
  const found = await inspectDocument(store, id);
  if (found.kind === "diagnosis") {
    return { kind: "diagnosis", report: found.report, cases: diagnosedEvidence(store, found.report) };
  }
  if (found.kind === "sweep") {
    return { kind: "sweep", sweep: found.sweep, cases: sweptEvidence(store, found.sweep) };
  }
  if (found.kind === "calibration") return found;
  const { comparison } = found;
  return { kind: "comparison", comparison, cases: comparedEvidence(store, comparison) };
}

async function* evidenceOf({ header, store }: RunSource): AsyncGenerator<CaseEvidence> {
  for await (const executions of eachCase(store.readCases(header.run_id))) yield describe(header, executions);
}

function describe(
  header: RunHeader,
  [first, ...others]: readonly [StoredCase, ...StoredCase[]],
): CaseEvidence {
  const judgments = header.evaluators.flatMap(({ criterion }, index) => {
    const [judgment, ...repeats] = [first, ...others].flatMap((stored) => stored.judgments[index] ?? []);
    return judgment === undefined ? [] : [[criterion, averageJudgments([judgment, ...repeats])] as const];
  });
  return {
    executions: [describeCase(header, first), ...others.map((other) => describeCase(header, other))],
    judgments: new Map(judgments),
  };
}

/** The run of an id, if the store holds it. */
async function findHeader(store: Store, run_id: string): Promise<RunHeader | undefined> {
  return (await store.matchRuns(run_id)).find(({ header }) => header.run_id === run_id)?.header;
}

async function* diagnosedEvidence(
  store: Store,
  { diagnosis }: DiagnosisReport,
): AsyncGenerator<DiagnosedEvidence> {
  const { content, child_runs } = diagnosis;
  const recorded = await findHeader(store, content.run_id);
  const children: { role: string; header: RunHeader }[] = [];
  for (const { role, run_id } of child_runs) {
    const header = await findHeader(store, run_id);
    if (header !== undefined) children.push({ role, header });
  }
  const read = async (header: RunHeader | undefined, case_id: string) => {
    const [first, ...others] = header === undefined ? [] : await store.readCase(header.run_id, case_id);
    return header === undefined || first === undefined ? undefined : describe(header, [first, ...others]);
  };
  for (const diagnosed of content.cases) {
    const found: { role: string; evidence: CaseEvidence }[] = [];
    for (const { role, header } of children) {
      const evidence = await read(header, diagnosed.case_id);
      if (evidence !== undefined) found.push({ role, evidence });
    }
    yield { diagnosed, recorded: await read(recorded, diagnosed.case_id), children: found };
  }
}

/**
 * The cases of both runs in the candidate's order, then what only the baseline has. Both are read side by side, so that runs over the
 * same cases are never held whole.
 */
async function* comparedEvidence(store: Store, { content }: Comparison): AsyncGenerator<ComparedEvidence> {
  const candidates = await readerOf(store, content.candidate);
  const baselines = content.baseline === null ? undefined : await readerOf(store, content.baseline);
  for (;;) {
    const candidate = await candidates?.next();
    if (candidate === undefined) break;
    const case_id = idOf(candidate);
    const baseline = await baselines?.find(case_id);
    yield { case_id, candidate, baseline, comparable: isComparable(candidate, baseline) };
  }
  for (;;) {
    const baseline = await baselines?.next();
    if (baseline === undefined) return;
    yield { case_id: idOf(baseline), candidate: undefined, baseline, comparable: false };
  }
}

/** The cases of the run that a sweep starts from, each with its combinations; all are read side by side. */
async function* sweptEvidence(store: Store, { content, runs }: Sweep): AsyncGenerator<SweptEvidence> {
  const recorded = await readerOf(store, content.run_id);
  const readers: (CaseReader | undefined)[] = [];
  for (const { run_id } of runs) readers.push(await readerOf(store, run_id));
  for (;;) {
    const evidence = await recorded?.next();
    if (evidence === undefined) return;
    const combinations: (CaseEvidence | undefined)[] = [];
    for (const reader of readers) combinations.push(await reader?.find(idOf(evidence)));
    yield { recorded: evidence, combinations };
  }
}

function idOf({ executions: [first] }: CaseEvidence): string {
  return first.record.case.id;
}

function isComparable(one: CaseEvidence, other: CaseEvidence | undefined): boolean {
  if (other === undefined) return false;
  return comparable(one.executions[0].record.case) === comparable(other.executions[0].record.case);
}

/** Reads a run's cases one after the other, and finds one by its id: at once where it is the next. */
async function readerOf(store: Store, run_id: string): Promise<CaseReader | undefined> {
  const header = await findHeader(store, run_id);
  return header === undefined ? undefined : new CaseReader(evidenceOf({ header, store }));
}

class CaseReader {
  /** Read on the way to another one. */
  readonly #passed = new Map<string, CaseEvidence>();

  constructor(private readonly cases: AsyncGenerator<CaseEvidence>) {}

  /** The next case that was not found before. */
  async next(): Promise<CaseEvidence | undefined> {
    for (const [id, evidence] of this.#passed) {
      this.#passed.delete(id);
      return evidence;
    }
    return await this.#read();
  }

  async find(case_id: string): Promise<CaseEvidence | undefined> {
    const passed = this.#passed.get(case_id);
    this.#passed.delete(case_id);
    if (passed !== undefined) return passed;
    for (;;) {
      const read = await this.#read();
      if (read === undefined || idOf(read) === case_id) return read;
      this.#passed.set(idOf(read), read);
    }
  }

  async #read(): Promise<CaseEvidence | undefined> {
    const { done, value } = await this.cases.next();
    return done === true ? undefined : value;
  }
}
