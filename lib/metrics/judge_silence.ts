/** Judges that gave no verdict at all: why, in the words of whoever should have answered. */
import { compareText } from "../domain/error.ts";
import { isJudgeFailure, type JudgeFailure } from "../domain/judge.ts";
import type { Judgment } from "../domain/judgment.ts";
import type { EvaluatorSpec } from "../domain/project.ts";
import type { Notice } from "../domain/run_report.ts";

/** What helps against each failure. */
const hints: Readonly<Record<JudgeFailure, string>> = {
  judge_failed: "check the judge's model, its address and its key (or its function)",
  judge_refused: "another model or another rubric may judge these texts",
  judge_timed_out: "raise judging.timeout_seconds",
  judge_rate_limited: "lower judging.concurrency, or set judging.requests_per_minute",
  judge_invalid_verdict: "ask another model, or give the server the schema: structured_outputs: true",
  judge_budget_spent: "raise judging.max_calls or judging.max_cost_usd",
};

/** What was asked of one judge. */
interface Asked {
  answered: number;
  failed: number;
  /** How often each failure came, by its reason and message. */
  readonly causes: Map<string, { readonly reason: JudgeFailure; readonly message: string; times: number }>;
}

/** Counts verdicts and failures of judges, in any order. */
export class JudgeSilenceFold {
  readonly #asked: readonly Asked[];

  constructor(private readonly evaluators: readonly EvaluatorSpec[]) {
    this.#asked = evaluators.map(() => ({ answered: 0, failed: 0, causes: new Map() }));
  }

  /** @param judgments Of one execution, in the order of the evaluators. */
  add(judgments: readonly Judgment[]): void {
    for (const [index, judgment] of judgments.entries()) {
      const asked = this.#asked[index];
      if (asked === undefined) continue;
      if (judgment.status === "observed") asked.answered++;
      if (judgment.status !== "missing" || !isJudgeFailure(judgment.reason)) continue;
      const { reason, message = "" } = judgment;
      asked.failed++;
      const key = JSON.stringify([reason, message]);
      const cause = asked.causes.get(key) ?? { reason, message, times: 0 };
      cause.times++;
      asked.causes.set(key, cause);
    }
  }

  /** A notice for each judge that failed every time, with what it failed with most. */
  notices(): readonly Notice[] {
    return this.#asked.flatMap(({ answered, failed, causes }, index): readonly Notice[] => {
      const [most] = [...causes].sort(([a, one], [b, other]) => other.times - one.times || compareText(a, b));
      const criterion = this.evaluators[index]?.criterion ?? "";
      if (answered > 0 || most === undefined) return [];
      const [, { reason, message, times }] = most;
      return [{
        severity: "notice",
        code: "judge_gave_no_verdict",
        message: `The judge of ${criterion} gave no verdict in ${failed} of ${failed} executions; ${
          times === failed ? "each time" : `${times} of them`
        } ${reason}${message === "" ? "" : `: ${message}`}`,
        hint: `${hints[reason]}, then run again: what is finished is not called again`,
      }];
    });
  }
}
