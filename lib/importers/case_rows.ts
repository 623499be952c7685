/** Rows that become cases: their ids, and rows that are there twice. */
import type { Case } from "../domain/case.ts";
import { type Issue, placeOf } from "../domain/error.ts";
import { identityOf } from "../domain/identity.ts";
import { quote } from "../config/quote.ts";
import { caseIdOf } from "./content_id.ts";
import type { SourcePlace } from "./imported.ts";
import type { Remarks } from "./remarks.ts";

/** A row as a case. */
export interface CaseRow {
  readonly content: Omit<Case, "id">;
  /** The id that the source gives; absent = one is made from `named_by`. */
  readonly id?: string | undefined;
  /** What names the case: equal questions in two sources have one id, whatever was answered and scored. */
  readonly named_by: Omit<Case, "id">;
  /** What else the row holds, such as its answer: two rows are equal only if this is, too. */
  readonly beside?: unknown;
  readonly place: SourcePlace;
}

/** A case with its id, a row that is there already, or two rows that cannot both be a case of one id. */
export type AddedRow =
  | { readonly status: "added"; readonly id: string }
  | { readonly status: "equal" }
  | { readonly status: "issue"; readonly issue: Issue };

/** Gives rows their ids. A row that equals an earlier one is left out: twice the same case is no further evidence. */
export class CaseRows {
  readonly #seen = new Map<string, { readonly place: SourcePlace; readonly whole: string }>();

  constructor(private readonly remarks: Remarks) {}

  add({ content, id: given, named_by, beside = null, place }: CaseRow): AddedRow {
    const id = given ?? caseIdOf(named_by);
    const whole = identityOf({ content, beside });
    const first = this.#seen.get(id);
    if (first === undefined) {
      this.#seen.set(id, { place, whole });
      return { status: "added", id };
    }
    if (given === undefined && first.whole === whole) {
      this.remarks.add(EQUAL_ROWS, `${placeOf(place)} equals ${placeOf(first.place)}`);
      return { status: "equal" };
    }
    const message = given === undefined
      ? `The row asks and expects what the one at ${placeOf(first.place)} does, and differs from it otherwise`
      : `The id ${quote(given)} is already that of the row at ${placeOf(first.place)}`;
    const hint = given === undefined
      ? "give the rows ids of their own, or keep one of them"
      : "ids are unique";
    return { status: "issue", issue: { code: "duplicate_id", message, ...place, hint } };
  }
}

const EQUAL_ROWS = {
  code: "equal_rows",
  message: "Left out: rows that make the same case as an earlier one",
};
