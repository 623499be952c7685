/** Grades of qrels. */
import { quote } from "../config/quote.ts";
import type { Remark } from "./remarks.ts";

/** What some collections write for documents that were looked at in another way, or are spam. */
export const NEGATIVE_GRADE: Remark = {
  code: "negative_grade",
  message:
    "Labels below 0 are written as 0, judged and not relevant, which is what they count as in every measure here",
};

/** A grade as it is written: a whole number, `negative` when it was below 0; or what is wrong with it. */
export function gradeOf(
  written: string,
): { readonly ok: true; readonly grade: number; readonly negative: boolean } | {
  readonly ok: false;
  readonly problem: string;
} {
  if (!/^[+-]?\d{1,9}$/.test(written)) {
    return { ok: false, problem: `The grade must be a whole number, not ${quote(written)}` };
  }
  const grade = Number(written);
  return { ok: true, grade: Math.max(0, grade), negative: grade < 0 };
}

/** A label as it stands in a case; a type, since interfaces are no JSON. */
export type DocumentLabel = { readonly doc_id: string; readonly grade: number };
