/** Everything that is told of a run, folded from its cases: the same for a run just made and for one read from the store. */
import type { RunHeader, StoredCase } from "../domain/run.ts";
import type { RunReport } from "../domain/run_report.ts";
import { MetricFold } from "./aggregate.ts";
import { FunnelFold } from "./funnel.ts";
import { AccountFold } from "./run_account.ts";
import { SliceFold } from "./slice.ts";
import { SuspicionFold } from "./suspicion.ts";

/** Folds finished cases into a run's report, in any order, without keeping them. */
export class RunFold {
  readonly #metrics: MetricFold;
  readonly #slices: SliceFold;
  readonly #funnel: FunnelFold;
  readonly #account = new AccountFold();
  readonly #suspicion: SuspicionFold;
  readonly #failed = new Set<number>();
  #cases = 0;

  constructor(private readonly header: RunHeader) {
    this.#metrics = new MetricFold(header.evaluators);
    this.#slices = new SliceFold(header);
    this.#funnel = new FunnelFold(header.relevance_unit, header.system.top_k);
    this.#suspicion = new SuspicionFold(header);
  }

  add(finished: StoredCase): void {
    const { record, judgments } = finished;
    this.#cases++;
    this.#metrics.add(record, judgments);
    this.#slices.add(record, judgments);
    this.#funnel.add(record);
    this.#account.add(finished);
    this.#suspicion.add(record, judgments);
    for (const [index, judgment] of judgments.entries()) {
      if (judgment.status === "observed" && judgment.value === false) this.#failed.add(index);
    }
  }

  /** @param status The run's status now; the header holds the one that it began with. */
  report(status: RunHeader["status"] = this.header.status): RunReport {
    const { run_id, name, started_at, system, source_digest, cases, selection, min_slice_support } =
      this.header;
    return {
      run_id,
      name: name ?? null,
      status,
      started_at,
      system: { ...system, source_digest },
      cases: this.#cases,
      planned_cases: cases,
      selection,
      metrics: this.#metrics.metrics(),
      slices: this.#slices.slices(),
      min_slice_support,
      funnel: this.#funnel.funnel(),
      ...this.#account.account(),
      failed_criteria: this.header.evaluators.flatMap(({ criterion }, index) =>
        this.#failed.has(index) ? [criterion] : []
      ),
      notices: this.#suspicion.notices(),
    };
  }
}
