/** An evidence cache that remembers in memory what is done, as the one over a store does. */
import type { Json } from "../../lib/domain/json.ts";
import type { Retrieval } from "../../lib/domain/passage.ts";
import type { StageCost, StageFailure } from "../../lib/domain/record.ts";
import type { GenerationEntry, RetrievalEntry } from "../../lib/domain/run.ts";
import type { StageResult } from "../../lib/stages/call_stage.ts";
import type { AnswerEvidence, CaseExecution, EvidenceCache } from "../../lib/stages/case_execution.ts";
import type { Answer } from "../../lib/stages/read_output.ts";
import { type Made, SingleFlight } from "../../lib/stages/single_flight.ts";

/** {@link EvidenceCache} without a store: what succeeded is a hit from then on. */
export class MemoryCache implements EvidenceCache {
  readonly #executions = new SingleFlight<CaseExecution>();
  readonly #retrievals = new SingleFlight<RetrievalEntry | StageFailure>();
  readonly #generations = new SingleFlight<GenerationEntry | StageFailure>();
  #entries = 0;

  execution(identity: string, make: () => Promise<Made<CaseExecution>>) {
    return this.#executions.get(identity, make);
  }

  retrieval(identity: string, make: () => Promise<StageResult<Retrieval>>) {
    return this.#retrievals.get(identity, async () => {
      const made = await make();
      if (!made.ok) return { value: made.failure, shareable: false };
      const entry = { id: this.#entries++, identity, retrieval: made.value, cost: made.cost };
      return { value: entry, shareable: true };
    });
  }

  keepAnswer(identity: string, { output, candidates }: Answer, cost: StageCost): AnswerEvidence {
    const generation = { id: this.#entries++, identity, output, cost };
    if (candidates === undefined) return { generation };
    return { generation, retrieval: { id: this.#entries++, identity, retrieval: { candidates }, cost: {} } };
  }

  generation(identity: string, make: () => Promise<StageResult<Json>>) {
    return this.#generations.get(identity, async () => {
      const made = await make();
      if (!made.ok) return { value: made.failure, shareable: false };
      const entry = { id: this.#entries++, identity, output: made.value, cost: made.cost };
      return { value: entry, shareable: true };
    });
  }
}
