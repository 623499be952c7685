import assert from "node:assert/strict";
import fc from "fast-check";
import type { PartialSettings } from "../../lib/domain/settings.ts";
import { assignmentsFromObject, parseAssignments } from "../../lib/config/parse_assignments.ts";
import { showIssues } from "./show_issues.ts";

const RIGHT: readonly (readonly [readonly string[], PartialSettings])[] = [
  [[], {}],
  [["top_k=4"], { top_k: 4 }],
  [["depth=6", "top_k=2"], { depth: 6, top_k: 2 }],
  [["token_budget=null"], { token_budget: null }],
  [["token_budget= 120 # tokens"], { token_budget: 120 }],
  [["version=v2"], { version: "v2" }],
  [["version=1.0"], { version: "1.0" }],
  [["version=2"], { version: "2" }],
  [["version=0x10"], { version: "0x10" }],
  [["name=true"], { name: "true" }],
  [["version='1.0'"], { version: "1.0" }],
  [["index_version=2026-09-16"], { index_version: "2026-09-16" }],
  [["params.generate.model=x"], { params: { generate: { model: "x" } } }],
  [["params.generate.temperature=0.5"], { params: { generate: { temperature: 0.5 } } }],
  [["params.generate.llm.model=x", "params.generate.llm.n=3", "params.retrieve.boost=1"], {
    params: { generate: { llm: { model: "x", n: 3 } }, retrieve: { boost: 1 } },
  }],
  [["params.retrieve.filter={a: [1, b]}"], { params: { retrieve: { filter: { a: [1, "b"] } } } }],
  [["params.generate={model: x}"], { params: { generate: { model: "x" } } }],
  [["params.generate.prompt=a=b"], { params: { generate: { prompt: "a=b" } } }],
  [['params.generate.stop=""'], { params: { generate: { stop: "" } } }],
  [["params.generate.constructor=1"], { params: { generate: { constructor: 1 } } }],
];

for (const [pairs, settings] of RIGHT) {
  Deno.test(`--set ${pairs.join(" --set ")}`, () => {
    assert.deepEqual(parseAssignments(pairs), { ok: true, settings });
  });
}

const KEYS =
  "name, version, depth, top_k, token_budget, index_version, params, reports, accepts_context, ranked";

const WRONG: readonly (readonly [readonly string[], ...string[]])[] = [
  [["topk=4"], `unknown_key: Unknown key "topk"; allowed: ${KEYS} (did you mean "top_k"?)`],
  [["model=x"], `unknown_key: Unknown key "model"; allowed: ${KEYS}`],
  [
    ["retrieve.x=1"],
    `unknown_key: Unknown key "retrieve"; allowed: ${KEYS} ("retrieve" belongs under params)`,
  ],
  [
    ["system.rag.top_k=3"],
    `unknown_key: Unknown key "system.rag.top_k"; allowed: ${KEYS} (did you mean "top_k"?)`,
  ],
  [
    ["params.generat.x=1"],
    'unknown_key: Unknown key "generat" in params; allowed: retrieve, generate ' +
    '(did you mean "generate"?)',
  ],
  [["params.generate=3"], "invalid_type: params.generate must be an object, not 3"],
  [["params.generate.x=.nan"], "invalid_type: params.generate.x must be a JSON value, not NaN"],
  [["top_k"], 'invalid_value: An assignment must be key=value, not "top_k"'],
  [["=4"], 'invalid_value: An assignment must be key=value, not "=4"'],
  [["top_k="], 'invalid_value: top_k has no value in "top_k=" (write null, or "" for no text)'],
  [
    ["params.generate.p=#1"],
    'invalid_value: params.generate.p has no value in "params.generate.p=#1" ' +
    '(write null, or "" for no text)',
  ],
  [["top_k=0"], "invalid_value: top_k must be a whole number of at least 1, not 0"],
  [
    ["token_budget='40'"],
    'invalid_type: token_budget must be a whole number of at least 1 or null, not "40" ' +
    "(write it without quotes: 40)",
  ],
  [["version=null"], "invalid_type: version must be non-empty text, not null"],
  [["version=[a"], 'yaml_syntax: Invalid YAML: Flow sequence must end with a ], in "version=[a"'],
  [["params..x=1"], 'invalid_value: "params..x" is no path of a setting'],
  [["params.generate.__proto__.x=1"], 'invalid_value: "params.generate.__proto__.x" is no path of a setting'],
  [
    [`params.generate${".a".repeat(20_000)}=1`],
    'invalid_value: "params.generate' + `${".a".repeat(22)}…" is no path of a setting`,
  ],
  [["top_k=3", "top_k=4"], "duplicate_key: top_k is set twice"],
  [
    ["params.generate.a.b=1", "params.generate.a=1"],
    "duplicate_key: params.generate.a and params.generate.a.b set the same",
  ],
  [
    ["depth=x", "top_k", "nme=y", "version=[", "params.=1"],
    'invalid_value: An assignment must be key=value, not "top_k"',
    'yaml_syntax: Invalid YAML: Flow sequence must end with a ], in "version=["',
    'invalid_value: "params." is no path of a setting',
    'invalid_type: depth must be a whole number of at least 1, not "x"',
    `unknown_key: Unknown key "nme"; allowed: ${KEYS} (did you mean "name"?)`,
  ],
];

for (const [pairs, ...expected] of WRONG) {
  Deno.test(`mistakes in --set ${pairs.join(" --set ").slice(0, 60)}`, () => {
    assert.deepEqual(showIssues(parseAssignments(pairs)), expected.map((issue) => `--set ${issue}`));
  });
}

Deno.test("a key that begins with another is not within it", () => {
  assert.deepEqual(parseAssignments(["params.generate.a=1", "params.generate.ab=2"]), {
    ok: true,
    settings: { params: { generate: { a: 1, ab: 2 } } },
  });
});

Deno.test("a calling program gives settings as an object, nested or dotted", () => {
  assert.deepEqual(
    assignmentsFromObject({ token_budget: 120, version: undefined, "params.generate.model": "x" }),
    {
      ok: true,
      settings: { token_budget: 120, params: { generate: { model: "x" } } },
    },
  );
  assert.deepEqual(assignmentsFromObject({ params: { retrieve: { a: { b: 1 } } } }), {
    ok: true,
    settings: { params: { retrieve: { a: { b: 1 } } } },
  });
  assert.deepEqual(showIssues(assignmentsFromObject({ token_budgt: 3, version: 1 })), [
    'set invalid_type: version must be non-empty text, not 1 (write it in quotes: "1")',
    `set unknown_key: Unknown key "token_budgt"; allowed: ${KEYS} (did you mean "token_budget"?)`,
  ]);
  assert.deepEqual(showIssues(assignmentsFromObject({ token_budget: Infinity })), [
    "set invalid_type: The settings must be a JSON object; set.token_budget: Infinity is not a JSON number",
  ]);
});

Deno.test("any pairs give settings or issues", () => {
  const pieces = fc.constantFrom(
    "top_k",
    "params.generate.",
    "=",
    "a",
    ".",
    "1",
    "[",
    "&a ",
    "*a",
    ": ",
    "\n",
    "'",
    "#",
    "",
  );
  fc.assert(
    fc.property(
      fc.array(fc.array(pieces, { maxLength: 6 }).map((parts) => parts.join("")), { maxLength: 3 }),
      (pairs) => {
        const parsed = parseAssignments(pairs);
        assert.ok(parsed.ok || parsed.issues.length > 0);
      },
    ),
    { seed: 20_261_130, numRuns: 1000 },
  );
});
