/** Citations: how an output names passages, and where those passages are. */
import { isJsonObject, type Json } from "../domain/json.ts";
import type { Passage } from "../domain/passage.ts";
import { describeValue } from "./describe_value.ts";

/** What an answer cites, by the names that it gave; `text` stands where a position should and is none. */
export type Citation =
  | { readonly doc_id: string; readonly chunk_id?: string }
  | { readonly chunk_id: string }
  /** 1-based place in the context. */
  | { readonly position: number }
  | { readonly text: string };

/** What a citation read out of a text means. */
export type CitationTarget = "doc_id" | "chunk_id" | "position";

/**
 * Where the cited passage is: the answer was given it, or the retriever alone had it, or neither; `not_in_context` where it is not
 * known what the retriever had.
 */
export type CitationStatus =
  | "in_context"
  | "retrieved_but_dropped"
  | "never_retrieved"
  | "not_in_context"
  | "malformed";

/**
 * The citations of a list whose members are a doc_id or `{doc_id, chunk_id?}`. Absent and null cite nothing.
 * A value of another shape cannot be read: `problem` then says what it is, to follow the name of its place.
 */
export function readCitationList(
  value: Json | undefined,
): { readonly citations: readonly Citation[] } | { readonly problem: string } {
  if (value === undefined || value === null) return { citations: [] };
  const expected = "expected a list of doc_ids or of {doc_id, chunk_id}";
  if (typeof value === "string") {
    return {
      problem: `is ${describeValue(value)}; ${expected}, or a pattern that reads citations out of text`,
    };
  }
  if (!Array.isArray(value)) return { problem: `is ${describeValue(value)}; ${expected}` };
  const citations: Citation[] = [];
  for (const [index, member] of value.entries()) {
    const citation = readMember(member);
    if (citation === undefined) {
      return { problem: `has ${describeValue(member)} at place ${index + 1}; ${expected}` };
    }
    citations.push(citation);
  }
  return { citations };
}

function readMember(member: Json): Citation | undefined {
  if (typeof member === "string") return { doc_id: member };
  if (!isJsonObject(member) || typeof member.doc_id !== "string") return undefined;
  const { doc_id, chunk_id = null } = member;
  if (chunk_id === null) return { doc_id };
  return typeof chunk_id === "string" ? { doc_id, chunk_id } : undefined;
}

/** The citation that a captured text makes. */
export function readCapture(capture: string, target: CitationTarget): Citation {
  if (target === "doc_id") return { doc_id: capture };
  if (target === "chunk_id") return { chunk_id: capture };
  const position = /^\d+$/.test(capture) ? Number(capture) : 0;
  return position >= 1 && Number.isSafeInteger(position) ? { position } : { text: capture };
}

/**
 * Where the cited passage is. Ids are compared to the letter; a citation of both ids must match both.
 *
 * @param candidates `undefined` when the system does not report them.
 */
export function locateCitation(
  citation: Citation,
  context: readonly Passage[],
  candidates: readonly Passage[] | undefined,
): CitationStatus {
  if ("text" in citation) return "malformed";
  if ("position" in citation) return citation.position <= context.length ? "in_context" : "never_retrieved";
  const { doc_id, chunk_id }: CitedIds = citation;
  if (doc_id === "" || chunk_id === "") return "malformed";
  if (context.some((passage) => isCited(citation, passage))) return "in_context";
  if (candidates === undefined) return "not_in_context";
  return candidates.some((passage) => isCited(citation, passage))
    ? "retrieved_but_dropped"
    : "never_retrieved";
}

/** The 0-based places in the context of the passages that a citation may mean; `[]` when it means none of them. */
export function citedPlaces(citation: Citation, context: readonly Passage[]): readonly number[] {
  if (locateCitation(citation, context, undefined) !== "in_context" || "text" in citation) return [];
  if ("position" in citation) return [citation.position - 1];
  return context.flatMap((passage, place) => isCited(citation, passage) ? [place] : []);
}

interface CitedIds {
  readonly doc_id?: string;
  readonly chunk_id?: string;
}

function isCited({ doc_id, chunk_id }: CitedIds, passage: Passage): boolean {
  return (doc_id === undefined || passage.doc_id === doc_id) &&
    (chunk_id === undefined || passage.chunk_id === chunk_id);
}
