/** Context assembly: which candidates reach the generator, and why the others do not. */
import type { Assembly, DroppedPassage, Passage } from "../domain/passage.ts";

/** The limits of a context. `token_budget` null = no budget. */
export interface ContextLimits {
  readonly top_k: number;
  readonly token_budget: number | null;
}

/**
 * Assembles the context: the first `top_k` candidates; of these, in rank order, each whose tokens still fit the rest of the
 * budget (a later, smaller passage may still fit after one that did not). Order is kept; every dropped candidate has its reason.
 *
 * @param tokens The sizes of the first `top_k` candidates, in rank order; needed with a budget, unread without.
 */
export function assembleContext(
  candidates: readonly Passage[],
  limits: ContextLimits,
  tokens: readonly number[] = [],
): Assembly {
  const context: Passage[] = [];
  const dropped: DroppedPassage[] = [];
  let rest = limits.token_budget ?? Infinity;
  for (const [index, candidate] of candidates.entries()) {
    const size = tokens[index];
    if (index >= limits.top_k) {
      dropped.push({ ...placeOf(candidate, index), reason: "beyond_top_k" });
    } else if (limits.token_budget !== null && size !== undefined && size > rest) {
      dropped.push({ ...placeOf(candidate, index), reason: "over_token_budget", tokens: size });
    } else {
      context.push(candidate);
      rest -= size ?? 0;
    }
  }
  return limits.token_budget === null ? { context, dropped } : { context, dropped, tokens };
}

/**
 * Accounts for a context that the system assembled itself: a candidate of which no sent passage has the doc_id (and the
 * chunk_id, where the sent passage names one) is dropped as `left_out_by_system`.
 */
export function accountForContext(candidates: readonly Passage[], sent: readonly Passage[]): Assembly {
  const isSent = (candidate: Passage) =>
    sent.some((passage) =>
      passage.doc_id === candidate.doc_id &&
      (passage.chunk_id === undefined || passage.chunk_id === candidate.chunk_id)
    );
  const dropped = candidates.flatMap((candidate, index): DroppedPassage[] =>
    isSent(candidate) ? [] : [{ ...placeOf(candidate, index), reason: "left_out_by_system" }]
  );
  return { context: sent, dropped };
}

/** Sizes looked at before a search is given up. */
const MAX_WORK = 5_000_000;

/**
 * The smallest budget under which the candidate at a 1-based position within top_k would enter the context.
 * `undefined` where that cannot be told in reasonable time or in whole numbers.
 * Walks from one budget at which the outcome changes to the next, since a larger budget may first let another passage in.
 */
export function budgetToEnter(
  position: number,
  tokens: readonly number[],
  budget: number,
): number | undefined {
  let trial = budget;
  for (let steps = 0; steps * tokens.length < MAX_WORK; steps++) {
    let rest = trial;
    let nextChange = Infinity;
    for (const [index, size] of tokens.entries()) {
      if (size <= rest) {
        if (index === position - 1) return trial;
        rest -= size;
      } else {
        nextChange = Math.min(nextChange, trial + size - rest);
      }
    }
    // Beyond the integers that a number can tell apart, a larger budget is no longer larger.
    if (nextChange === Infinity || nextChange <= trial) return undefined;
    trial = nextChange;
  }
  return undefined;
}

function placeOf(candidate: Passage, index: number): Omit<DroppedPassage, "reason"> {
  return {
    position: index + 1,
    doc_id: candidate.doc_id,
    ...(candidate.chunk_id === undefined ? {} : { chunk_id: candidate.chunk_id }),
  };
}
