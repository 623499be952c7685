/** Runs, entries and cases as commands would write them, from a few words. */
import type { Case } from "../../lib/domain/case.ts";
import { caseDigest, caseText, identityOf } from "../../lib/domain/identity.ts";
import type { Json } from "../../lib/domain/json.ts";
import { type Judgment, observed } from "../../lib/domain/judgment.ts";
import type { Assembly, Passage, Retrieval } from "../../lib/domain/passage.ts";
import { ENTRIES_PER_RUN, type Store } from "../../lib/domain/ports.ts";
import type { StageCost, StageFailure } from "../../lib/domain/record.ts";
import type {
  Batch,
  CaseCache,
  CaseRow,
  GenerationEntry,
  JudgeCallCount,
  JudgmentEntry,
  RetrievalEntry,
  RunHeader,
  StoredCase,
} from "../../lib/domain/run.ts";
import { assembleContext } from "../../lib/stages/assemble.ts";

/** A run that has begun. */
export function headerOf(run_id: string, change: Partial<RunHeader> = {}): RunHeader {
  return {
    run_id,
    kind: "run",
    status: "running",
    started_at: "2026-09-17T10:00:00.000Z",
    oloproof_version: "0.1.0",
    system: {
      name: "help",
      version: "1",
      depth: 3,
      top_k: 2,
      token_budget: null,
      params: { retrieve: {}, generate: { model: "small" } },
    },
    source_digest: "d1",
    evaluators: [{ type: "completed", criterion: "completed", parameters: {} }],
    slices: ["metadata.topic"],
    min_slice_support: 4,
    relevance_unit: "document",
    selection: ["--limit 3"],
    cases: 3,
    repeats: 1,
    function_digests: {},
    evaluator_versions: { completed: 1 },
    ...change,
  };
}

/** A case and its evidence; what a test does not say is some small thing. */
export interface CaseEvidence {
  readonly id: string;
  readonly ordinal: number;
  readonly repeat?: number;
  readonly case?: Partial<Case>;
  /** The work that it equals; default: no other case's. */
  readonly execution?: string;
  readonly retrieval?: Retrieval;
  readonly assembly?: Assembly;
  readonly output?: Json;
  readonly judgments?: readonly Judgment[];
  readonly evaluators?: readonly string[];
  readonly error?: StageFailure;
  readonly cache?: CaseCache;
  readonly cost?: StageCost;
  readonly judge_calls?: JudgeCallCount;
}

const candidates: readonly Passage[] = [{ doc_id: "a", text: "one" }, { doc_id: "b" }, { doc_id: "c" }];
const missed: CaseCache = {
  execution: "miss",
  retrieve: "miss",
  generate: "miss",
  judgment: { hit: 0, miss: 1 },
};

/** The key under which a test names work: identities are 64 hexadecimal digits. */
export function identityFor(name: string): string {
  return identityOf(name);
}

/** The run's entry of a number. */
export function entryId(run: number, number: number): number {
  return run * ENTRIES_PER_RUN + number;
}

/** Everything of one case: what is written, and what must be read back. */
export function evidenceOf(
  run: number,
  given: CaseEvidence,
): { readonly batch: Batch; readonly stored: StoredCase } {
  const { id, ordinal, repeat = 1, execution = `${run} ${id}`, error, output = { answer: id } } = given;
  const testCase: Case = { id, input: { question: id }, ...given.case };
  const retrieval = given.retrieval ?? { query: id, candidates };
  const assembly = given.assembly ?? assembleContext(retrieval.candidates, { top_k: 2, token_budget: null });
  const judgments = given.judgments ?? [observed(true)];
  const cache = given.cache ?? missed;
  const cost = given.cost ?? { latency_ms: 1.5 };
  const calls = given.judge_calls === undefined ? {} : { judge_calls: given.judge_calls };
  const entry = entryId(run, ordinal);
  const retrieved: RetrievalEntry = { id: entry, identity: identityFor(`r ${execution}`), retrieval, cost };
  const generated: GenerationEntry = { id: entry, identity: identityFor(`g ${execution}`), output, cost };
  const judged: JudgmentEntry = {
    id: entry,
    record: identityFor(`j ${execution}`),
    evaluators: given.evaluators ?? ["completed"],
    judgments,
  };
  const reached = {
    retrieve: error?.stage !== "retrieve",
    assemble: error === undefined || error.stage === "generate",
    generate: error === undefined,
  };
  const row: CaseRow = {
    ordinal,
    repeat,
    case: testCase,
    case_text: caseText(testCase),
    case_digest: caseDigest(testCase),
    execution: identityFor(execution),
    ...(reached.retrieve ? { retrieval_id: entry, candidates: retrieval.candidates } : {}),
    ...(reached.assemble ? { assembly } : {}),
    ...(reached.generate ? { generation_id: entry } : {}),
    judgments_id: entry,
    ...(error === undefined ? {} : { error }),
    cache,
    ...calls,
  };
  return {
    batch: {
      retrievals: reached.retrieve ? [retrieved] : [],
      generations: reached.generate ? [generated] : [],
      judgments: [judged],
      cases: [row],
    },
    stored: {
      ordinal,
      repeat,
      ...(reached.retrieve ? { retrieval_id: entry } : {}),
      record: {
        case: testCase,
        ...(reached.retrieve ? retrieval : {}),
        ...(reached.assemble ? assembly : {}),
        ...(reached.generate ? { output } : {}),
        ...(error === undefined ? {} : { error }),
      },
      judgments,
      cache,
      ...calls,
      costs: {
        ...(reached.retrieve ? { retrieve: cost } : {}),
        ...(reached.generate ? { generate: cost } : {}),
      },
    },
  };
}

/** Batches as one. */
export function joinBatches(batches: readonly Batch[]): Batch {
  return {
    retrievals: batches.flatMap(({ retrievals }) => retrievals),
    generations: batches.flatMap(({ generations }) => generations),
    judgments: batches.flatMap(({ judgments }) => judgments),
    cases: batches.flatMap(({ cases }) => cases),
  };
}

/** Nothing to write. */
export const EMPTY_BATCH: Batch = joinBatches([]);

/** A run with cases, written at once; answers its number and what must be read back. */
export async function writeRun(
  store: Store,
  header: RunHeader,
  given: readonly CaseEvidence[],
): Promise<{ readonly number: number; readonly stored: readonly StoredCase[] }> {
  const number = await store.beginRun(header);
  const evidence = given.map((one) => evidenceOf(number, one));
  await store.append(number, joinBatches(evidence.map(({ batch }) => batch)));
  return { number, stored: evidence.map(({ stored }) => stored) };
}

/** All cases of a run. */
export async function readAll(store: Store, run_id: string): Promise<readonly StoredCase[]> {
  return await Array.fromAsync(store.readCases(run_id));
}
