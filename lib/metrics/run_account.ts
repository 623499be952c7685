/** What a run did besides judging: cache hits, stage calls, failures, time and use. */
import type { CountedStage, StageCost, Usage } from "../domain/record.ts";
import type { JudgeCallCount, StoredCase } from "../domain/run.ts";
import type { SystemSettings } from "../domain/settings.ts";
import type { CaseFailure, RunAccount, StageUse } from "../domain/run_report.ts";

/** Folds finished cases into an account, in any order. */
export class AccountFold {
  readonly #execution = { hit: 0, miss: 0 };
  readonly #judgment = { hit: 0, miss: 0 };
  readonly #stages: Record<CountedStage, { hit: number; miss: number }> = {
    retrieve: { hit: 0, miss: 0 },
    generate: { hit: 0, miss: 0 },
    answer: { hit: 0, miss: 0 },
  };
  readonly #failures: { ordinal: number; repeat: number; failure: CaseFailure }[] = [];
  readonly #uses: Record<CountedStage, UseFold> = {
    retrieve: new UseFold(),
    generate: new UseFold(),
    answer: new UseFold(),
  };
  readonly #judges = new JudgeFold();
  #carried = 0;

  /**
   * @param repeats How often each case is executed: a failure names its repeat where that is more than once.
   * @param asksJudges Whether any evaluator does.
   */
  constructor(
    private readonly system: Pick<SystemSettings, "reports" | "recorded"> = {},
    private readonly repeats = 1,
    private readonly asksJudges = false,
  ) {}

  add({ ordinal, repeat, record, cache, costs, judge_calls }: Omit<StoredCase, "judgments">): void {
    this.#execution[cache.execution]++;
    this.#judgment.hit += cache.judgment.hit;
    this.#judgment.miss += cache.judgment.miss;
    if (cache.carried) this.#carried++;
    this.#judges.add(judge_calls);
    for (const stage of COUNTED_STAGES) {
      const outcome = cache[stage];
      if (outcome === undefined) continue;
      this.#stages[stage][outcome]++;
      // A hit keeps the time and use of the call that it stands for; only calls of this run count here.
      if (outcome === "miss") this.#uses[stage].add(stage === "retrieve" ? costs.retrieve : costs.generate);
    }
    if (this.system.recorded) this.#uses.answer.add(costs.generate);
    if (record.error !== undefined) {
      const { stage, kind, message, cost } = record.error;
      const named = this.repeats === 1 ? {} : { repeat };
      const failure = { case_id: record.case.id, ...named, stage, kind, message };
      this.#failures.push({ ordinal, repeat, failure });
      if (stage !== "assemble" && stage !== "rerank" && cost !== undefined) this.#uses[stage].add(cost);
    }
  }

  /** Executions that a retry carried, and those that it did not. */
  get carried(): { readonly carried: number; readonly executed: number } {
    const { hit, miss } = this.#execution;
    return { carried: this.#carried, executed: hit + miss - this.#carried };
  }

  account(): RunAccount {
    const failures = this.#failures
      .sort((a, b) => a.ordinal - b.ordinal || a.repeat - b.repeat)
      .map(({ failure }) => failure);
    return {
      cache: { execution: { ...this.#execution }, judgment: { ...this.#judgment } },
      stages: Object.fromEntries(
        this.#ownStages().filter(() => !this.system.recorded).map((
          stage,
        ) => [stage, { ...this.#stages[stage] }]),
      ),
      ...(this.asksJudges ? { judge_calls: this.#judges.count() } : {}),
      failures,
      usage: Object.fromEntries(this.#ownStages().map((stage) => [stage, this.#uses[stage].use()])),
    };
  }

  /** The stages that the system has. */
  #ownStages(): readonly CountedStage[] {
    return this.system.reports === undefined ? ["retrieve", "generate"] : ["answer"];
  }
}

const COUNTED_STAGES: readonly CountedStage[] = ["retrieve", "generate", "answer"];

/** Adds up what was asked of judges. */
class JudgeFold {
  #hit = 0;
  #miss = 0;
  readonly #use = new UseFold();

  add(calls: JudgeCallCount | undefined): void {
    this.#hit += calls?.hit ?? 0;
    this.#miss += calls?.miss ?? 0;
    if (calls?.usage !== undefined) this.#use.addUsage(calls.usage);
  }

  count(): JudgeCallCount {
    const { usage } = this.#use.use();
    const count = { hit: this.#hit, miss: this.#miss };
    return Object.keys(usage).length === 0 ? count : { ...count, usage };
  }
}

class UseFold {
  readonly #latencies: number[] = [];
  readonly #usage: Record<string, number> = {};

  add(cost: StageCost | undefined): void {
    if (cost === undefined) return;
    if (cost.latency_ms !== undefined) this.#latencies.push(cost.latency_ms);
    if (cost.usage !== undefined) this.addUsage(cost.usage);
  }

  /** Tokens and money add up; a first token is a latency and does not. */
  addUsage(usage: Usage): void {
    for (const key of ["input_tokens", "output_tokens", "cost_usd"] as const) {
      const value = usage[key];
      if (value !== undefined) this.#usage[key] = (this.#usage[key] ?? 0) + value;
    }
  }

  use(): StageUse {
    const sorted = this.#latencies.toSorted((a, b) => a - b);
    return {
      calls: sorted.length,
      latency_p50_ms: quantile(sorted, 0.5),
      latency_p95_ms: quantile(sorted, 0.95),
      usage: { ...this.#usage },
    };
  }
}

/** The smallest value that at least the given share of the values does not exceed; null of none. */
function quantile(sorted: readonly number[], share: number): number | null {
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? null;
}
