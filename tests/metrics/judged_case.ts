/** Finished cases for tests of figures: a record, its judgments and what its execution cost. */
import type { Json, JsonObject } from "../../lib/domain/json.ts";
import type { Judgment } from "../../lib/domain/judgment.ts";
import type { Passage } from "../../lib/domain/passage.ts";
import type { EvaluatorSpec } from "../../lib/domain/project.ts";
import type { StageFailure } from "../../lib/domain/record.ts";
import type { CaseCache, StoredCase } from "../../lib/domain/run.ts";

/** What a test says of a case; the rest is an execution that finished with nothing in it. */
export interface Finished {
  readonly id?: string;
  readonly ordinal?: number;
  readonly repeat?: number;
  readonly input?: Json;
  readonly metadata?: JsonObject;
  readonly expected?: Json;
  readonly candidates?: readonly Passage[];
  readonly context?: readonly Passage[];
  readonly dropped?: StoredCase["record"]["dropped"];
  readonly output?: Json;
  readonly error?: StageFailure;
  readonly judgments?: readonly Judgment[];
  readonly cache?: Partial<CaseCache>;
  readonly costs?: StoredCase["costs"];
}

/** A finished case. With an error it has only the parts that the test gives. */
export function finishedCase(given: Finished = {}): StoredCase {
  const {
    id = "a",
    ordinal = 0,
    repeat = 1,
    input = null,
    metadata,
    expected,
    error,
    judgments = [],
    costs = {},
  } = given;
  const reached = error === undefined ? { candidates: [], context: [], dropped: [], output: null } : {};
  const { candidates, context, dropped, output } = { ...reached, ...given };
  return {
    ordinal,
    repeat,
    record: {
      case: {
        id,
        input,
        ...(expected === undefined ? {} : { expected }),
        ...(metadata === undefined ? {} : { metadata }),
      },
      ...(candidates === undefined ? {} : { candidates }),
      ...(context === undefined ? {} : { context }),
      ...(dropped === undefined ? {} : { dropped }),
      ...(output === undefined ? {} : { output }),
      ...(error === undefined ? {} : { error }),
    },
    judgments,
    cache: { execution: "miss", judgment: { hit: 0, miss: judgments.length }, ...given.cache },
    costs,
  };
}

/** An expectation that labels documents as relevant; `d|c` is a chunk of one. */
export function relevant(...names: readonly string[]): JsonObject {
  return { relevant: passages(...names).map(({ doc_id, chunk_id }) => ({ doc_id, chunk_id })) };
}

/** Passages without text: `d` is a document, `d|c` a chunk of it. */
export function passages(...names: readonly string[]): readonly Passage[] {
  return names.map((name) => {
    const [doc_id = "", chunk_id] = name.split("|");
    return chunk_id === undefined ? { doc_id } : { doc_id, chunk_id };
  });
}

/** An evaluator of a type, its criterion of the same name. */
export function evaluator(type: string, parameters: JsonObject = {}): EvaluatorSpec {
  return { type, criterion: type, parameters };
}
