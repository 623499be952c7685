/** Which cases of a run a diagnosis is about. */
import { goldPassages, relevanceLabels } from "../domain/case.ts";
import type { DiagnosisSelection } from "../domain/diagnosis.ts";
import { compareText, OloproofError } from "../domain/error.ts";
import { sha256 } from "../domain/identity.ts";
import type { Store } from "../domain/ports.ts";
import type { RunHeader } from "../domain/run.ts";
import { eachCase } from "./each_case.ts";

/** The selected cases, and what is said of those that are not among them. */
export interface SelectedFailures extends DiagnosisSelection {
  /** The repeat that is diagnosed, the first that failed, by the id of the case. */
  readonly repeats: ReadonlyMap<string, number>;
}

function notPassFail(run_id: string): OloproofError {
  return new OloproofError(`Cannot diagnose ${run_id}: the criterion's values are numbers`, {
    code: "not_diagnosable",
    kind: "configuration",
    hint: "only a pass/fail criterion has failures; let the function return true or false",
  });
}

/**
 * Selects the observed failures of the criterion at an index that have gold context: cases of which any repeat was observed
 * failing. With a limit, the first by the hash of their ids: a choice that neither order nor subject of the cases can lean on.
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
  const eligible: {
    readonly id: string;
    readonly repeat: number;
    readonly labelled: boolean;
    readonly fromCorpus: boolean;
  }[] = [];
  for await (const [first, ...others] of eachCase(store.readCases(run_id))) {
    const executions = [first, ...others];
    if (executions.length === repeats) finished++;
    const judged = executions.map((stored) => ({ stored, judgment: stored.judgments[index] }));
    if (
      judged.some(({ judgment }) => judgment?.status === "observed" && typeof judgment.value === "number")
    ) {
      throw notPassFail(run_id);
    }
    const failing = judged.find(({ judgment }) =>
      judgment?.status === "observed" && judgment.value === false
    );
    if (failing === undefined) {
      if (judged.some(({ judgment }) => judgment?.status === "missing")) missing_judgments++;
      continue;
    }
    failed++;
    const { record: { case: { id, expected, gold_from_corpus } }, repeat } = failing.stored;
    if (goldPassages(expected).length === 0) without_gold_context++;
    else {
      const labelled = relevanceLabels(expected).some(({ grade }) => grade > 0);
      eligible.push({ id, repeat, labelled, fromCorpus: gold_from_corpus === true });
    }
  }
  const chosen = limit === undefined || limit >= eligible.length
    ? eligible
    : eligible.toSorted((a, b) => compareText(sha256(a.id), sha256(b.id))).slice(0, limit);
  const absent = Math.max(0, cases - finished);
  const forgotten = Math.min(forgotten_cases, absent);
  return {
    repeats: new Map(chosen.map(({ id, repeat }) => [id, repeat])),
    ...(repeats === 1 ? {} : { run_repeats: repeats }),
    failed,
    without_gold_context,
    missing_judgments,
    gold_from_corpus: chosen.filter(({ fromCorpus }) => fromCorpus).length,
    without_relevance_labels: chosen.filter(({ labelled }) => !labelled).length,
    unfinished: absent - forgotten,
    forgotten,
    limit: limit ?? null,
  };
}
