/** Remarks: what was left out or taken for something else, counted, with its first places. */
import { placeOf } from "../domain/error.ts";
import type { Notice } from "../domain/run_report.ts";
import type { SourcePlace } from "./imported.ts";

/** What is said once, however often it is met. */
export interface Remark {
  readonly code: string;
  /** Without a final period; the count and the places follow. */
  readonly message: string;
  readonly hint?: string;
}

/** Places that are named; more of them would hide the rest. */
const MAX_PLACES = 5;

/** Collects remarks, so that nothing is dropped in silence and nothing is said a thousand times. */
export class Remarks {
  readonly #found = new Map<string, { readonly remark: Remark; places: string[]; count: number }>();

  /** Counts a remark at a place; `detail` is named in its stead, as two lines that are equal. */
  add(remark: Remark, place: SourcePlace | string): void {
    const key = JSON.stringify([remark.code, remark.message]);
    const found = this.#found.get(key) ?? { remark, places: [], count: 0 };
    this.#found.set(key, found);
    found.count++;
    if (found.places.length < MAX_PLACES) {
      found.places.push(typeof place === "string" ? place : placeOf(place));
    }
  }

  /** One notice a remark, in the order in which they were first met. */
  notices(): readonly Notice[] {
    return [...this.#found.values()].map(({ remark: { code, message, hint }, places, count }) => ({
      severity: "notice",
      code,
      message: `${message}: ${count} (${places.join(", ")}${count > places.length ? ", …" : ""})`,
      ...(hint === undefined ? {} : { hint }),
    }));
  }
}
