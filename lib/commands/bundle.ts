/** Bundles: a run in one file, for machines that keep no store. */
import { z } from "zod";
import { OloproofError } from "../domain/error.ts";
import { ENTRIES_PER_RUN, type Store } from "../domain/ports.ts";
import type { CaseRow, JudgmentEntry, RunHeader, StoredCase } from "../domain/run.ts";
import { caseDigest, caseText } from "../domain/identity.ts";
import { MemoryStore } from "../store/memory_store.ts";
import { type CalibrationDocument, isGenuine } from "./find_calibration.ts";
import { readLines } from "./read_lines.ts";

/** The form of a bundle: its first line; every further line is a finished case. */
const FORM = "oloproof/bundle/1";

/**
 * The lines of a bundle, as values.
 *
 * @param calibrations Those of the run's judges: without them its judged criteria could gate nowhere else.
 */
export async function* bundleLines(
  header: RunHeader,
  cases: AsyncIterable<StoredCase>,
  calibrations: readonly CalibrationDocument[] = [],
): AsyncGenerator<unknown> {
  yield { bundle: FORM, header, ...(calibrations.length === 0 ? {} : { calibrations }) };
  yield* cases;
}

const evaluator = z.looseObject({ type: z.string(), criterion: z.string(), parameters: z.looseObject({}) });
const calibratedRow = z.looseObject({
  row: z.string(),
  label: z.enum(["pass", "fail"]),
  verdicts: z.array(z.enum(["pass", "fail", "missing", "excluded"])).min(1),
});
const calibration = z.looseObject({
  id: z.string(),
  kind: z.literal("calibration"),
  run_id: z.string(),
  question: z.string(),
  content: z.looseObject({
    judge: z.looseObject({ type: z.string() }),
    level: z.number().gt(0).lt(1),
    rows: z.array(calibratedRow),
    figures: z.looseObject({}),
  }),
  beside: z.looseObject({ reasons: z.record(z.string(), z.string()) }),
});
const firstLine = z.looseObject({
  bundle: z.literal(FORM),
  calibrations: z.array(calibration).optional(),
  header: z.looseObject({
    run_id: z.string(),
    kind: z.enum(["run", "intervention", "control"]),
    status: z.enum(["running", "complete", "interrupted"]),
    system: z.looseObject({
      name: z.string(),
      version: z.string(),
      depth: z.int().nullable(),
      top_k: z.int().nullable(),
    }),
    evaluators: z.array(evaluator),
    slices: z.array(z.string()),
    selection: z.array(z.string()),
    min_slice_support: z.int(),
    relevance_unit: z.enum(["document", "chunk"]),
    cases: z.int(),
    repeats: z.int(),
    forgotten_cases: z.int().min(0).optional(),
    function_digests: z.record(z.string(), z.string()),
    evaluator_versions: z.record(z.string(), z.number()),
  }),
});
const judgment = z.discriminatedUnion("status", [
  z.looseObject({ status: z.literal("observed"), value: z.union([z.boolean(), z.number().min(0).max(1)]) }),
  z.looseObject({ status: z.literal("missing"), reason: z.string() }),
  z.looseObject({ status: z.literal("excluded"), reason: z.string() }),
]);
const caseLine = z.looseObject({
  ordinal: z.int().min(0),
  repeat: z.int().min(1),
  record: z.looseObject({ case: z.looseObject({ id: z.string() }) }),
  judgments: z.array(judgment),
  cache: z.looseObject({}),
  costs: z.looseObject({}),
});

/**
 * Reads a bundle into a store of its own.
 *
 * @throws {OloproofError} `not_a_bundle`, `unreadable_file`.
 */
export async function readBundle(path: string, shown: string): Promise<{ header: RunHeader; store: Store }> {
  const store = new MemoryStore();
  let run: { readonly header: RunHeader; readonly number: number } | undefined;
  let entries = 0;
  let lines = 0;
  const places = new Set<string>();
  const owners = new Map<string, number>();
  for await (const { number, text } of readLines(path, shown)) {
    lines = number;
    if (text.trim() === "") continue;
    if (run === undefined) {
      const { header, calibrations = [] } = parseLine(text, firstLine, shown, number);
      const known = header as unknown as RunHeader;
      run = { header: known, number: await store.beginRun(known) };
      for (const calibration of calibrations as unknown as readonly CalibrationDocument[]) {
        if (!isGenuine(calibration)) throw notABundle(shown, number);
        await store.addDocument(calibration);
      }
      continue;
    }
    const stored = parseLine(text, caseLine, shown, number) as unknown as StoredCase;
    const place = `${stored.ordinal} ${stored.repeat}`;
    const other = owners.get(stored.record.case.id);
    const isOwn = other === undefined || other === stored.ordinal;
    if (places.has(place) || !isOwn || stored.judgments.length !== run.header.evaluators.length) {
      throw notABundle(shown, number);
    }
    places.add(place);
    owners.set(stored.record.case.id, stored.ordinal);
    const id = run.number * ENTRIES_PER_RUN + entries++;
    const { row, judgments } = rowOf(stored, id);
    const { retrieval, generation } = evidenceOf(stored, id);
    await store.append(run.number, {
      retrievals: retrieval === undefined ? [] : [retrieval],
      generations: generation === undefined ? [] : [generation],
      judgments: [judgments],
      cases: [{
        ...row,
        ...(retrieval === undefined ? {} : { retrieval_id: id }),
        ...(generation === undefined ? {} : { generation_id: id }),
      }],
    });
  }
  if (run === undefined) throw notABundle(shown, 1);
  // A file that was cut short would make a smaller run of this one, and an easier baseline.
  const { status, cases, repeats, forgotten_cases = 0 } = run.header;
  // A forgotten case may have been executed again when the run was resumed.
  const isWhole = entries >= (cases - forgotten_cases) * repeats && entries <= cases * repeats;
  if (status === "complete" && !isWhole) throw notABundle(shown, lines + 1);
  return { header: run.header, store };
}

function parseLine<T>(text: string, schema: z.ZodType<T>, shown: string, line: number): T {
  try {
    return schema.parse(JSON.parse(text));
  } catch (cause) {
    throw notABundle(shown, line, cause);
  }
}

function notABundle(shown: string, line: number, cause?: unknown): OloproofError {
  return new OloproofError(`Cannot read ${JSON.stringify(shown)}: it is not a bundle of a run`, {
    code: "not_a_bundle",
    kind: "configuration",
    where: `${shown}:${line}`,
    hint: "`oloproof export RUN_ID --format bundle > run.bundle` makes one",
    cause,
  });
}

function rowOf(stored: StoredCase, id: number): { row: CaseRow; judgments: JudgmentEntry } {
  const { record, cache, ordinal, repeat } = stored;
  const { id: _id, ...content } = record.case;
  const { context, dropped, tokens } = record;
  return {
    row: {
      ordinal,
      repeat,
      case: record.case,
      case_text: caseText(content),
      case_digest: caseDigest(content),
      execution: `bundle ${id}`,
      judgments_id: id,
      ...(context === undefined
        ? {}
        : { assembly: { context, dropped: dropped ?? [], ...(tokens === undefined ? {} : { tokens }) } }),
      ...(record.error === undefined ? {} : { error: record.error }),
      cache,
      ...(stored.judge_calls === undefined ? {} : { judge_calls: stored.judge_calls }),
    },
    judgments: { id, record: `bundle ${id}`, evaluators: [], judgments: stored.judgments },
  };
}

function evidenceOf({ record, costs }: StoredCase, id: number) {
  const { candidates, query, output } = record;
  return {
    retrieval: candidates === undefined || costs.retrieve === undefined ? undefined : {
      id,
      identity: `bundle ${id}`,
      retrieval: query === undefined ? { candidates } : { query, candidates },
      cost: costs.retrieve,
    },
    generation: output === undefined || costs.generate === undefined
      ? undefined
      : { id, identity: `bundle ${id}`, output, cost: costs.generate },
  };
}
