/** The intervention that options ask for. */
import type { Intervention } from "../domain/diagnosis.ts";
import { OloproofError } from "../domain/error.ts";

/** An intervention by its name and what it takes. */
export interface InterventionOptions {
  /** What is changed. */
  readonly intervention: Intervention["kind"];
  /** With `top-k`: how many candidates may enter the context; more than the run's top_k, at most its depth. */
  readonly top_k?: number | undefined;
  /** With `reranker`: `module:function`, called with the input and the recorded candidates. */
  readonly reranker?: string | undefined;
}

/**
 * The intervention that options describe.
 *
 * @throws {OloproofError} `invalid_intervention` when something is lacking, or belongs to another intervention.
 */
export function interventionOf({ intervention, top_k, reranker }: InterventionOptions): Intervention {
  const refuse = (message: string, hint: string) =>
    new OloproofError(message, { code: "invalid_intervention", kind: "configuration", hint });
  if (top_k !== undefined && intervention !== "top-k") {
    throw refuse(
      `top-k ${top_k} belongs to the intervention top-k, not to ${intervention}`,
      "use --intervention top-k",
    );
  }
  if (reranker !== undefined && intervention !== "reranker") {
    throw refuse(
      `The reranker ${reranker} belongs to the intervention reranker, not to ${intervention}`,
      "use --intervention reranker",
    );
  }
  switch (intervention) {
    case "gold-context":
      return { kind: intervention };
    case "top-k":
      if (top_k === undefined) {
        throw refuse(
          "The intervention top-k needs a top-k",
          "greater than the run's, at most its depth: --top-k 4",
        );
      }
      return { kind: intervention, top_k };
    case "reranker":
      if (reranker === undefined) {
        throw refuse("The intervention reranker needs a reranker", "for example --reranker rerank:byTitle");
      }
      return { kind: intervention, reranker };
  }
}
