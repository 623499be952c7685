import assert from "node:assert/strict";
import type { Json } from "../../lib/domain/json.ts";
import type { Passage } from "../../lib/domain/passage.ts";
import type { SystemSettings } from "../../lib/domain/settings.ts";
import { executionIdentity } from "../../lib/stages/identities.ts";
import type { RagStages, RetrieveResult, StageTools } from "../../lib/stages/rag_system.ts";
import type { CaseResult, CaseSurroundings } from "../../lib/stages/case_execution.ts";
import { costsOf, runCase } from "../../lib/stages/run_case.ts";
import { HandClock } from "./hand_clock.ts";
import { MemoryCache } from "./memory_cache.ts";

const settings: SystemSettings = {
  name: "help",
  version: "1",
  depth: 4,
  top_k: 2,
  token_budget: null,
  index_version: "i1",
  params: { retrieve: { mode: "dense" }, generate: { model: "small" } },
};

const passages: readonly Passage[] = [
  { doc_id: "a", text: "one two three" },
  { doc_id: "b", text: "one two" },
  { doc_id: "c", text: "one" },
];

/** A system whose stages work, but for those that a test replaces. */
function stagesOf(overrides: Partial<RagStages> = {}): RagStages {
  return {
    retrieve: (input) => ({ query: { asked: input }, candidates: passages }),
    generate: (_input, context) => ({ answer: context.map(({ doc_id }) => doc_id).join(" ") }),
    countTokens: (passage) => (passage.text ?? "").split(" ").length,
    ...overrides,
  };
}

interface Given extends Partial<Pick<CaseSurroundings, "cache" | "stop">> {
  readonly settings?: Partial<SystemSettings>;
  readonly source_digest?: string | null;
  readonly input?: Json;
  readonly id?: string;
  readonly retries?: number;
}

function execute(stages: RagStages, given: Given = {}): Promise<CaseResult> {
  const { input = "how long?", id = "first", cache = new MemoryCache(), source_digest = "d1" } = given;
  const stop = given.stop ?? new AbortController().signal;
  return runCase(
    { id, input, expected: { answer: "a b" } },
    { stages, identity: { settings: { ...settings, ...given.settings }, source_digest } },
    { limits: { timeout_seconds: 5, retries: given.retries ?? 0 }, cache, clock: new HandClock(), stop },
  );
}

Deno.test("runCase: the record holds what was asked, found, sent and answered", async () => {
  const result = await execute(stagesOf());
  assert.deepEqual(result.record, {
    case: { id: "first", input: "how long?", expected: { answer: "a b" } },
    query: { asked: "how long?" },
    candidates: passages,
    context: passages.slice(0, 2),
    dropped: [{ position: 3, doc_id: "c", reason: "beyond_top_k" }],
    output: { answer: "a b" },
  });
  assert.deepEqual(result.cache, { execution: "miss", retrieve: "miss", generate: "miss" });
  assert.deepEqual(costsOf(result.evidence), { retrieve: { latency_ms: 0 }, generate: { latency_ms: 0 } });
  assert.equal(result.execution, executionIdentity({ settings, source_digest: "d1" }, "how long?"));
});

Deno.test("runCase: each stage is given its own parameters, the depth and the query", async () => {
  const given: unknown[] = [];
  await execute(stagesOf({
    retrieve: (input, depth, { params }) => {
      given.push(["retrieve", input, depth, params]);
      return { query: "rewritten", candidates: [] };
    },
    generate: (input, context, { params, query }) => {
      given.push(["generate", input, context, params, query]);
      return null;
    },
  }));
  assert.deepEqual(given, [
    ["retrieve", "how long?", 4, { mode: "dense" }],
    ["generate", "how long?", [], { model: "small" }, "rewritten"],
  ]);
});

Deno.test("runCase: without a query generate is given none", async () => {
  let keys: readonly string[] = [];
  await execute(stagesOf({
    retrieve: () => ({ candidates: [] }),
    generate: (_input, _context, tools) => {
      keys = Object.keys(tools);
      return null;
    },
  }));
  assert.deepEqual(keys.toSorted(), ["params", "signal", "usage"]);
});

Deno.test("runCase: a budget is spent by counted tokens, which are recorded", async () => {
  const { record } = await execute(stagesOf(), { settings: { top_k: 3, token_budget: 4 } });
  assert.deepEqual(record.context?.map(({ doc_id }) => doc_id), ["a", "c"]);
  assert.deepEqual(record.dropped, [{ position: 2, doc_id: "b", reason: "over_token_budget", tokens: 2 }]);
  assert.deepEqual(record.tokens, [3, 2, 1]);
});

Deno.test("runCase: only passages within top_k are counted, and none without a budget", async () => {
  const counted: string[] = [];
  const stages = stagesOf({
    countTokens: ({ doc_id }) => {
      counted.push(doc_id);
      return Promise.resolve(1);
    },
  });
  await execute(stages, { settings: { token_budget: 9 } });
  assert.deepEqual(counted, ["a", "b"]);
  await execute(stages);
  assert.deepEqual(counted, ["a", "b"]);
});

Deno.test("runCase: a system may assemble its context itself", async () => {
  let limits: unknown;
  const { record } = await execute(
    stagesOf({
      assemble: (_input, candidates, given) => {
        limits = given;
        return [...candidates.slice(1), { doc_id: "rules", text: "be brief" }];
      },
    }),
    { settings: { token_budget: 7 } },
  );
  assert.deepEqual(limits, { top_k: 2, token_budget: 7 });
  assert.deepEqual(record.context?.map(({ doc_id }) => doc_id), ["b", "c", "rules"]);
  assert.deepEqual(record.dropped, [{ position: 1, doc_id: "a", reason: "left_out_by_system" }]);
  assert.ok(!("tokens" in record));
});

/** `stage kind` of the failure of an execution, and what its record still holds. */
async function failing(overrides: Partial<RagStages>, given: Given = {}) {
  const { record, cache } = await execute(stagesOf(overrides), given);
  const { stage, kind, message } = record.error ?? assert.fail("the execution did not fail");
  const { case: _case, error: _error, ...rest } = record;
  return { failure: `${stage} ${kind}`, message, holds: Object.keys(rest), cache };
}

const throws = () => {
  throw new Error("gone");
};

Deno.test("runCase: a failing stage ends the execution; what there was before it stays", async () => {
  assert.deepEqual(await failing({ retrieve: throws }), {
    failure: "retrieve exception",
    message: "gone",
    holds: [],
    cache: { execution: "miss", retrieve: "miss" },
  });
  assert.deepEqual(await failing({ assemble: throws }), {
    failure: "assemble exception",
    message: "gone",
    holds: ["query", "candidates"],
    cache: { execution: "miss", retrieve: "miss" },
  });
  assert.deepEqual(await failing({ generate: throws }), {
    failure: "generate exception",
    message: "gone",
    holds: ["query", "candidates", "context", "dropped"],
    cache: { execution: "miss", retrieve: "miss", generate: "miss" },
  });
});

Deno.test("runCase: outputs of a wrong shape fail the stage that returned them", async () => {
  const retrieve = (): RetrieveResult => ({ candidates: Array(5).fill({ doc_id: "a" }) });
  assert.equal((await failing({ retrieve })).failure, "retrieve invalid_output");
  const generate = () => undefined;
  assert.equal((await failing({ generate })).failure, "generate invalid_output");
  const assemble = () => [{ doc_id: "" }];
  assert.equal((await failing({ assemble })).failure, "assemble invalid_output");
  const budget = { settings: { token_budget: 9 } };
  assert.equal((await failing({ countTokens: () => 0.5 }, budget)).failure, "assemble invalid_output");
  assert.equal((await failing({ countTokens: throws }, budget)).failure, "assemble exception");
});

Deno.test("runCase: failed stages are tried again by the next equal case, finished ones are not", async () => {
  const cache = new MemoryCache();
  const calls = { retrieve: 0, generate: 0 };
  const stages = stagesOf({
    retrieve: () => {
      calls.retrieve++;
      return { candidates: passages };
    },
    generate: () => {
      if (++calls.generate < 3) throw new Error("overloaded");
      return "at last";
    },
  });
  const outcomes: unknown[] = [];
  for (const id of ["a", "b", "c", "d"]) {
    const { record, cache: outcome } = await execute(stages, { cache, id });
    outcomes.push([record.case.id, record.error?.kind ?? record.output, outcome]);
  }
  assert.deepEqual(outcomes, [
    ["a", "exception", { execution: "miss", retrieve: "miss", generate: "miss" }],
    ["b", "exception", { execution: "miss", retrieve: "hit", generate: "miss" }],
    ["c", "at last", { execution: "miss", retrieve: "hit", generate: "miss" }],
    ["d", "at last", { execution: "hit", retrieve: "hit", generate: "hit" }],
  ]);
  assert.deepEqual(calls, { retrieve: 1, generate: 3 });
});

Deno.test("runCase: equal inputs at one time are executed once, each with its own case in the record", async () => {
  const cache = new MemoryCache();
  let calls = 0;
  const stages = stagesOf({
    generate: async () => {
      calls++;
      await Promise.resolve();
      return { answer: "a" };
    },
  });
  const results = await Promise.all(["a", "b", "c"].map((id) => execute(stages, { cache, id })));
  assert.equal(calls, 1);
  assert.deepEqual(results.map(({ record }) => record.case.id), ["a", "b", "c"]);
  assert.deepEqual(results.map(({ cache }) => cache.execution), ["miss", "hit", "hit"]);
  assert.deepEqual(results[2]?.record.output, { answer: "a" });
});

Deno.test("runCase: a change of generation reuses the retrieval, and an equal context the generation", async () => {
  const cache = new MemoryCache();
  const stages = stagesOf();
  const outcome = async (change: Partial<SystemSettings>, source_digest = "d1") =>
    Object.values((await execute(stages, { cache, settings: change, source_digest })).cache).join(" ");
  assert.equal(await outcome({}), "miss miss miss");
  assert.equal(await outcome({}), "hit hit hit");
  assert.equal(await outcome({ version: "2" }), "miss hit miss");
  assert.equal(await outcome({ top_k: 1 }), "miss hit miss");
  assert.equal(await outcome({ token_budget: 100 }), "miss hit hit");
  assert.equal(await outcome({}, "d2"), "miss hit miss");
  assert.equal(await outcome({ depth: 5 }), "miss miss hit");
  assert.equal(await outcome({ index_version: "i2" }), "miss miss hit");
});

Deno.test("runCase: what a stage does to what it was given reaches no record and no other case", async () => {
  const spoil = (value: unknown) => {
    if (typeof value !== "object" || value === null) return;
    for (const key of Object.keys(value)) Reflect.deleteProperty(value, key);
    Object.assign(value, { spoilt: true });
  };
  const spoilAll = (input: Json, passages: readonly Passage[], { params }: Pick<StageTools, "params">) => {
    spoil(input);
    for (const passage of passages) spoil(passage);
    spoil(params);
  };
  const cache = new MemoryCache();
  const stages: RagStages = {
    retrieve: (input, _depth, tools) => {
      spoilAll(input, [], tools);
      return { query: { text: "q" }, candidates: passages };
    },
    assemble: (input, candidates) => {
      const kept = structuredClone(candidates).slice(0, 2);
      spoilAll(input, candidates, { params: {} });
      return kept;
    },
    generate: (input, context, tools) => {
      spoilAll(input, context, tools);
      spoil(tools.query);
      return { answer: "a" };
    },
  };
  const given = { cache, input: { question: "how long?" } };
  const own = structuredClone(settings);
  const first = await execute(stages, { ...given, settings: own });
  assert.deepEqual(first.record.case.input, { question: "how long?" });
  assert.deepEqual(first.record.query, { text: "q" });
  assert.deepEqual(first.record.candidates, passages);
  assert.deepEqual(first.record.context, passages.slice(0, 2));
  assert.deepEqual(own, settings);
  assert.equal((await execute(stages, { ...given, settings: own })).cache.execution, "hit");
});

Deno.test("runCase: what a stage keeps of its answer and changes later reaches no record", async () => {
  const candidates = [{ doc_id: "a", text: "one" }];
  const answer = { answer: "a" };
  const { record } = await execute(stagesOf({ retrieve: () => ({ candidates }), generate: () => answer }));
  Object.assign(candidates[0] ?? {}, { text: "changed" });
  answer.answer = "changed";
  assert.deepEqual(record.candidates, [{ doc_id: "a", text: "one" }]);
  assert.deepEqual(record.output, { answer: "a" });
});

Deno.test("runCase: an interruption is thrown, and leaves nothing that stands for the work", async () => {
  const cache = new MemoryCache();
  const stop = new AbortController();
  const reason = new Error("interrupted");
  const hanging = stagesOf({
    generate: () => {
      stop.abort(reason);
      return new Promise(() => {});
    },
  });
  await assert.rejects(execute(hanging, { cache, stop: stop.signal }), (thrown) => thrown === reason);
  const again = await execute(stagesOf(), { cache });
  assert.deepEqual(again.cache, { execution: "miss", retrieve: "hit", generate: "miss" });
});

Deno.test("runCase: usage that a stage tells stands in its cost, and in a failure's", async () => {
  const told = await execute(stagesOf({
    retrieve: (_input, _depth, { usage }) => {
      usage({ cost_usd: 0.5 });
      return { candidates: [] };
    },
    generate: (_input, _context, { usage }) => {
      usage({ input_tokens: 3 });
      throw new Error("cut off");
    },
  }));
  assert.deepEqual(costsOf(told.evidence), { retrieve: { latency_ms: 0, usage: { cost_usd: 0.5 } } });
  assert.deepEqual(told.record.error?.cost?.usage, { input_tokens: 3 });
});
