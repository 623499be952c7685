/** A failed case in the terms of what its evaluator reads. */
import { relevanceLabels } from "../domain/case.ts";
import { type Json, readPath } from "../domain/json.ts";
import type { EvaluatorSpec } from "../domain/project.ts";
import type { RunHeader, StoredCase } from "../domain/run.ts";
import type { FailedCase } from "../domain/run_report.ts";
import { evaluatorTypes } from "../evaluators/table.ts";
import { sliceValue } from "../metrics/slice.ts";

/** What was expected and what came instead, in the terms of what the evaluator reads. */
export function describeFailure(
  { record }: StoredCase,
  { type, parameters }: EvaluatorSpec,
  details: Json,
  header: RunHeader,
): FailedCase {
  const { expected, ...testCase } = record.case;
  const relevant_position = sliceValue("relevant_position", record, header);
  if (evaluatorTypes.get(type)?.reads === "retrieval") {
    const k = typeof parameters.k === "number" ? parameters.k : undefined;
    const labels = relevanceLabels(expected).filter(({ grade }) => grade > 0);
    const first = (record.candidates ?? []).slice(0, k);
    return {
      case_id: testCase.id,
      expected: labels.map(nameOf),
      got: first.map(nameOf),
      details,
      relevant_position,
    };
  }
  const read = (path: Json | undefined) => typeof path === "string" ? path : undefined;
  const wanted = "expected_field" in parameters
    ? readPath(expected, read(parameters.expected_field))
    : undefined;
  return {
    case_id: testCase.id,
    expected: wanted ?? null,
    got: readPath(record.output, read(parameters.field)) ?? null,
    details,
    relevant_position,
  };
}

function nameOf({ doc_id, chunk_id }: { readonly doc_id: string; readonly chunk_id?: string }): string {
  return chunk_id === undefined ? doc_id : `${doc_id} ${chunk_id}`;
}
