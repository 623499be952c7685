/** Questions to judges, each put once: what was answered is remembered, and equal questions under way are shared. */
import { identityOf } from "../domain/identity.ts";
import type { JudgeCallEntry, JudgeModel, JudgePort, JudgeQuestion, JudgeReply } from "../domain/judge.ts";
import type { Clock, Store } from "../domain/ports.ts";
import type { Usage } from "../domain/record.ts";
import type { JudgeCallCount } from "../domain/run.ts";
import { PROMPT_VERSION } from "../judges/prompt.ts";
import { SingleFlight } from "../stages/single_flight.ts";
import type { Judges } from "./load_judges.ts";
import { batchLookup } from "./store_cache.ts";

/** What is judged, as far as questions about it are counted and kept. */
export interface JudgedRecord {
  /** The identity of the record: remembered verdicts are forgotten with it. */
  readonly record: string;
  /** The 1-based repeat; different repeats share no verdict. */
  readonly repeat: number;
}

/** What judge calls need besides the judges. */
export interface JudgeCallSurroundings {
  readonly store: Store;
  readonly clock: Clock;
  /** The run that asks; absent in a calibration. */
  readonly run_id?: string;
  /** Whether only verdicts are reused that the run itself was given. */
  readonly refresh?: boolean;
  /**
   * Present when the run goes on: tells its own entries by their ids. Verdicts that it was given before it ended and counts nowhere yet
   * are its own calls.
   */
  readonly resumed?: (entry_id: number) => boolean;
}

/**
 * A verdict that was paid for is on the disk soon; sooner still with the judgment that was made of it, which is written with its case.
 */
const FLUSH_AFTER_MS = 1000;

/** The reply to a question, the run whose call it was, and the record that it was made for. */
interface Answered {
  readonly reply: JudgeReply;
  readonly usage?: Usage;
  readonly run_id?: string;
  readonly record: string;
}

/** What was asked for one record. */
export class JudgeTally {
  #hit = 0;
  #miss = 0;
  #usage: Usage | undefined;

  add(outcome: "hit" | "miss", usage?: Usage): void {
    if (outcome === "hit") this.#hit++;
    else this.#miss++;
    if (outcome === "miss" && usage !== undefined) this.#usage = addUsage(this.#usage, usage);
  }

  /** Undefined when nothing was asked. */
  count(): JudgeCallCount | undefined {
    if (this.#hit + this.#miss === 0) return undefined;
    const count = { hit: this.#hit, miss: this.#miss };
    return this.#usage === undefined ? count : { ...count, usage: this.#usage };
  }
}

/** The judge calls of one run, diagnosis or calibration. */
export class JudgeCalls {
  readonly #flights: SingleFlight<Answered>;
  readonly #counted = new Set<string>();
  #pending: JudgeCallEntry[] = [];
  #writing: Promise<void> = Promise.resolve();
  #failure: { readonly cause: unknown } | undefined;
  #timer: AbortController | undefined;

  constructor(private readonly judges: Judges, private readonly outside: JudgeCallSurroundings) {
    const { store, refresh = false, run_id } = outside;
    const lookUp = batchLookup((identities) => store.findJudgeCalls(identities));
    this.#flights = new SingleFlight(async (identity): Promise<Answered | undefined> => {
      const entry = await lookUp(identity);
      if (entry === undefined) return undefined;
      if (refresh && (run_id === undefined || entry.run_id !== run_id)) return undefined;
      const { verdict, usage, run_id: made_by, record } = entry;
      return {
        record,
        reply: { status: "answered", verdict },
        ...(usage === undefined ? {} : { usage }),
        ...(made_by === undefined ? {} : { run_id: made_by }),
      };
    });
  }

  /** What evaluators ask about one record. */
  portFor(judged: JudgedRecord, tally: JudgeTally): JudgePort {
    return async (model, question) => {
      const identity = this.#identify(model, question, judged);
      const { value, outcome } = await this.#flights.get(identity, async () => {
        const answered = await this.#ask(model, question, judged);
        const shareable = answered.reply.status === "answered";
        if (shareable) this.#keep(identity, answered);
        return { value: answered, shareable };
      });
      const counted = this.#counted.has(identity);
      this.#counted.add(identity);
      const own = outcome === "hit" && !counted && await this.#isUncounted(value);
      tally.add(own ? "miss" : outcome, value.usage);
      return value.reply;
    };
  }

  /**
   * Whether a verdict that was found was given to this very run before it was interrupted, and no case counts it: where the run has
   * judged the record that it was made for, that case does, or will when it is found.
   */
  async #isUncounted({ run_id, record }: Answered): Promise<boolean> {
    const { store, resumed } = this.outside;
    if (resumed === undefined || run_id === undefined || run_id !== this.outside.run_id) return false;
    const judged = (await store.findJudgments([record])).get(record) ?? [];
    return !judged.some(({ id }) => resumed(id));
  }

  /** Writes all verdicts that are pending and waits for it. @throws What the store threw at any time. */
  async flush(): Promise<void> {
    this.#timer?.abort();
    this.#timer = undefined;
    this.#write();
    await this.#writing;
    if (this.#failure !== undefined) throw this.#failure.cause;
  }

  #identify(model: JudgeModel, question: JudgeQuestion, { repeat }: JudgedRecord): string {
    const { task, items, prompt } = question;
    const source_digest = model.object === undefined ? undefined : this.judges.sources.get(model.object);
    return identityOf({
      kind: "judge call",
      model,
      source_digest,
      prompt_version: PROMPT_VERSION,
      task,
      items,
      prompt,
      // A function reads the material, in which a text and JSON that looks like it are told apart.
      ...(model.object === undefined ? {} : { material: question.material }),
      ...(repeat === 1 ? {} : { repeat }),
    });
  }

  async #ask(model: JudgeModel, question: JudgeQuestion, { record }: JudgedRecord): Promise<Answered> {
    let used: Usage | undefined;
    const reply = await this.judges.ask(model, question, (usage) => used = addUsage(used, usage));
    const { run_id } = this.outside;
    return {
      record,
      reply,
      ...(used === undefined ? {} : { usage: used }),
      ...(run_id === undefined ? {} : { run_id }),
    };
  }

  #keep(identity: string, { reply, ...made }: Answered): void {
    if (reply.status !== "answered") return;
    this.#pending.push({ identity, verdict: reply.verdict, ...made });
    if (this.#timer !== undefined) return;
    const timer = new AbortController();
    this.#timer = timer;
    this.outside.clock.wait(FLUSH_AFTER_MS, timer.signal).then(
      () => {
        this.#timer = undefined;
        this.#write();
      },
      (reason) => {
        // The wait was called off by flush, which writes what is pending itself.
        if (!timer.signal.aborted) throw reason;
      },
    );
  }

  #write(): void {
    const entries = this.#pending;
    this.#pending = [];
    if (entries.length === 0) return;
    this.#writing = this.#writing.then(() => this.outside.store.addJudgeCalls(entries)).then(
      () => {
        for (const { identity } of entries) this.#flights.landed(identity);
      },
      // Told by flush: a judgment must not be missing because a disk is full.
      (cause) => {
        this.#failure ??= { cause };
      },
    );
  }
}

function addUsage(sum: Usage | undefined, more: Usage): Usage {
  const total: Record<string, number> = { ...sum };
  for (const key of ["input_tokens", "output_tokens", "cost_usd"] as const) {
    const value = more[key];
    if (value !== undefined) total[key] = (total[key] ?? 0) + value;
  }
  return total;
}
