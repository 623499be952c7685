/** Everything that is told of a run, folded from its cases: the same for a run just made and for one read from the store. */
import { compareText } from "../domain/error.ts";
import { judgeModelOf } from "../domain/judge.ts";
import type { Judgment } from "../domain/judgment.ts";
import type { RunHeader, StoredCase } from "../domain/run.ts";
import type { Absence, Notice, RunReport } from "../domain/run_report.ts";
import { averageJudgments } from "./average_judgments.ts";
import { MetricFold } from "./aggregate.ts";
import { FunnelFold } from "./funnel.ts";
import { AccountFold } from "./run_account.ts";
import { JudgeSilenceFold } from "./judge_silence.ts";
import { SliceFold } from "./slice.ts";
import { SuspicionFold } from "./suspicion.ts";

/** Folds finished cases into a run's report, in any order, without keeping them. */
export class RunFold {
  readonly #metrics: MetricFold;
  readonly #slices: SliceFold;
  readonly #funnel: FunnelFold;
  readonly #account: AccountFold;
  readonly #suspicion: SuspicionFold;
  readonly #silence: JudgeSilenceFold;
  readonly #failed = new Set<number>();
  readonly #passFail = new Set<number>();
  readonly #absences = new Map<string, Absence & { cases: number }>();
  /** Cases of which not all repeats are there yet, by ordinal. */
  readonly #repeats = new Map<number, readonly [StoredCase, ...StoredCase[]]>();
  #cases = 0;

  constructor(private readonly header: RunHeader) {
    this.#metrics = new MetricFold(header.evaluators, header.repeats);
    this.#slices = new SliceFold(header);
    this.#account = new AccountFold(header.system, header.repeats, asksJudges(header));
    this.#funnel = new FunnelFold(header.relevance_unit, header.system);
    this.#suspicion = new SuspicionFold(header);
    this.#silence = new JudgeSilenceFold(header.evaluators);
  }

  add(finished: StoredCase): void {
    this.#account.add(finished);
    if (this.header.repeats === 1) return this.#addCase(finished, []);
    const before = this.#repeats.get(finished.ordinal);
    const [first, ...others] = before === undefined
      ? [finished] as const
      : before[0].repeat < finished.repeat
      ? [...before, finished] as const
      : [finished, ...before] as const;
    if (others.length + 1 < this.header.repeats) {
      this.#repeats.set(finished.ordinal, [first, ...others]);
      return;
    }
    this.#repeats.delete(finished.ordinal);
    this.#addCase(first, others.sort((a, b) => a.repeat - b.repeat));
  }

  /** The unit is the case: its repeats are averaged before anything is counted. Slices and funnel take the record of the first. */
  #addCase(first: StoredCase, others: readonly StoredCase[]): void {
    const { record } = first;
    const judgments = first.judgments.map((judgment, index) =>
      averageJudgments([judgment, ...others.flatMap((other) => other.judgments[index] ?? [])])
    );
    this.#cases++;
    this.#metrics.add(record, judgments);
    this.#slices.add(record, judgments);
    this.#funnel.add(record);
    this.#suspicion.add([first, ...others]);
    for (const [index, judgment] of judgments.entries()) {
      if (judgment.status !== "observed") this.#addAbsence(index, judgment);
    }
    for (const repeat of [first, ...others]) {
      this.#addVerdicts(repeat.judgments);
      this.#silence.add(repeat.judgments);
    }
  }

  #addVerdicts(judgments: readonly Judgment[]): void {
    for (const [index, judgment] of judgments.entries()) {
      if (judgment.status !== "observed" || typeof judgment.value !== "boolean") continue;
      this.#passFail.add(index);
      if (!judgment.value) this.#failed.add(index);
    }
  }

  #addAbsence(index: number, { status, reason }: Exclude<Judgment, { status: "observed" }>): void {
    const criterion = this.header.evaluators[index]?.criterion ?? "";
    const key = JSON.stringify([index, status, reason]);
    const absence = this.#absences.get(key) ?? { criterion, status, reason, cases: 0 };
    absence.cases++;
    this.#absences.set(key, absence);
  }

  #criteria(indices: ReadonlySet<number>): readonly string[] {
    return this.header.evaluators.flatMap(({ criterion }, index) => indices.has(index) ? [criterion] : []);
  }

  /** Sorted, so that the order of cases cannot show. */
  #sortedAbsences(): readonly Absence[] {
    return [...this.#absences].sort(([a], [b]) => compareText(a, b)).map(([, absence]) => ({ ...absence }));
  }

  /** @param status The run's status now; the header holds the one that it began with. */
  report(status: RunHeader["status"] = this.header.status): RunReport {
    const { run_id, name, started_at, system, source_digest, cases, selection, min_slice_support } =
      this.header;
    const { repeats, retry_of, forgotten_cases = 0 } = this.header;
    return {
      run_id,
      name: name ?? null,
      status,
      started_at,
      system: { ...system, source_digest },
      cases: this.#cases,
      planned_cases: cases,
      repeats,
      retry: retry_of === undefined ? null : { of: retry_of, ...this.#account.carried },
      // Where a forgotten case was executed again, it is there.
      forgotten_cases: Math.min(forgotten_cases, cases - this.#cases),
      selection,
      metrics: this.#metrics.metrics(),
      slices: this.#slices.slices(),
      min_slice_support,
      funnel: this.#funnel.funnel(),
      ...this.#account.account(),
      absences: this.#sortedAbsences(),
      pass_fail_criteria: this.#criteria(this.#passFail),
      failed_criteria: this.#criteria(this.#failed),
      notices: [...this.#suspicion.notices(), ...this.#silence.notices(), ...this.#lossNotices(status)],
    };
  }

  /** Cases of a complete run that neither are there nor were forgotten: only damage can have taken them. */
  #lossNotices(status: RunHeader["status"]): readonly Notice[] {
    const { cases, forgotten_cases = 0 } = this.header;
    const lost = cases - forgotten_cases - this.#cases;
    if (status !== "complete" || lost <= 0) return [];
    return [{
      severity: "problem",
      code: "cases_lost",
      message: `${lost} of the ${cases} cases of this complete run are not in the store: it is damaged`,
      hint: "run again, or restore the store; the figures are of the cases that are left",
    }];
  }
}

function asksJudges({ evaluators }: RunHeader): boolean {
  return evaluators.some(({ parameters }) => judgeModelOf(parameters) !== undefined);
}
