/** Which documents go with what is erased: those about an erased run, and those that name an erased case. */
import type { Erasure } from "../domain/erasure.ts";
import type { StoredDocument } from "../domain/ports.ts";
import type { RunHeader } from "../domain/run.ts";

/** A document as far as erasing needs it. */
export interface DocumentMark {
  readonly number: number;
  readonly id: string;
  /** The diagnosis whose labels it carries. */
  readonly carried: string | null;
  /** Whether it is about something that is erased. */
  readonly concerned: boolean;
}

/** What a document has to do with an erasure. */
export function markDocument(number: number, document: StoredDocument, erasure: Erasure): DocumentMark {
  const carried = document.kind === "diagnosis" ? document.content.carried : null;
  return { number, id: document.id, carried, concerned: isConcerned(document, erasure) };
}

/** The documents that go: the concerned ones, and those that carry the labels of one that goes. */
export function documentsToErase(marks: readonly DocumentMark[]): readonly DocumentMark[] {
  const gone = new Set(marks.filter(({ concerned }) => concerned).map(({ id }) => id));
  return marks.filter(({ id, carried }) => gone.has(id) || (carried !== null && gone.has(carried)));
}

function isConcerned(document: StoredDocument, erasure: Erasure): boolean {
  switch (erasure.what) {
    case "runs":
      return runsOf(document).some((run_id) => erasure.run_ids.includes(run_id));
    case "cases":
      return namesCase(document, new Set(erasure.case_ids));
    case "unused":
      return false;
  }
}

function runsOf({ kind, run_id, content }: StoredDocument): readonly string[] {
  return kind === "comparison" && content.baseline !== null ? [run_id, content.baseline] : [run_id];
}

function namesCase(document: StoredDocument, ids: ReadonlySet<string>): boolean {
  if (document.kind === "diagnosis") return document.content.cases.some(({ case_id }) => ids.has(case_id));
  // A sweep names no case.
  if (document.kind === "sweep") return false;
  if (document.kind === "calibration") return document.content.rows.some(({ row }) => ids.has(row));
  const { changes, decisions, policy } = document.content;
  const named = [
    ...changes.map(({ case_id }) => case_id),
    ...decisions.flatMap(({ regressed }) => regressed),
    ...(policy?.rules ?? []).flatMap((rule) => rule.test === "no-regression" ? rule.cases ?? [] : []),
  ];
  // The notes tell by which options the cases of a run were chosen.
  return named.some((id) => ids.has(id)) ||
    document.beside.run_notes.some((note) => [...ids].some((id) => note.includes(selectionOf(id))));
}

/** How the selection of a run names a case. */
export function selectionOf(case_id: string): string {
  return `--case ${case_id}`;
}

/** The part of a header that names the cases that were chosen. */
export type ChosenCases = Pick<RunHeader, "selection" | "request">;

/** How a run chose its cases, without the names of erased ones; undefined when it named none of them. */
export function withoutCases<Chosen extends ChosenCases>(
  chosen: Chosen,
  case_ids: readonly string[],
): Chosen | undefined {
  const erased = new Set(case_ids);
  const { selection, request } = chosen;
  const ids = request?.select.ids ?? [];
  const named = new Set(case_ids.map(selectionOf));
  if (!ids.some((id) => erased.has(id)) && !selection.some((part) => named.has(part))) return undefined;
  return {
    ...chosen,
    selection: selection.map((part) => named.has(part) ? selectionOf(FORGOTTEN) : part),
    ...(request === undefined ? {} : {
      request: {
        ...request,
        select: { ...request.select, ids: ids.map((id) => erased.has(id) ? FORGOTTEN : id) },
      },
    }),
  };
}

/** Stands for the id of an erased case. */
const FORGOTTEN = "[forgotten]";
