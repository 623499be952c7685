/** Between the nouns of the domain and the compact JSON text that rows hold. */
import { type Judgment, observed } from "../domain/judgment.ts";
import type { Assembly, DroppedPassage, Passage } from "../domain/passage.ts";
import type { CacheOutcome, CaseCache } from "../domain/run.ts";

/** How an assembly by top_k and budget is kept: what is needed to tell it again from the candidates. */
interface AssemblyByLimits {
  readonly top_k: number;
  readonly tokens?: readonly number[];
  /** Positions of the candidates within top_k that did not fit. */
  readonly over: readonly number[];
}

/** How an assembly of the system's own is kept: the passages as sent, since they need not be candidates. */
interface AssemblyBySystem {
  readonly sent: readonly Passage[];
  readonly left_out: readonly number[];
}

/** An assembly as it is kept, parsed. */
export type KeptAssembly = AssemblyByLimits | AssemblyBySystem;

/** Judgments as they are kept, parsed. */
export type KeptJudgments = readonly (boolean | number | Judgment)[];

/** An assembly as JSON text; `candidates` are stored elsewhere, once. */
export function encodeAssembly(assembly: Assembly, candidates: readonly Passage[]): string {
  const { context, dropped, tokens } = assembly;
  const beyond = dropped.filter((passage) => passage.reason === "beyond_top_k");
  const over = dropped.filter((passage) => passage.reason === "over_token_budget").map(positionOf);
  const top_k = candidates.length - beyond.length;
  const byLimits: AssemblyByLimits = { top_k, over, ...(tokens === undefined ? {} : { tokens }) };
  const told = decodeByLimits(byLimits, candidates);
  const isTold = isSame(told.dropped, dropped) && told.context.length === context.length &&
    told.context.every((passage, index) => isSame(passage, context[index]));
  if (isTold) return JSON.stringify(byLimits);
  const bySystem: AssemblyBySystem = { sent: context, left_out: dropped.map(positionOf) };
  return JSON.stringify(bySystem);
}

/** A context mostly holds the candidates themselves, and then nothing is written to be compared. */
function isSame(a: unknown, b: unknown): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}

/** The assembly that {@link encodeAssembly} wrote. @param kept What it wrote, parsed. */
export function decodeAssembly(kept: KeptAssembly, candidates: readonly Passage[]): Assembly {
  if ("top_k" in kept) return decodeByLimits(kept, candidates);
  const dropped = kept.left_out.map((position) => drop(candidates, position, "left_out_by_system"));
  return { context: kept.sent, dropped };
}

function decodeByLimits({ top_k, over, tokens }: AssemblyByLimits, candidates: readonly Passage[]): Assembly {
  const context: Passage[] = [];
  const dropped: DroppedPassage[] = [];
  for (const [index, candidate] of candidates.entries()) {
    const size = tokens?.[index];
    if (index >= top_k) dropped.push(drop(candidates, index + 1, "beyond_top_k"));
    else if (over.includes(index + 1)) {
      dropped.push(drop(candidates, index + 1, "over_token_budget", size));
    } else context.push(candidate);
  }
  return tokens === undefined ? { context, dropped } : { context, dropped, tokens };
}

function drop(
  candidates: readonly Passage[],
  position: number,
  reason: DroppedPassage["reason"],
  tokens?: number,
): DroppedPassage {
  const candidate = candidates[position - 1];
  return {
    position,
    doc_id: candidate?.doc_id ?? "",
    ...(candidate?.chunk_id === undefined ? {} : { chunk_id: candidate.chunk_id }),
    reason,
    ...(tokens === undefined ? {} : { tokens }),
  };
}

const positionOf = (passage: DroppedPassage) => passage.position;

/** Judgments as JSON text: an observed value without details stands for itself, anything else is an object. */
export function encodeJudgments(judgments: readonly Judgment[]): string {
  return JSON.stringify(
    judgments.map((judgment) =>
      judgment.status === "observed" && judgment.details === undefined ? judgment.value : judgment
    ),
  );
}

/** The judgments that {@link encodeJudgments} wrote. @param kept What it wrote, parsed. */
export function decodeJudgments(kept: KeptJudgments): readonly Judgment[] {
  return kept.map((item) => typeof item === "object" ? item : observed(item));
}

/**
 * Cache outcomes as `execution,retrieve,generate,judgment hits,judgment misses`, and `,carried` where that is so; a stage not
 * reached is empty. The one stage of a system that has only one is `answer hit` or `answer miss` in the place of generate. What
 * counts as made is looked for in this text: see resume_sql.ts.
 */
export function encodeCache({ execution, retrieve, generate, answer, judgment, carried }: CaseCache): string {
  const last = answer === undefined ? generate ?? "" : `answer ${answer}`;
  const outcomes = [execution, retrieve ?? "", last, judgment.hit, judgment.miss];
  return [...outcomes, ...(carried ? ["carried"] : [])].join(",");
}

/** The outcomes that {@link encodeCache} wrote. */
export function decodeCache(text: string): CaseCache {
  const [execution, retrieve, last = "", hit, miss, carried] = text.split(",");
  const answer = /^answer (.*)$/.exec(last)?.[1];
  return {
    execution: execution as CacheOutcome,
    ...(retrieve === "" ? {} : { retrieve: retrieve as CacheOutcome }),
    ...(answer !== undefined
      ? { answer: answer as CacheOutcome }
      : last === ""
      ? {}
      : { generate: last as CacheOutcome }),
    judgment: { hit: Number(hit), miss: Number(miss) },
    ...(carried === undefined ? {} : { carried: true }),
  };
}
