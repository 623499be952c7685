/** One finished case as one line of JSON. */
import type { Json } from "../domain/json.ts";
import type { Judgment } from "../domain/judgment.ts";
import type { DroppedPassage, Passage } from "../domain/passage.ts";
import type { EvaluatorSpec } from "../domain/project.ts";
import type { StageFailure } from "../domain/record.ts";
import type { StoredCase } from "../domain/run.ts";

/** A case as it is exported. Null stands for what there is not: no expectation, a stage that was not reached, no error. */
export interface CaseLine {
  readonly case_id: string;
  readonly input: Json;
  readonly expected: Json;
  readonly metadata: Json;
  readonly candidates: readonly Passage[] | null;
  readonly context: readonly Passage[] | null;
  readonly dropped: readonly DroppedPassage[] | null;
  readonly output: Json;
  readonly error: Omit<StageFailure, "cost"> | null;
  readonly judgments: { readonly [criterion: string]: Judgment };
}

/** The exported form of a finished case; `evaluators` are those of its run, in their order. */
export function caseLine(
  evaluators: readonly EvaluatorSpec[],
  { record, judgments }: Pick<StoredCase, "record" | "judgments">,
): CaseLine {
  const { case: testCase, candidates, context, dropped, output, error } = record;
  return {
    case_id: testCase.id,
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
