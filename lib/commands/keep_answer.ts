/** Keeps what a system told that answers in one stage. */
import type { StageCost } from "../domain/record.ts";
import type { AnswerEvidence } from "../stages/case_execution.ts";
import type { Answer } from "../stages/read_output.ts";
import type { EvidenceWriter } from "./evidence_writer.ts";

/** Writes the output in the place of a generation, and reported candidates in the place of a retrieval. */
export function keepAnswer(
  identity: string,
  { output, candidates }: Answer,
  cost: StageCost,
  { writer, newEntryId }: { readonly writer: EvidenceWriter; readonly newEntryId: () => number },
): AnswerEvidence {
  const generation = { id: newEntryId(), identity, output, cost };
  writer.addGeneration(generation);
  if (candidates === undefined) return { generation };
  // What the call took is that of its output; the candidates took nothing more.
  const retrieval = { id: newEntryId(), identity, retrieval: { candidates }, cost: {} };
  writer.addRetrieval(retrieval);
  return { generation, retrieval };
}
