/** A diagnosis as text: counts and hypotheses, never a cause. */
import type {
  Attempts,
  DiagnosedCase,
  Diagnosis,
  DiagnosisReport,
  Intervention,
  LabelReason,
  RelevantUnit,
  UnitFate,
} from "../domain/diagnosis.ts";
import { rateText } from "./calibration_text.ts";
import { oneLine } from "./printable.ts";
import { counted } from "./run_text.ts";

/** What is said of the cases of one reason. */
const phrases: Readonly<Record<LabelReason, string>> = {
  control_recovered: "passed when re-executed without the intervention",
  gold_run_failed: "could not be re-executed or judged",
  control_failed: "could not be re-executed or judged",
  no_relevance_labels: "has no relevance labels",
  candidate_without_chunk_id: "has candidates without a chunk_id",
  context_not_reported: "recovered; what the answer was made from is not reported",
  relevant_not_retrieved: "recovered; no relevant evidence was retrieved",
  some_relevant_not_retrieved: "recovered; some relevant evidence was not retrieved",
  relevant_below_top_k: "recovered; relevant evidence was retrieved below top-k",
  some_relevant_below_top_k: "recovered; some relevant evidence was retrieved below top-k",
  relevant_dropped_from_context: "recovered; relevant evidence within top-k was left out of the context",
  some_relevant_dropped: "recovered; some relevant evidence within top-k was left out of the context",
  relevant_left_out_of_context: "recovered; relevant evidence was retrieved and left out of the context",
  some_relevant_left_out: "recovered; some relevant evidence was retrieved and left out of the context",
  relevant_not_in_context: "recovered; no relevant evidence was in the context",
  some_relevant_not_in_context: "recovered; some relevant evidence was not in the context",
  relevant_in_context: "recovered; relevant evidence was already in the context",
  other_passage_of_relevant_document:
    "recovered; the context held another passage of a relevant document than the gold one",
  fails_with_gold_context: "still failed with the gold context",
};

/** From this share of controls that passed, chance is a rival of every effect. */
const UNSTABLE_SHARE = 0.1;

/** How an intervention is named: `gold context`, `top-k 4`, `reranker module:function`. */
export function interventionName(intervention: Intervention): string {
  switch (intervention.kind) {
    case "gold-context":
      return "gold context";
    case "top-k":
      return `top-k ${intervention.top_k}`;
    case "reranker":
      return `reranker ${intervention.reranker}`;
  }
}

/** A diagnosis as `diagnose` prints it. */
export function diagnosisText({ diagnosis, tally, gold_recovered }: DiagnosisReport): string {
  const { content, diagnosis_id, child_runs } = diagnosis;
  const name = oneLine(interventionName(content.intervention));
  const lines = [
    ...selectionLines(diagnosis),
    `Control: ${tally.control_passed} of ${tally.selected} passed when re-executed without the intervention`,
    `Recovered under ${name}: ${tally.recovered} of ${tally.selected}`,
    ...(content.carried === null ? [] : carriedLines(diagnosis, name, gold_recovered)),
    ...labelLines(content.cases),
    ...depthLines(diagnosis),
    ...passLines({ diagnosis, tally, gold_recovered }),
    ...implicationLines({ diagnosis, tally, gold_recovered }),
    ...judgeLines(diagnosis),
    `Diagnosis ${diagnosis_id}`,
    ...(child_runs.length === 0
      ? []
      : [`Child runs: ${child_runs.map(({ role, run_id }) => `${oneLine(role)} ${run_id}`).join(", ")}`]),
    `Cases: oloproof inspect ${diagnosis_id}`,
  ];
  return `${lines.join("\n")}\n`;
}

function selectionLines({ content, selection }: Diagnosis): readonly string[] {
  const selected = content.cases.length;
  const { failed, without_gold_context, missing_judgments, unfinished, forgotten, limit } = selection;
  const { gold_from_corpus, without_relevance_labels, run_repeats } = selection;
  const eligible = failed - without_gold_context;
  return [
    `Selected: ${counted(selected, "failed case")} with gold context (observed; no population claim)`,
    ...(run_repeats === undefined ? [] : [
      `Of ${run_repeats} repeats of each case in the run: a case failed when any did; the first that failed is diagnosed`,
    ]),
    ...(limit !== null && selected < eligible
      ? [`Limited: ${selected} of ${eligible}, the first by hash of id (--limit ${limit})`]
      : []),
    ...(without_gold_context > 0
      ? [`Not diagnosed: ${counted(without_gold_context, "failed case")} without gold context`]
      : []),
    ...(missing_judgments > 0
      ? [`Not diagnosed: ${counted(missing_judgments, "case")} with a missing judgment`]
      : []),
    ...(unfinished > 0 ? [`Not executed: ${counted(unfinished, "case")}; the run is not finished`] : []),
    ...(gold_from_corpus > 0 ? [`Gold context from the corpus: ${gold_from_corpus} of ${selected}`] : []),
    ...(forgotten > 0
      ? [
        `Not diagnosed: ${counted(forgotten, "case")} of the run that ${
          forgotten === 1 ? "was" : "were"
        } forgotten`,
      ]
      : []),
    ...(without_relevance_labels > 0
      ? [`Without relevance labels: ${without_relevance_labels} of ${selected}`]
      : []),
  ];
}

function carriedLines({ content }: Diagnosis, name: string, goldRecovered: number): readonly string[] {
  const { cases, carried } = content;
  const rankedOut = cases.filter(({ label }) => label === "RANKED_OUT");
  const confirmed = rankedOut.filter(({ recovered }) => recovered);
  return [
    `Confirmed under ${name}: ${confirmed.length} of ${rankedOut.length} RANKED_OUT cases also recovered`,
    `Labels from gold context (diagnosis ${carried}): ${goldRecovered} of ${cases.length} recovered`,
  ];
}

/** A line per label and what is said of it, in the order of the table. */
function labelLines(cases: readonly DiagnosedCase[]): readonly string[] {
  const order = Object.keys(phrases);
  const sorted = [...cases].sort((a, b) => order.indexOf(a.reason) - order.indexOf(b.reason));
  const groups = Map.groupBy(sorted, ({ label, reason }) => `${label}: ${phrases[reason]}`);
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const unfounded = group.filter(({ expected_in_gold }) => expected_in_gold === false);
    return [
      `${first.label}: ${group.length} of ${cases.length}, ${phrases[first.reason]}`,
      ...(unfounded.length === 0 ? [] : [
        `${unfounded.length} of them: the expected text does not occur in the gold context; ` +
        "check labels and evaluator before the generator",
      ]),
    ];
  });
}

/** Which labels the system's settings leave no room for. */
function depthLines({ content, settings }: Diagnosis): readonly string[] {
  const { depth, top_k, reports } = settings;
  if (content.cases.length === 0) return [];
  if (reports !== undefined && !reports.includes("candidates")) {
    return [
      "RETRIEVAL_MISS, RANKED_OUT and CONTEXT_ASSEMBLY_LOSS cannot be told apart: the system reports no candidates",
    ];
  }
  if (top_k === null) return ["RANKED_OUT cannot be observed: the system states no top_k"];
  return depth === top_k ? ["RANKED_OUT cannot be observed: depth equals top_k"] : [];
}

function passLines({ diagnosis, tally }: DiagnosisReport): readonly string[] {
  const { control_passed, selected, passes } = tally;
  if (control_passed === 0) return [];
  const word = diagnosis.content.carried === null ? "gold" : interventionName(diagnosis.content.intervention);
  const { only_with, only_without, both, neither } = passes;
  const advise = control_passed >= UNSTABLE_SHARE * selected && diagnosis.content.repeats < 3;
  return [
    `Only with ${word}: ${only_with} · only without: ${only_without} · both: ${both} · neither: ${neither}`,
    ...(advise
      ? [
        "The system answers otherwise when it is merely asked again: use --repeats 3 to tell chance from effect",
      ]
      : []),
  ];
}

function implicationLines({ tally }: DiagnosisReport): readonly string[] {
  return [
    ...tally.implicated.map(({ factor, cases }) =>
      `Implicated: ${factor}, in ${cases} of the ${counted(tally.recovered, "recovered failure")}.`
    ),
    ...tally.candidate_experiments.map((experiment) =>
      `Candidate experiment: ${experiment}. This is a hypothesis to test, not an established cause.`
    ),
  ];
}

/** By whom the criterion was judged: labels are no better than the verdicts that they stand on. */
function judgeLines({ judged_by }: Diagnosis): readonly string[] {
  if (judged_by === undefined) return [];
  const { judge, calibration_id, sensitivity, specificity } = judged_by;
  const by = `Judged by ${oneLine(judge)}`;
  if (calibration_id === null) {
    return [`${by}, which was never measured against people: failures and recoveries may be its errors`];
  }
  return [
    `${by}, calibration ${calibration_id}: sensitivity ${rateText(sensitivity, "passes")}, specificity ${
      rateText(specificity, "fails")
    }`,
  ];
}

/** A diagnosis as `inspect` prints it: the case behind every count. */
export function diagnosedCasesText({ diagnosis }: DiagnosisReport): string {
  const { content, diagnosis_id } = diagnosis;
  const head = `Diagnosis ${diagnosis_id} of ${content.run_id} · ${content.criterion} · ` +
    oneLine(interventionName(content.intervention));
  return `${[head, ...content.cases.flatMap((one) => caseLines(one, diagnosis))].join("\n")}\n`;
}

function caseLines(one: DiagnosedCase, { content, settings }: Diagnosis): readonly string[] {
  const position = positionText(one, settings);
  const parts = [
    one.label,
    one.reason,
    `strength ${one.strength}${repeatsText(one, content)}`,
    `best relevant position ${position}`,
    ...(content.carried === null ? [] : [
      `recovered under ${oneLine(interventionName(content.intervention))}: ${one.recovered ? "yes" : "no"}`,
    ]),
  ];
  return [
    `${oneLine(one.case_id, 100)}: ${parts.join(", ")}`,
    ...(one.units.length > 1 ? one.units.map(unitLine) : []),
  ];
}

/** How the repeats of one re-execution ended, in a word where there was one. */
export function attemptsText({ passed, failed, unjudged }: Attempts, repeats: number): string {
  if (repeats === 1) return passed > 0 ? "passed" : failed > 0 ? "failed" : "not judged";
  return `${passed}/${repeats} passed${unjudged > 0 ? `, ${unjudged} not judged` : ""}`;
}

/** The best position of a relevant unit, or why there is none. */
export function positionText(one: DiagnosedCase, settings: Diagnosis["settings"]): string {
  return String(one.best_relevant_position ?? noPosition(one, settings));
}

/** Why there is no best position. */
function noPosition({ units }: DiagnosedCase, { reports, ranked }: Diagnosis["settings"]): string {
  if (reports !== undefined && !reports.includes("candidates")) return "not_reported";
  if (ranked === false) return "no_single_ranking";
  return units.length === 0 ? "unlabelled" : "none";
}

function repeatsText(
  { intervention, control }: DiagnosedCase,
  { repeats, carried, intervention: changed }: Diagnosis["content"],
): string {
  if (repeats === 1) return "";
  const name = carried === null ? "gold" : oneLine(interventionName(changed));
  const share = ({ passed }: Attempts) => `${passed}/${repeats}`;
  return ` (${name} ${share(intervention)}, control ${share(control)})`;
}

const fates: Readonly<Record<UnitFate, string>> = {
  not_retrieved: "not retrieved",
  below_top_k: "below top-k",
  dropped: "left out of the context",
  left_out: "left out of the context",
  not_in_context: "not in the context",
  in_context: "in the context",
};

function unitLine({ doc_id, chunk_id, position, fate }: RelevantUnit): string {
  const name = oneLine(chunk_id === undefined ? doc_id : `${doc_id} ${chunk_id}`, 120);
  const place = position === null ? "" : `position ${position}, `;
  return `  ${name}: ${place}${fates[fate]}`;
}
