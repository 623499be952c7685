/** Keys of expectations that are probably meant for others: what is not found under its name only makes evaluators pass cases over. */
import { nearest } from "../config/nearest.ts";
import type { Case } from "../domain/case.ts";
import { isJsonObject } from "../domain/json.ts";
import type { Project } from "../domain/project.ts";
import type { Notice } from "../domain/run_report.ts";

/** The keys that have a meaning of their own. */
const OWN_KEYS = ["relevant", "gold_context"];

/** Collects, case by case, what is told in the end. An expectation may have any keys, so none is a mistake. */
export class MisspeltKeys {
  readonly #read: ReadonlySet<string>;
  readonly #found = new Map<string, { readonly meant: string; readonly first: string; cases: number }>();

  constructor({ evaluators }: Project) {
    const fields = evaluators.map(({ parameters }) => parameters.expected_field);
    const texts = fields.filter((field) => typeof field === "string");
    this.#read = new Set([...OWN_KEYS, ...texts.map((field) => field.split(".")[0] ?? field)]);
  }

  /** A key that no evaluator names, beside a key of ours that the case lacks. */
  add({ id, expected }: Case): void {
    if (!isJsonObject(expected)) return;
    for (const key of Object.keys(expected)) {
      if (this.#read.has(key)) continue;
      const meant = nearest(key, OWN_KEYS.filter((own) => !(own in expected)));
      if (meant === undefined) continue;
      const known = this.#found.get(key);
      if (known === undefined) this.#found.set(key, { meant, first: id, cases: 1 });
      else known.cases++;
    }
  }

  notices(): readonly Notice[] {
    return [...this.#found].map(([key, { meant, first, cases }]) => ({
      severity: "notice",
      code: "misspelt_key",
      message: `No evaluator names expected.${key}, which ${
        cases === 1
          ? `the case ${JSON.stringify(first)} has`
          : `${cases} cases have, the first ${JSON.stringify(first)}`
      }`,
      hint: `did you mean "${meant}"?`,
    }));
  }
}
