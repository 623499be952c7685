import assert from "node:assert/strict";
import { OloproofError } from "../../lib/domain/error.ts";
import { isOneStage, ragSystem, readSystem } from "../../lib/stages/rag_system.ts";

const own = { name: "help", version: "1", depth: 3, top_k: 1 };
const stages = {
  retrieve: () => ({ candidates: [] }),
  generate: () => null,
};

/** The error of a system that cannot be used. */
function faultOf(exported: unknown): OloproofError {
  try {
    readSystem(exported, "app.ts:helpDesk");
  } catch (cause) {
    assert.ok(cause instanceof OloproofError, String(cause));
    assert.equal(cause.code, "invalid_system");
    assert.equal(cause.kind, "configuration");
    assert.equal(cause.where, "app.ts:helpDesk");
    return cause;
  }
  return assert.fail("the system was taken as usable");
}

const messageOf = (exported: unknown) => faultOf(exported).summary;

Deno.test("ragSystem: settings and stages are kept as they are given", () => {
  const system = ragSystem(own, stages);
  assert.deepEqual(system.settings, own);
  assert.equal(system.stages, stages);
  assert.deepEqual(ragSystem({}, stages).settings, {});
});

Deno.test("ragSystem: settings that do not fit are refused with what is allowed", () => {
  const wrong = { ...own, topk: 2 };
  assert.throws(() => ragSystem(wrong, stages), (thrown) => {
    assert.ok(thrown instanceof OloproofError);
    assert.equal(thrown.code, "invalid_system");
    assert.match(thrown.summary, /its settings do not fit: .*topk/);
    assert.match(
      thrown.hint ?? "",
      /^settings are name, version, depth, top_k, token_budget, index_version, params, reports, accepts_context, ranked$/,
    );
    return true;
  });
});

Deno.test("readSystem: the value of ragSystem", () => {
  const system = readSystem(ragSystem(own, stages), "app");
  assert.deepEqual(system.settings, own);
  assert.equal(system.stages, stages);
});

Deno.test("readSystem: one plain object with settings and functions; other keys are its own business", () => {
  const exported = {
    ...own,
    token_budget: null,
    params: { generate: { a: 1 } },
    ...stages,
    cache: new Map(),
  };
  const system = readStaged(exported);
  assert.deepEqual(system.settings, { ...own, token_budget: null, params: { generate: { a: 1 } } });
  assert.equal(system.stages.generate, stages.generate);
});

/** A system of two stages. */
function readStaged(exported: unknown) {
  const { settings, stages } = readSystem(exported, "app");
  assert.ok(!isOneStage(stages));
  return { settings, stages };
}

class HelpDesk {
  readonly name = "help-desk";
  readonly version = "7";
  readonly depth = 2;
  readonly top_k = 1;
  readonly #index = ["refunds", "seats"];

  retrieve() {
    return { candidates: this.#index.map((doc_id) => ({ doc_id })) };
  }

  generate() {
    return `${this.name} ${this.version}`;
  }

  countTokens() {
    return this.#index.length;
  }
}

/** The last argument of a stage that reads nothing of it. */
const tools = { signal: new AbortController().signal, params: {}, usage: () => {} };

Deno.test("readSystem: a class instance, whose methods keep `this`", async () => {
  const { settings, stages } = readStaged(new HelpDesk());
  assert.deepEqual(settings, { name: "help-desk", version: "7", depth: 2, top_k: 1 });
  const found = await stages.retrieve(null, 2, tools);
  assert.deepEqual(found.candidates, [{ doc_id: "refunds" }, { doc_id: "seats" }]);
  assert.equal(stages.generate(null, [], tools), "help-desk 7");
  assert.equal(await stages.countTokens?.({ doc_id: "a" }), 2);
});

Deno.test("ragSystem: the stages may be a class instance, too", async () => {
  const { stages } = readStaged(ragSystem(own, new HelpDesk()));
  assert.equal((await stages.retrieve(null, 2, tools)).candidates.length, 2);
});

Deno.test("readSystem: settings may be inherited and computed", () => {
  class Versioned extends HelpDesk {
    get index_version() {
      return "2026";
    }
  }
  assert.equal(readSystem(new Versioned(), "app").settings.index_version, "2026");
});

Deno.test("readSystem: a class or a function is no system, and the way out is named", () => {
  for (const exported of [HelpDesk, () => ragSystem(own, stages)]) {
    const fault = faultOf(exported);
    assert.equal(fault.summary, "Cannot use the system: the export is a function or a class");
    assert.equal(
      fault.hint,
      "export what it makes: ragSystem(…), an object, or an instance (new MySystem(…))",
    );
  }
});

Deno.test("readSystem: what is no object is named", () => {
  assert.equal(messageOf(null), "Cannot use the system: the export is null");
  assert.equal(messageOf(undefined), "Cannot use the system: the export is undefined");
  assert.equal(messageOf("app"), "Cannot use the system: the export is string");
});

Deno.test("readSystem: missing functions are named, all at once", () => {
  assert.equal(
    messageOf({ ...own }),
    'Cannot use the system: it has no function "retrieve" and no function "generate"',
  );
  assert.equal(
    messageOf({ ...own, retrieve: stages.retrieve }),
    'Cannot use the system: it has no function "generate"',
  );
  assert.equal(
    messageOf({ ...own, ...stages, retrieve: "dense" }),
    'Cannot use the system: it has no function "retrieve"',
  );
  assert.match(
    messageOf({ settings: own, stages: null }),
    /no function "retrieve" and no function "generate"$/,
  );
  assert.match(faultOf({ ...own }).hint ?? "", /retrieve\(input, depth, tools\)/);
});

Deno.test("readSystem: optional members must be functions where they are there", () => {
  assert.equal(
    messageOf({ ...own, ...stages, countTokens: 4 }),
    'Cannot use the system: its "countTokens" is number, not a function',
  );
  assert.match(
    messageOf(ragSystemLike({ ...stages, assemble: null })),
    /its "assemble" is object, not a function$/,
  );
  assert.ok(readSystem({ ...own, ...stages, countTokens: undefined }, "app"));
});

/** What ragSystem would refuse to make. */
function ragSystemLike(stages: unknown) {
  return { settings: own, stages };
}

Deno.test("readSystem: settings of a wrong type are refused", () => {
  assert.match(messageOf({ ...own, ...stages, depth: "3" }), /its settings do not fit: .*depth/);
  assert.match(messageOf({ settings: { ...own, depht: 3 }, stages }), /depht/);
});
