/** `compare`: a candidate run against a baseline, and the gate of a policy. */
import { ComparisonFold } from "../compare/comparison_fold.ts";
import { licensedRule } from "../compare/licensed_rule.ts";
import { requirementsOf } from "../compare/requirement.ts";
import type { Comparison, JudgeLicence, SettingChange } from "../domain/comparison.ts";
import { OloproofError } from "../domain/error.ts";
import { canonicalJson, identityOf } from "../domain/identity.ts";
import type { Policy, Rule } from "../domain/policy.ts";
import type { Store, StoredDocument } from "../domain/ports.ts";
import type { RunHeader } from "../domain/run.ts";
import { identifyingParameters } from "../stages/identities.ts";
import { licencesOf } from "./judge_licences.ts";
import { matchCases } from "./match_cases.ts";
import type { RunSource } from "./run_source.ts";
import { changesBetween, dottedSettings } from "./setting_changes.ts";
import type { Surroundings } from "./surroundings.ts";

/** The confidence of a comparison without a policy. */
const LEVEL = 0.95;

/**
 * Compares two runs case by case and keeps the result. Of the baseline the outcomes are held in memory; the candidate's are read
 * as they are matched.
 *
 * @param baseline Absent for a policy that is about the candidate alone.
 * @param keepIn Where the comparison is stored.
 * @throws {OloproofError} `criterion_differs` (one name, other parameters), `no_common_criteria`.
 */
export async function compare(
  candidate: RunSource,
  baseline: RunSource | undefined,
  policy: Policy | null,
  keepIn: Store,
  surroundings: Surroundings,
): Promise<Comparison> {
  const criteria = commonCriteria(candidate.header, baseline?.header);
  const level = policy?.level ?? LEVEL;
  const stores = [keepIn, candidate.store, ...(baseline === undefined ? [] : [baseline.store])];
  const judges = await licencesOf(policy, candidate.header, stores);
  const fold = new ComparisonFold({
    candidate: candidate.header.run_id,
    baseline: baseline?.header.run_id ?? null,
    criteria,
    slices: baseline?.header.slices ?? [],
    min_slice_support: baseline?.header.min_slice_support ?? 1,
    level,
    policy,
    judges,
  });
  await matchCases(candidate, baseline, criteria, policy, fold);
  const content = fold.content();
  const earlier = await earlierPolicies(keepIn, content.candidate, content.baseline, policy);
  const comparison: Comparison = {
    comparison_id: `sha256:${identityOf(content)}`,
    content,
    settings_changed: baseline === undefined ? [] : changedSettings(candidate.header, baseline.header),
    criteria_in_one: baseline === undefined ? [] : criteriaInOne(candidate.header, baseline.header),
    requirements: requirementsOf(licensedRules(policy, judges), content.decisions, fold.rules, level),
    run_notes: [
      ...runNotes("candidate", candidate.header),
      ...(baseline === undefined ? [] : runNotes("baseline", baseline.header)),
    ],
    earlier_policies: earlier,
    min_slice_support: baseline?.header.min_slice_support ?? 1,
    created_at: new Date(surroundings.clock.now()).toISOString(),
  };
  await keepIn.addDocument(documentOf(comparison));
  return comparison;
}

/** The rules as they were applied. */
function licensedRules(policy: Policy | null, judges: readonly JudgeLicence[]): readonly Rule[] {
  return (policy?.rules ?? []).map((rule) =>
    licensedRule(rule, judges.find(({ criterion }) => criterion === rule.criterion))
  );
}

/** The criteria of both runs, in the baseline's order. One name for two measures is refused: their difference means nothing. */
function commonCriteria(candidate: RunHeader, baseline: RunHeader | undefined): readonly string[] {
  if (baseline === undefined) return candidate.evaluators.map(({ criterion }) => criterion);
  const common = baseline.evaluators.flatMap((before) => {
    const now = candidate.evaluators.find(({ criterion }) => criterion === before.criterion);
    if (now === undefined) return [];
    const identify = (header: RunHeader, { type, parameters }: typeof now) => {
      const object = parameters.object;
      const digest = typeof object === "string" ? header.function_digests[object] : undefined;
      const version = header.evaluator_versions[before.criterion];
      return canonicalJson({ type, version, parameters: identifyingParameters(parameters), digest });
    };
    if (identify(candidate, now) !== identify(baseline, before)) {
      throw criterionDiffers(candidate, baseline, before.criterion);
    }
    return [before.criterion];
  });
  if (common.length > 0) return common;
  throw new OloproofError(
    `Cannot compare ${candidate.run_id} with ${baseline.run_id}: no criterion is in both`,
    {
      code: "no_common_criteria",
      kind: "configuration",
      hint: "run both with the same evaluators: judging again calls no stage",
    },
  );
}

function criterionDiffers(candidate: RunHeader, baseline: RunHeader, criterion: string): OloproofError {
  return new OloproofError(
    `Cannot compare ${candidate.run_id} with ${baseline.run_id}: ${
      JSON.stringify(criterion)
    } is another measure in each`,
    {
      code: "criterion_differs",
      kind: "configuration",
      hint:
        "its evaluator has other parameters, other code or another version: run the baseline again with the evaluators of now, " +
        "which calls no stage, or name the new measure otherwise",
    },
  );
}

function runNotes(
  role: string,
  { status, selection, repeats, cases, forgotten_cases = 0 }: RunHeader,
): readonly string[] {
  const lost = forgotten_cases === 1 ? "was" : "were";
  return [
    ...(repeats === 1 ? [] : [`The ${role} executed each case ${repeats} times: its values are means`]),
    ...(status === "complete" ? [] : [`The ${role} is ${status}: not all of its cases were executed`]),
    ...(forgotten_cases === 0 ? [] : [
      `Of the ${role}, ${forgotten_cases} of ${cases} cases ${lost} forgotten; for every rule they count at their worst`,
    ]),
    ...(selection.length === 0
      ? []
      : [`The ${role} ran a part of its project's cases: ${selection.join(" ")}`]),
  ];
}

function criteriaInOne(candidate: RunHeader, baseline: RunHeader): readonly string[] {
  const names = ({ evaluators }: RunHeader) => new Set(evaluators.map(({ criterion }) => criterion));
  return [...names(candidate).symmetricDifference(names(baseline))].sort();
}

/** Settings in which the runs differ, dotted; the code counts as one. */
function changedSettings(candidate: RunHeader, baseline: RunHeader): readonly SettingChange[] {
  const flat = ({ system, source_digest }: RunHeader) =>
    new Map([...dottedSettings(system), ["source_code", source_digest ?? "not recorded"]]);
  return changesBetween(flat(baseline), flat(candidate));
}

/** How many other policies these two runs were compared under before: each look after the first loosens the promise. */
async function earlierPolicies(
  store: Store,
  candidate: string,
  baseline: string | null,
  policy: Policy | null,
): Promise<number> {
  if (policy === null) return 0;
  const earlier = (await store.documentsOf(candidate)).flatMap((document) =>
    document.kind === "comparison" && document.content.baseline === baseline &&
      document.content.policy !== null
      ? [canonicalJson(document.content.policy)]
      : []
  );
  return new Set(earlier.filter((text) => text !== canonicalJson(policy))).size;
}

function documentOf({ comparison_id, content, ...beside }: Comparison): StoredDocument {
  const { baseline, policy } = content;
  return {
    id: comparison_id,
    kind: "comparison",
    run_id: content.candidate,
    question: canonicalJson({ kind: "comparison", baseline, policy }),
    content,
    beside,
  };
}
