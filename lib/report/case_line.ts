/** One finished case as one line of JSON. */
import type { Json } from "../domain/json.ts";
import type { Judgment } from "../domain/judgment.ts";
import type { DroppedPassage, Passage } from "../domain/passage.ts";
import type { StageFailure } from "../domain/record.ts";
import type { RunHeader, StoredCase } from "../domain/run.ts";

/** A case as it is exported. Null stands for what there is not: no expectation, a stage that was not reached, no error. */
export interface CaseLine {
  /** Unique in the run; what pairs the cases of two runs. */
  readonly case_id: string;
  /** The 1-based repeat; absent where each case is executed once. */
  readonly repeat?: number;
  /** The input as the case file gives it. */
  readonly input: Json;
  /** The whole expectation, labels and gold passages included; null without one. */
  readonly expected: Json;
  /** The case's own metadata; null without any. */
  readonly metadata: Json;
  /** In the retriever's order; null when retrieval did not finish, [] when it found nothing. */
  readonly candidates: readonly Passage[] | null;
  /** Exactly what generate received; null when assembly did not finish. */
  readonly context: readonly Passage[] | null;
  /** Candidates that are not in the context, in rank order, each with its reason; null as `context` is. */
  readonly dropped: readonly DroppedPassage[] | null;
  /** What generate returned; null also when it did not finish, then `error` says why. */
  readonly output: Json;
  /** The stage failure that ended the execution; null when it finished. */
  readonly error: Omit<StageFailure, "cost"> | null;
  /** By criterion, in the project's order. */
  readonly judgments: { readonly [criterion: string]: Judgment };
}

/** The exported form of a finished case of a run. */
export function caseLine(
  { evaluators, repeats }: Pick<RunHeader, "evaluators" | "repeats">,
  { record, judgments, repeat }: Pick<StoredCase, "record" | "judgments" | "repeat">,
): CaseLine {
  const { case: testCase, candidates, context, dropped, output, error } = record;
  return {
    case_id: testCase.id,
    ...(repeats === 1 ? {} : { repeat }),
    input: testCase.input,
    expected: testCase.expected ?? null,
    metadata: testCase.metadata === undefined ? null : testCase.metadata,
    candidates: candidates ?? null,
    context: context ?? null,
    dropped: dropped ?? null,
    output: output ?? null,
    error: error === undefined ? null : { stage: error.stage, kind: error.kind, message: error.message },
    judgments: Object.fromEntries(
      evaluators.flatMap(({ criterion }, index) => {
        const judgment = judgments[index];
        return judgment === undefined ? [] : [[criterion, judgment]];
      }),
    ),
  };
}
