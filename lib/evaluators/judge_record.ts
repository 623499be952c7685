/** From record to judgment: the order of questions that every evaluator shares. */
import { type Judgment, missing } from "../domain/judgment.ts";
import type { EvaluatorPorts } from "../domain/ports.ts";
import type { CaseRecord } from "../domain/record.ts";
import { messageOf } from "../domain/error.ts";
import type { BoundEvaluator, FinishedRecord, ObservedSystem } from "./evaluator.ts";

/**
 * Judges one record. What the case or the system alone excludes comes first (a failure cannot change it), then the failed
 * execution, then the evaluator. An evaluator that throws is missing with `evaluator_failed`; a number
 * outside [0, 1] is missing with `invalid_value`: a fault of the judging is never a wrong answer.
 */
export async function judgeRecord(
  evaluator: BoundEvaluator,
  record: CaseRecord,
  ports: EvaluatorPorts,
  system: ObservedSystem = {},
): Promise<Judgment> {
  const exclusion = evaluator.excludes(record.case) ?? evaluator.excludesSystem(system);
  if (exclusion !== undefined) return { status: "excluded", reason: exclusion };
  if (!isFinished(record)) return evaluator.judgeFailed?.(record) ?? missing("execution_failed");
  try {
    const judgment = await evaluator.judge(record, ports);
    if (judgment.status === "observed" && !isUnitValue(judgment.value)) {
      return missing(
        "invalid_value",
        `The evaluator gave ${judgment.value}; a value is a boolean or in [0, 1]`,
      );
    }
    return judgment;
  } catch (cause) {
    if (ports.stop?.aborted === true && cause === ports.stop.reason) throw cause;
    return missing("evaluator_failed", cut(messageOf(cause)));
  }
}

function isFinished(record: CaseRecord): record is FinishedRecord {
  return record.error === undefined && record.output !== undefined;
}

function isUnitValue(value: boolean | number): boolean {
  return typeof value === "boolean" || (value >= 0 && value <= 1);
}

/** The longest message that is kept, in characters. */
const MAX_MESSAGE = 2000;

function cut(message: string): string {
  const text = message.toWellFormed();
  return text.length <= MAX_MESSAGE ? text : `${text.slice(0, MAX_MESSAGE).toWellFormed()}…`;
}
