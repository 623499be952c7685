/** Judges finished cases with a run's evaluators, and remembers every judgment. */
import { isLasting, type Judgment } from "../domain/judgment.ts";
import type { EvaluatorPorts, Store } from "../domain/ports.ts";
import type { EvaluatorSpec } from "../domain/project.ts";
import type { CacheOutcome, JudgeCallCount, JudgmentEntry } from "../domain/run.ts";
import type { ObservedSystem } from "../evaluators/evaluator.ts";
import { judgeRecord } from "../evaluators/judge_record.ts";
import { recordIdentity } from "../stages/identities.ts";
import type { CaseResult } from "../stages/case_execution.ts";
import { SingleFlight } from "../stages/single_flight.ts";
import type { Slots } from "../stages/slots.ts";
import {
  bindEvaluators,
  callsUserCode,
  type JudgingEvaluator,
  knownJudgments,
  wasAsked,
} from "./judging_evaluators.ts";
import type { EvidenceWriter } from "./evidence_writer.ts";
import { type JudgeCalls, JudgeTally } from "./judge_calls.ts";
import { batchLookup } from "./store_cache.ts";

/** The judgments of one case, one per evaluator in the run's order. */
export interface Judged {
  readonly entry: JudgmentEntry;
  readonly hit: number;
  readonly miss: number;
  /** What was asked of judges; absent when nothing was. */
  readonly calls?: JudgeCallCount;
}

/** What a judge needs of the outside. */
export interface JudgeSurroundings {
  readonly store: Store;
  readonly ports: EvaluatorPorts;
  /** Absent when no evaluator asks a judge. */
  readonly judgeCalls?: JudgeCalls | undefined;
  readonly writer: EvidenceWriter;
  readonly newEntryId: () => number;
  /** Where judging by the user's code waits for its turn; absent = it need not. */
  readonly slots?: Slots;
  /** The system whose records are judged: what it does not tell cannot be judged. */
  readonly system: ObservedSystem;
  /** Which remembered judgments may be reused, by the ids of their entries; absent = none are looked for. */
  readonly mayReuse?: (entry_id: number) => boolean;
  /** Entries that the run made before it was resumed and that nobody counted yet: their first user does. */
  readonly orphans: Set<number>;
}

/** Judges cases with one set of evaluators. */
export class CaseJudge {
  readonly #evaluators: readonly JudgingEvaluator[];
  readonly #keys: readonly string[];
  readonly #callsUserCode: boolean;
  readonly #flights: SingleFlight<Judged>;
  /** What was found of records that no entry judges as a whole, until they are judged. */
  readonly #parts = new Map<string, readonly JudgmentEntry[]>();
  readonly #lookUp: (record: string) => Promise<readonly JudgmentEntry[]>;

  /** @param sources Digests of the user's code that an evaluator calls, by its `module:export`. */
  constructor(
    specs: readonly EvaluatorSpec[],
    sources: ReadonlyMap<string, string>,
    private readonly outside: JudgeSurroundings,
  ) {
    this.#evaluators = bindEvaluators(specs, sources);
    this.#keys = this.#evaluators.map(({ key }) => key);
    this.#callsUserCode = callsUserCode(specs);
    const { store, mayReuse } = outside;
    const lookUp = batchLookup(
      (records) => store.findJudgments(records),
      (record) => store.surelyLacks(record),
    );
    this.#lookUp = async (record) =>
      mayReuse === undefined ? [] : (await lookUp(record) ?? []).filter(({ id }) => mayReuse(id));
    this.#flights = new SingleFlight(
      mayReuse === undefined ? undefined : async (record) => {
        const entries = await this.#lookUp(record);
        const whole = this.#wholeEntry(entries);
        if (whole === undefined) this.#parts.set(record, entries);
        return whole;
      },
    );
  }

  /** @param repeat The 1-based repeat of the execution. */
  async judge(result: CaseResult, repeat = 1): Promise<Judged> {
    const record = recordIdentity(result.execution, result.record, { wholeCase: this.#callsUserCode });
    if (result.record.error !== undefined) {
      // Nothing was reached that could be judged: no hit, no miss, and nothing that may stand for a later judgment.
      const judgments = await this.#judgeAll(result, new Map(), this.outside.ports);
      return { entry: this.#newEntry(record, judgments), hit: 0, miss: 0 };
    }
    const { value, outcome } = await this.#flights.get(record, async () => {
      const entries = this.#parts.get(record) ?? [];
      this.#parts.delete(record);
      const known = knownJudgments(entries);
      const tally = new JudgeTally();
      for (const { key, judged } of this.#evaluators) {
        const judgment = known.get(key);
        if (judged && judgment !== undefined && wasAsked(judgment)) tally.add("hit");
      }
      const judge = this.outside.judgeCalls?.portFor({ record, repeat }, tally);
      const ports = judge === undefined ? this.outside.ports : { ...this.outside.ports, judge };
      const judgments = await this.#judgeAll(result, known, ports);
      const made = {
        entry: this.#newEntry(record, judgments),
        ...this.#count(entries),
        ...callsOf(tally),
      };
      return { value: made, shareable: judgments.every(isLasting) };
    });
    if (outcome === "miss") return value;
    const { entry } = value;
    if (!this.outside.orphans.delete(entry.id)) {
      return { entry, hit: this.#keys.length, miss: 0, ...this.#callsFor(entry, "hit") };
    }
    const others = (await this.#lookUp(record)).filter(({ id }) => id !== entry.id);
    return { entry, ...this.#count(others), ...this.#callsFor(entry, "miss") };
  }

  /** How many judgments were found: those of orphans were made by whoever finds them first. */
  #count(entries: readonly JudgmentEntry[]): { readonly hit: number; readonly miss: number } {
    const { orphans } = this.outside;
    const known = knownJudgments(entries.filter(({ id }) => !orphans.has(id)));
    for (const { id } of entries) orphans.delete(id);
    const hit = this.#keys.filter((key) => known.has(key)).length;
    return { hit, miss: this.#keys.length - hit };
  }

  /** What was asked of judges for judgments that are there already: found, or made by this run before it was resumed. */
  #callsFor({ judgments }: JudgmentEntry, outcome: CacheOutcome): Pick<Judged, "calls"> {
    const tally = new JudgeTally();
    for (const [index, { judged }] of this.#evaluators.entries()) {
      const judgment = judgments[index];
      if (judged && judgment !== undefined && wasAsked(judgment)) tally.add(outcome);
    }
    return callsOf(tally);
  }

  /** Forgets judging under way that the store holds now. */
  landed(entries: readonly JudgmentEntry[]): void {
    for (const entry of entries) this.#flights.landed(entry.record);
  }

  /** An entry that answers for all evaluators as it stands, in their order. */
  #wholeEntry(entries: readonly JudgmentEntry[]): Judged | undefined {
    const [newest] = entries;
    const fits = newest !== undefined && newest.judgments.every(isLasting) &&
      newest.evaluators.length === this.#keys.length &&
      newest.evaluators.every((key, index) => key === this.#keys[index]);
    return fits ? { entry: newest, hit: this.#keys.length, miss: 0 } : undefined;
  }

  #judgeAll(
    result: CaseResult,
    known: ReadonlyMap<string, Judgment>,
    ports: EvaluatorPorts,
  ): Promise<readonly Judgment[]> {
    const { system, slots } = this.outside;
    const judge = () =>
      Promise.all(
        this.#evaluators.map(({ key, bound }) =>
          known.get(key) ?? judgeRecord(bound, result.record, ports, system)
        ),
      );
    return slots === undefined || !this.#callsUserCode ? judge() : slots.use(0, judge);
  }

  #newEntry(record: string, judgments: readonly Judgment[]): JudgmentEntry {
    const entry = { id: this.outside.newEntryId(), record, evaluators: this.#keys, judgments };
    this.outside.writer.addJudgments(entry);
    return entry;
  }
}

function callsOf(tally: JudgeTally): Pick<Judged, "calls"> {
  const calls = tally.count();
  return calls === undefined ? {} : { calls };
}
