/** From which top_k or budget a dropped passage would enter the context. */
import type { CaseRecord } from "../domain/record.ts";
import type { EntryCondition } from "../domain/run_report.ts";
import type { SystemSettings } from "../domain/settings.ts";
import { budgetToEnter } from "./assemble.ts";

/**
 * What would let each dropped candidate in, all else unchanged. A passage beyond top_k enters from the top_k that is its
 * position, if the budget then has room for it: its size is not known. One that the system itself left out has no condition.
 */
export function entryConditions(
  { dropped = [], tokens = [] }: CaseRecord,
  { token_budget }: Pick<SystemSettings, "token_budget">,
): readonly EntryCondition[] {
  return dropped.flatMap(({ position, reason }): EntryCondition[] => {
    if (reason === "beyond_top_k") return [{ position, setting: "top_k", from: position }];
    if (reason === "over_token_budget" && token_budget !== null) {
      const from = budgetToEnter(position, tokens, token_budget);
      return from === undefined ? [] : [{ position, setting: "token_budget", from }];
    }
    return [];
  });
}
