import assert from "node:assert/strict";
import fc from "fast-check";
import {
  completeSettings,
  type PartialSettings,
  partialSettingsSchema,
  statedSettings,
  type SystemSettings,
} from "../../lib/domain/settings.ts";

const own: PartialSettings = { name: "help", version: "1", depth: 6, top_k: 2 };

function complete(system: PartialSettings, project: PartialSettings = {}): SystemSettings {
  const completed = completeSettings(system, project);
  assert.ok(completed.ok, JSON.stringify(completed));
  return completed.settings;
}

/** `code key` of each problem. */
function problemsOf(system: PartialSettings, project: PartialSettings = {}): readonly string[] {
  const completed = completeSettings(system, project);
  return completed.ok ? [] : completed.problems.map(({ code, key }) => `${code} ${key}`);
}

Deno.test("completeSettings: what nobody states has its default, and no index version is none", () => {
  const settings = complete(own);
  assert.deepEqual(settings, {
    name: "help",
    version: "1",
    depth: 6,
    top_k: 2,
    token_budget: null,
    params: { retrieve: {}, generate: {} },
  });
  assert.ok(!("index_version" in settings));
});

Deno.test("completeSettings: each key of the project takes the place of the system's", () => {
  const project = { name: "b", version: "2", depth: 9, top_k: 3, token_budget: 40, index_version: "i" };
  assert.deepEqual(complete({ ...own, token_budget: 7, index_version: "h" }, project), {
    ...project,
    params: { retrieve: {}, generate: {} },
  });
});

Deno.test("completeSettings: undefined overrides nothing, a null budget takes the budget away", () => {
  const system = { ...own, token_budget: 40 };
  const silent = { name: undefined, version: undefined, depth: undefined, token_budget: undefined };
  assert.deepEqual(complete(system, silent), complete(system));
  assert.equal(complete(system).token_budget, 40);
  assert.equal(complete(system, { token_budget: null }).token_budget, null);
  assert.equal(complete({ ...own, token_budget: null }, { token_budget: 3 }).token_budget, 3);
});

Deno.test("completeSettings: params are laid over each other key by key, also within objects, for each stage apart", () => {
  const system = { ...own, params: { retrieve: { a: 1, b: { x: 1 } }, generate: { model: "small" } } };
  const project = { params: { retrieve: { b: { y: 2 }, c: 3 } } };
  assert.deepEqual(complete(system, project).params, {
    retrieve: { a: 1, b: { x: 1, y: 2 }, c: 3 },
    generate: { model: "small" },
  });
  const replaced = { params: { retrieve: { a: { x: 1 }, b: [1] }, generate: { model: null } } };
  assert.deepEqual(complete(system, replaced).params, {
    retrieve: { a: { x: 1 }, b: [1] },
    generate: { model: null },
  });
});

Deno.test("completeSettings: all that is absent is said at once", () => {
  assert.deepEqual(problemsOf({}), [
    "setting_absent name",
    "setting_absent version",
    "setting_absent depth",
    "setting_absent top_k",
  ]);
  assert.deepEqual(problemsOf({ name: "a", depth: 1 }, { top_k: 1 }), ["setting_absent version"]);
});

Deno.test("completeSettings: top_k beyond depth is a problem, whoever states which", () => {
  assert.deepEqual(problemsOf(own, { top_k: 7 }), ["top_k_beyond_depth top_k"]);
  assert.deepEqual(problemsOf(own, { depth: 1 }), ["top_k_beyond_depth top_k"]);
  assert.deepEqual(problemsOf({ depth: 1, top_k: 2 }, { name: "a" }), [
    "setting_absent version",
    "top_k_beyond_depth top_k",
  ]);
  assert.deepEqual(problemsOf(own, { depth: 2 }), []);
});

Deno.test("completeSettings: complete settings are a fixed point", () => {
  const partial = fc.record({
    name: fc.constantFrom("a", "b"),
    version: fc.constantFrom("1", "2"),
    depth: fc.integer({ min: 5, max: 9 }),
    top_k: fc.integer({ min: 1, max: 5 }),
    token_budget: fc.option(fc.integer({ min: 1 })),
    index_version: fc.constantFrom("i", "j"),
    params: fc.record({ retrieve: fc.dictionary(fc.string(), fc.integer()) }, { requiredKeys: [] }),
  }, { requiredKeys: [] });
  fc.assert(
    fc.property(partial, partial, (system, project) => {
      const completed = completeSettings(system, project);
      if (!completed.ok) return;
      const stated = statedSettings(completed.settings);
      assert.deepEqual(complete(stated), completed.settings);
      assert.deepEqual(complete(stated, project), completed.settings);
    }),
    { seed: 1 },
  );
});

Deno.test("the schema of settings takes what is stated and refuses what is misspelt or out of range", () => {
  assert.ok(partialSettingsSchema.safeParse({ ...own, token_budget: null, params: {} }).success);
  const wrong = [
    { topk: 2 },
    { depth: 0 },
    { top_k: 1.5 },
    { token_budget: 0 },
    { token_budget: "40" },
    { name: "" },
    { params: { retriever: {} } },
    { params: { retrieve: { at: new Date(0) } } },
  ];
  for (const settings of wrong) {
    assert.ok(!partialSettingsSchema.safeParse(settings).success, JSON.stringify(settings));
  }
});
