/** Ids of cases: unique over all files of a project. */
import { type Issue, placeOf } from "../domain/error.ts";
import type { LinePlace } from "./parse_case.ts";
import { quote } from "./quote.ts";

/** Remembers every id with its place, and nothing else of the cases. */
export class CaseIds {
  private readonly places = new Map<string, LinePlace>();

  /** How many different ids were added. */
  get count(): number {
    return this.places.size;
  }

  /** The ids that were added, in their order. */
  ids(): readonly string[] {
    return [...this.places.keys()];
  }

  /** Adds the id of the next case; an id that was added before is an issue that names both places. */
  add(id: string, place: LinePlace): Issue | undefined {
    const first = this.places.get(id);
    if (first === undefined) {
      this.places.set(id, place);
      return undefined;
    }
    const message = `The id ${quote(id)} is already that of the case at ${placeOf(first)}`;
    return {
      code: "duplicate_id",
      message,
      file: place.file,
      line: place.line,
      hint: "ids are unique over all case files",
    };
  }
}
