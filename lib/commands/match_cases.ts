/** Which cases of two runs are one case, and what each run has of it. */
import type { ComparisonFold, Outcomes, SliceValues } from "../compare/comparison_fold.ts";
import { outcomeOf } from "../compare/outcome.ts";
import { canonicalJson } from "../domain/identity.ts";
import { isJsonObject } from "../domain/json.ts";
import type { Judgment } from "../domain/judgment.ts";
import type { Policy } from "../domain/policy.ts";
import type { CaseContent, Store } from "../domain/ports.ts";
import type { CaseRecord } from "../domain/record.ts";
import { averageJudgments } from "../metrics/average_judgments.ts";
import { sliceValue } from "../metrics/slice.ts";
import { eachCase } from "./each_case.ts";
import type { RunSource } from "./run_source.ts";

/** Cases that are matched at once. */
const CHUNK = 500;

interface BaselineCase {
  readonly case_digest: string;
  readonly outcomes: Outcomes;
  readonly slices: SliceValues;
}

/**
 * Feeds a comparison with every case of both runs, matched by id, input and expectation. Of the baseline the outcomes are held in
 * memory; the candidate's are read as they are matched.
 */
export async function matchCases(
  candidate: RunSource,
  baseline: RunSource | undefined,
  criteria: readonly string[],
  policy: Policy | null,
  fold: ComparisonFold,
): Promise<void> {
  const before = baseline === undefined
    ? new Map<string, BaselineCase>()
    : await readBaseline(baseline, criteria, policy);
  const inBaseline = before.size;
  let finished = 0;
  for await (const chunk of chunksOf(readCases(candidate, criteria), CHUNK)) {
    const same = await comparableCases(chunk, before, candidate.store, baseline?.store);
    finished += chunk.length;
    for (const { case_id, outcomes } of chunk) {
      const matched = before.get(case_id);
      before.delete(case_id);
      if (matched === undefined) fold.addOnlyInCandidate(outcomes);
      else if (same.has(case_id)) fold.addPair(case_id, outcomes, matched.outcomes, matched.slices);
      else fold.addChanged(case_id, outcomes, matched.outcomes, matched.slices);
    }
  }
  for (const [case_id, { outcomes, slices }] of before) fold.addOnlyInBaseline(case_id, outcomes, slices);
  const forgotten = {
    candidate: forgottenOf(candidate, finished),
    baseline: baseline === undefined ? 0 : forgottenOf(baseline, inBaseline),
  };
  fold.addUnfinished(Math.max(0, candidate.header.cases - finished - forgotten.candidate));
  fold.addForgotten(forgotten);
}

/**
 * The cases of a run that are gone. Of a complete run that is whatever is not there; of another one some may have been executed
 * again since.
 */
function forgottenOf(
  { header: { status, cases, forgotten_cases = 0 } }: RunSource,
  finished: number,
): number {
  const absent = Math.max(0, cases - finished);
  return status === "complete" ? absent : Math.min(forgotten_cases, absent);
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

/**
 * The outcomes of each finished case, its repeats averaged; repeats of a case stand together in a store. A case of which some are
 * not there is not finished: what is there may be the better part.
 */
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
  const isFinished = (found: typeof pending) => found?.repeats.length === header.repeats;
  for await (const { case_id, case_digest, judgments } of store.readOutcomes(header.run_id)) {
    if (pending !== undefined && pending.case_id === case_id) {
      pending.repeats.push([...judgments]);
      continue;
    }
    if (pending !== undefined && isFinished(pending)) yield close(pending);
    pending = { case_id, case_digest, repeats: [[...judgments]] };
  }
  if (pending !== undefined && isFinished(pending)) yield close(pending);
}

type SliceReader = (chunk: readonly ReadCase[]) => Promise<ReadonlyMap<string, SliceValues>>;

/** Reads slice values: those that a case's content tells chunk by chunk, others from all records beforehand. */
async function sliceReader({ header, store }: RunSource, slices: readonly string[]): Promise<SliceReader> {
  const valuesOf = (record: CaseRecord): SliceValues =>
    new Map(slices.map((slice) => [slice, sliceValue(slice, record, header)]));
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
  // Of several repeats the first one tells.
  for await (const [{ record }] of eachCase(store.readCases(header.run_id))) {
    values.set(record.case.id, valuesOf(record));
  }
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

/** What two cases of one id must have in common to be compared. */
export function comparable(content: CaseContent | undefined): string {
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
