/** `compare`: a candidate run against a baseline, and the gate of a policy. */
import { ComparisonFold, type Outcomes, type SliceValues } from "../compare/comparison_fold.ts";
import { outcomeOf } from "../compare/outcome.ts";
import { requirementsOf } from "../compare/requirement.ts";
import type { Comparison, SettingChange } from "../domain/comparison.ts";
import { OloproofError } from "../domain/error.ts";
import { canonicalJson, identityOf } from "../domain/identity.ts";
import { isJsonObject, type Json, type JsonObject } from "../domain/json.ts";
import type { Judgment } from "../domain/judgment.ts";
import type { Policy } from "../domain/policy.ts";
import type { CaseContent, Store, StoredDocument } from "../domain/ports.ts";
import type { CaseRecord } from "../domain/record.ts";
import type { RunHeader } from "../domain/run.ts";
import { averageJudgments } from "../metrics/average_judgments.ts";
import { sliceValue } from "../metrics/slice.ts";
import type { Surroundings } from "./surroundings.ts";

/** A run and the store that it is in; the two runs of a comparison may be in different ones. */
export interface RunSource {
  readonly header: RunHeader;
  readonly store: Store;
}

/** The confidence of a comparison without a policy. */
const LEVEL = 0.95;

/** Cases that are matched at once. */
const CHUNK = 500;

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
  const fold = new ComparisonFold({
    candidate: candidate.header.run_id,
    baseline: baseline?.header.run_id ?? null,
    criteria,
    slices: baseline?.header.slices ?? [],
    min_slice_support: baseline?.header.min_slice_support ?? 1,
    level,
    policy,
  });
  await matchCases(candidate, baseline, criteria, policy, fold);
  const content = fold.content();
  const earlier = await earlierPolicies(keepIn, content.candidate, content.baseline, policy);
  const comparison: Comparison = {
    comparison_id: `sha256:${identityOf(content)}`,
    content,
    settings_changed: baseline === undefined ? [] : changedSettings(candidate.header, baseline.header),
    criteria_in_one: baseline === undefined ? [] : criteriaInOne(candidate.header, baseline.header),
    requirements: requirementsOf(policy?.rules ?? [], content.decisions, fold.rules, level),
    earlier_policies: earlier,
    min_slice_support: baseline?.header.min_slice_support ?? 1,
    created_at: new Date(surroundings.clock.now()).toISOString(),
  };
  await keepIn.addDocument(documentOf(comparison));
  return comparison;
}

interface BaselineCase {
  readonly case_digest: string;
  readonly outcomes: Outcomes;
  readonly slices: SliceValues;
}

async function matchCases(
  candidate: RunSource,
  baseline: RunSource | undefined,
  criteria: readonly string[],
  policy: Policy | null,
  fold: ComparisonFold,
): Promise<void> {
  const before = baseline === undefined
    ? new Map<string, BaselineCase>()
    : await readBaseline(baseline, criteria, policy);
  for await (const chunk of chunksOf(readCases(candidate, criteria), CHUNK)) {
    const same = await comparableCases(chunk, before, candidate.store, baseline?.store);
    for (const { case_id, outcomes } of chunk) {
      const matched = before.get(case_id);
      before.delete(case_id);
      if (matched === undefined) fold.addOnlyInCandidate(outcomes);
      else if (same.has(case_id)) fold.addPair(case_id, outcomes, matched.outcomes, matched.slices);
      else fold.addChanged(case_id, outcomes, matched.outcomes, matched.slices);
    }
  }
  for (const [case_id, { outcomes, slices }] of before) fold.addOnlyInBaseline(case_id, outcomes, slices);
}

async function readBaseline(
  source: RunSource,
  criteria: readonly string[],
  policy: Policy | null,
): Promise<Map<string, BaselineCase>> {
  const slices = new Set(source.header.slices);
  for (const rule of policy?.rules ?? []) {
    if (rule.test === "no-regression" && rule.slice !== undefined) slices.add(rule.slice.slice);
  }
  const read = await sliceReader(source, [...slices]);
  const cases = new Map<string, BaselineCase>();
  for await (const chunk of chunksOf(readCases(source, criteria), CHUNK)) {
    const values = await read(chunk);
    for (const { case_id, case_digest, outcomes } of chunk) {
      cases.set(case_id, { case_digest, outcomes, slices: values.get(case_id) ?? NO_SLICES });
    }
  }
  return cases;
}

const NO_SLICES: SliceValues = new Map();

interface ReadCase {
  readonly case_id: string;
  readonly case_digest: string;
  readonly outcomes: Outcomes;
}

/** The outcomes of each case, its repeats averaged; repeats of a case stand together in a store. */
async function* readCases(
  { header, store }: RunSource,
  criteria: readonly string[],
): AsyncGenerator<ReadCase> {
  const indices = criteria.map((criterion) =>
    header.evaluators.findIndex((one) => one.criterion === criterion)
  );
  let pending: { case_id: string; case_digest: string; repeats: Judgment[][] } | undefined;
  const close = ({ case_id, case_digest, repeats }: NonNullable<typeof pending>): ReadCase => ({
    case_id,
    case_digest,
    outcomes: indices.map((index) => {
      const [first, ...others] = repeats.flatMap((judgments) => judgments[index] ?? []);
      return outcomeOf(first === undefined ? undefined : averageJudgments([first, ...others]));
    }),
  });
  for await (const { case_id, case_digest, judgments } of store.readOutcomes(header.run_id)) {
    if (pending !== undefined && pending.case_id === case_id) {
      pending.repeats.push([...judgments]);
      continue;
    }
    if (pending !== undefined) yield close(pending);
    pending = { case_id, case_digest, repeats: [[...judgments]] };
  }
  if (pending !== undefined) yield close(pending);
}

type SliceReader = (chunk: readonly ReadCase[]) => Promise<ReadonlyMap<string, SliceValues>>;

/** Reads slice values: those that a case's content tells chunk by chunk, others from all records beforehand. */
async function sliceReader({ header, store }: RunSource, slices: readonly string[]): Promise<SliceReader> {
  const valuesOf = (record: CaseRecord): SliceValues =>
    new Map(slices.map((slice) => [slice, sliceValue(slice, record, header.relevance_unit)]));
  if (slices.length === 0) return () => Promise.resolve(new Map());
  if (slices.every((slice) => /^(metadata|input)\./.test(slice))) {
    return async (chunk) => {
      const contents = await store.readContents(chunk.map(({ case_digest }) => case_digest));
      return new Map(chunk.flatMap(({ case_id, case_digest }) => {
        const content = contents.get(case_digest);
        return content === undefined
          ? []
          : [[case_id, valuesOf({ case: { id: case_id, ...content } })] as const];
      }));
    };
  }
  const values = new Map<string, SliceValues>();
  for await (const { record } of store.readCases(header.run_id)) values.set(record.case.id, valuesOf(record));
  return () => Promise.resolve(values);
}

/** The ids of a chunk whose input and expectation are the same in the baseline; gold context and metadata may differ. */
async function comparableCases(
  chunk: readonly ReadCase[],
  before: ReadonlyMap<string, BaselineCase>,
  candidate: Store,
  baseline: Store | undefined,
): Promise<ReadonlySet<string>> {
  const pairs = chunk.flatMap(({ case_id, case_digest }) => {
    const matched = before.get(case_id);
    return matched === undefined ? [] : [{ case_id, now: case_digest, before: matched.case_digest }];
  });
  const differing = pairs.filter((pair) => pair.now !== pair.before);
  const same = new Set(pairs.filter((pair) => pair.now === pair.before).map(({ case_id }) => case_id));
  if (differing.length === 0 || baseline === undefined) return same;
  const now = await candidate.readContents(differing.map((pair) => pair.now));
  const then = await baseline.readContents(differing.map((pair) => pair.before));
  for (const pair of differing) {
    if (comparable(now.get(pair.now)) === comparable(then.get(pair.before))) same.add(pair.case_id);
  }
  return same;
}

function comparable(content: CaseContent | undefined): string {
  const { input, expected } = content ?? {};
  return canonicalJson({
    input,
    expected: isJsonObject(expected) ? { ...expected, gold_context: undefined } : expected,
  });
}

async function* chunksOf<T>(items: AsyncIterable<T>, size: number): AsyncGenerator<readonly T[]> {
  let chunk: T[] = [];
  for await (const item of items) {
    chunk.push(item);
    if (chunk.length < size) continue;
    yield chunk;
    chunk = [];
  }
  if (chunk.length > 0) yield chunk;
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
      return canonicalJson({ type, parameters, digest });
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
        "its evaluator has other parameters or other code: run the baseline again with the evaluators of now, " +
        "which calls no stage, or name the new measure otherwise",
    },
  );
}

function criteriaInOne(candidate: RunHeader, baseline: RunHeader): readonly string[] {
  const names = ({ evaluators }: RunHeader) => new Set(evaluators.map(({ criterion }) => criterion));
  return [...names(candidate).symmetricDifference(names(baseline))].sort();
}

/** Settings in which the runs differ, dotted; the code counts as one. */
function changedSettings(candidate: RunHeader, baseline: RunHeader): readonly SettingChange[] {
  const flat = ({ system, source_digest }: RunHeader) =>
    new Map([...flatten({ ...system } as unknown as JsonObject), [
      "source_code",
      source_digest ?? "not recorded",
    ]]);
  const [now, before] = [flat(candidate), flat(baseline)];
  return [...new Set([...before.keys(), ...now.keys()])].sort().flatMap((setting) => {
    const [from = "absent", to = "absent"] = [before.get(setting), now.get(setting)];
    return from === to ? [] : [{ setting, baseline: from, candidate: to }];
  });
}

function flatten(value: Json | undefined, path = ""): readonly (readonly [string, string])[] {
  if (!isJsonObject(value)) return value === undefined ? [] : [[path, JSON.stringify(value)]];
  return Object.entries(value).flatMap(([key, item]) => flatten(item, path === "" ? key : `${path}.${key}`));
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
