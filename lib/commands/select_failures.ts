/** Which cases of a run a diagnosis is about. */
import { goldPassages, relevanceLabels } from "../domain/case.ts";
import type { DiagnosisSelection } from "../domain/diagnosis.ts";
import { compareText, OloproofError } from "../domain/error.ts";
import { sha256 } from "../domain/identity.ts";
import type { Store } from "../domain/ports.ts";
import type { RunHeader } from "../domain/run.ts";

/** The ids of the selected cases, and what is said of those that are not among them. */
export interface SelectedFailures extends DiagnosisSelection {
  readonly ids: ReadonlySet<string>;
}

function notPassFail(run_id: string): OloproofError {
  return new OloproofError(`Cannot diagnose ${run_id}: the criterion's values are numbers`, {
    code: "not_diagnosable",
    kind: "configuration",
    hint: "only a pass/fail criterion has failures; let the function return true or false",
  });
}

/**
 * Selects the observed failures of the criterion at an index that have gold context. With a limit, the first by the hash of
 * their ids: a choice that neither order nor subject of the cases can lean on.
 */
export async function selectFailures(
  store: Store,
  { run_id, cases, repeats, forgotten_cases = 0 }: RunHeader,
  index: number,
  limit: number | undefined,
): Promise<SelectedFailures> {
  let finished = 0;
  let failed = 0;
  let missing_judgments = 0;
  let without_gold_context = 0;
  const eligible: { readonly id: string; readonly labelled: boolean }[] = [];
  for await (const { record, judgments } of store.readCases(run_id)) {
    finished++;
    const judgment = judgments[index];
    if (judgment?.status === "missing") missing_judgments++;
    if (judgment?.status === "observed" && typeof judgment.value === "number") throw notPassFail(run_id);
    if (judgment?.status !== "observed" || judgment.value !== false) continue;
    failed++;
    const { id, expected } = record.case;
    if (goldPassages(expected).length === 0) without_gold_context++;
    else eligible.push({ id, labelled: relevanceLabels(expected).some(({ grade }) => grade > 0) });
  }
  const chosen = limit === undefined || limit >= eligible.length
    ? eligible
    : eligible.toSorted((a, b) => compareText(sha256(a.id), sha256(b.id))).slice(0, limit);
  const absent = Math.max(0, cases * repeats - finished);
  const forgotten = Math.min(forgotten_cases, Math.ceil(absent / repeats));
  return {
    ids: new Set(chosen.map(({ id }) => id)),
    failed,
    without_gold_context,
    missing_judgments,
    without_relevance_labels: chosen.filter(({ labelled }) => !labelled).length,
    unfinished: Math.max(0, absent - forgotten * repeats),
    forgotten,
    limit: limit ?? null,
  };
}
