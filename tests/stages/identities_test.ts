import assert from "node:assert/strict";
import fc from "fast-check";
import type { Passage } from "../../lib/domain/passage.ts";
import type { CaseRecord } from "../../lib/domain/record.ts";
import type { SystemSettings } from "../../lib/domain/settings.ts";
import {
  evaluatorIdentity,
  executionIdentity,
  generationIdentity,
  recordIdentity,
  retrievalIdentity,
  type SystemIdentity,
} from "../../lib/stages/identities.ts";

const settings: SystemSettings = {
  name: "help",
  version: "1",
  depth: 6,
  top_k: 2,
  token_budget: 40,
  index_version: "i1",
  params: { retrieve: { mode: "dense" }, generate: { model: "small" } },
};
const system: SystemIdentity = { settings, source_digest: "d1" };
const input = { question: "how long?" };
const context: readonly Passage[] = [{ doc_id: "a", text: "14 days" }];

const changed = (change: Partial<SystemSettings>): SystemIdentity => ({
  ...system,
  settings: { ...settings, ...change },
});
const otherSource: SystemIdentity = { ...system, source_digest: "d2" };
const otherRetrieveParams = changed({ params: { ...settings.params, retrieve: { mode: "sparse" } } });
const otherGenerateParams = changed({ params: { ...settings.params, generate: { model: "large" } } });

/** Names those changes that give another identity than none. */
function tellers(identity: (changed: SystemIdentity) => string): readonly string[] {
  const changes: Readonly<Record<string, SystemIdentity>> = {
    name: changed({ name: "other" }),
    version: changed({ version: "2" }),
    depth: changed({ depth: 7 }),
    top_k: changed({ top_k: 3 }),
    token_budget: changed({ token_budget: 41 }),
    "no token_budget": changed({ token_budget: null }),
    index_version: changed({ index_version: "i2" }),
    "params.retrieve": otherRetrieveParams,
    "params.generate": otherGenerateParams,
    source_digest: otherSource,
    "no source_digest": { ...system, source_digest: null },
  };
  const before = identity(system);
  return Object.keys(changes).filter((name) => identity(changes[name] ?? system) !== before);
}

Deno.test("retrievalIdentity: name, index_version, depth and params.retrieve tell retrievals apart", () => {
  assert.deepEqual(tellers((changed) => retrievalIdentity(changed, input)), [
    "name",
    "depth",
    "index_version",
    "params.retrieve",
  ]);
  assert.notEqual(retrievalIdentity(system, "other"), retrievalIdentity(system, input));
  const { index_version: _, ...unversioned } = settings;
  assert.notEqual(
    retrievalIdentity({ ...system, settings: unversioned }, input),
    retrievalIdentity(system, input),
  );
});

Deno.test("retrievalIdentity: no top_k, token_budget, version, source or generate parameter makes another one", () => {
  const change = fc.record({
    top_k: fc.integer({ min: 1, max: 6 }),
    token_budget: fc.option(fc.integer({ min: 1 })),
    version: fc.string({ minLength: 1 }),
    params: fc.record({
      retrieve: fc.constant(settings.params.retrieve),
      generate: fc.dictionary(fc.string(), fc.string()),
    }),
  });
  fc.assert(
    fc.property(change, fc.option(fc.string()), (change, source_digest) => {
      const other = { settings: { ...settings, ...change }, source_digest };
      assert.equal(retrievalIdentity(other, input), retrievalIdentity(system, input));
    }),
    { seed: 1 },
  );
});

Deno.test("generationIdentity: name, version, source and params.generate tell generations apart", () => {
  assert.deepEqual(tellers((changed) => generationIdentity(changed, input, "q", context)), [
    "name",
    "version",
    "params.generate",
    "source_digest",
    "no source_digest",
  ]);
});

Deno.test("generationIdentity: so do input, query and the context with its order", () => {
  const two: readonly Passage[] = [{ doc_id: "a", text: "x" }, { doc_id: "b", text: "x" }];
  const identities = [
    generationIdentity(system, input, "q", two),
    generationIdentity(system, "other", "q", two),
    generationIdentity(system, input, "r", two),
    generationIdentity(system, input, undefined, two),
    generationIdentity(system, input, null, two),
    generationIdentity(system, input, "q", two.toReversed()),
    generationIdentity(system, input, "q", two.slice(1)),
    generationIdentity(system, input, "q", []),
    generationIdentity(system, input, "q", [{ doc_id: "a", text: "y" }, { doc_id: "b", text: "x" }]),
    generationIdentity(system, input, "q", [{ doc_id: "a", text: "x", score: 1 }, {
      doc_id: "b",
      text: "x",
    }]),
  ];
  assert.equal(new Set(identities).size, identities.length);
});

Deno.test("generationIdentity: the index version counts where a passage has no text, and only there", () => {
  const other = changed({ index_version: "i2" });
  const textless: readonly Passage[] = [...context, { doc_id: "b" }];
  const same = (context: readonly Passage[]) =>
    generationIdentity(system, input, "q", context) === generationIdentity(other, input, "q", context);
  assert.equal(same(context), true);
  assert.equal(same([]), true);
  assert.equal(same([{ doc_id: "a", text: "" }]), true);
  assert.equal(same(textless), false);
});

Deno.test("executionIdentity: every setting, the source and the input tell executions apart", () => {
  const all = tellers((changed) => executionIdentity(changed, input));
  assert.equal(all.length, 11);
  assert.notEqual(executionIdentity(system, "other"), executionIdentity(system, input));
});

Deno.test("identities of different kinds never meet", () => {
  const identities = [
    retrievalIdentity(system, input),
    generationIdentity(system, input, undefined, []),
    executionIdentity(system, input),
    recordIdentity("", { case: { id: "a", input } }),
    evaluatorIdentity({ type: "contains", version: 1, parameters: {} }),
  ];
  assert.equal(new Set(identities).size, identities.length);
});

const record: CaseRecord = {
  case: { id: "a", input, expected: { answer: "14 days" } },
  query: "q",
  candidates: [{ doc_id: "a" }],
  context,
  dropped: [],
  output: { answer: "14" },
};

Deno.test("recordIdentity: execution, candidates, context, output and expectation tell records apart", () => {
  const others: readonly CaseRecord[] = [
    { ...record, candidates: [] },
    { ...record, context: [] },
    { ...record, output: null },
    { ...record, case: { ...record.case, expected: { answer: "15 days" } } },
    { ...record, error: { stage: "generate", kind: "timeout", message: "late" } },
  ];
  const identities = [recordIdentity("e", record), recordIdentity("f", record)];
  identities.push(...others.map((other) => recordIdentity("e", other)));
  assert.equal(new Set(identities).size, identities.length);
});

Deno.test("recordIdentity: the name of the case and what a failure cost are no difference", () => {
  const renamed = { ...record, case: { ...record.case, id: "b" } };
  assert.equal(recordIdentity("e", renamed), recordIdentity("e", record));
  const error = { stage: "generate", kind: "exception", message: "no" } as const;
  const failed = (latency_ms: number) =>
    recordIdentity("e", { ...record, error: { ...error, cost: { latency_ms } } });
  assert.equal(failed(1), failed(2));
  assert.equal(failed(1), recordIdentity("e", { ...record, error }));
  assert.equal(failed(1), recordIdentity("e", { ...record, error: { ...error, trace: "at generate" } }));
});

Deno.test("evaluatorIdentity: type, version, every parameter and the code that it calls", () => {
  const evaluator = { type: "contains", version: 1, parameters: { field: "answer", ignore_case: true } };
  const identities = [
    evaluator,
    { ...evaluator, type: "equals" },
    { ...evaluator, version: 2 },
    { ...evaluator, parameters: { field: "answer", ignore_case: false } },
    { ...evaluator, parameters: { ignore_case: true } },
    { ...evaluator, source_digest: "d1" },
    { ...evaluator, source_digest: "d2" },
  ].map(evaluatorIdentity);
  assert.equal(new Set(identities).size, identities.length);
});

Deno.test("identities: repeats share nothing, and the first is the execution of a run without repeats", () => {
  const repeated = (repeat: number): SystemIdentity => ({ ...system, repeat });
  for (
    const identity of [
      (of: SystemIdentity) => retrievalIdentity(of, input),
      (of: SystemIdentity) => generationIdentity(of, input, "q", context),
      (of: SystemIdentity) => executionIdentity(of, input),
      (of: SystemIdentity) => recordIdentity(executionIdentity(of, input), { case: { id: "a", input } }),
    ]
  ) {
    assert.equal(identity(repeated(1)), identity(system));
    assert.equal(new Set([system, repeated(2), repeated(3)].map(identity)).size, 3);
  }
});
