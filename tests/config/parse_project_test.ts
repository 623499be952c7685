import assert from "node:assert/strict";
import fc from "fast-check";
import type { Project } from "../../lib/domain/project.ts";
import { parseProject } from "../../lib/config/parse_project.ts";
import { showIssues } from "./show_issues.ts";

const ORIGIN = { file: "oloproof.yaml", root: "/home/ada/rag" };
const SYSTEM = "system: {rag: {object: 'app:supportRag'}}\n";

function issuesOf(text: string): readonly string[] {
  return showIssues(parseProject(text, ORIGIN));
}

function projectOf(text: string): Project {
  const parsed = parseProject(text, ORIGIN);
  if (!parsed.ok) throw new Error(showIssues(parsed).join("\n"));
  return parsed.project;
}

/** How judge calls are made unless the project says otherwise. */
const JUDGING = { concurrency: 16, timeout_seconds: 60, retries: 4, prices: {} };

Deno.test("the smallest project has every default", () => {
  assert.deepEqual(projectOf(SYSTEM), {
    root: "/home/ada/rag",
    file: "/home/ada/rag/oloproof.yaml",
    system: {
      kind: "module",
      object: "app:supportRag",
      files: [],
      identity: "source",
      runtime: "auto",
      start_timeout_seconds: 120,
    },
    settings: {},
    cases: { kind: "files", paths: ["/home/ada/rag/cases.jsonl"] },
    evaluators: [],
    slices: [],
    min_slice_support: 5,
    relevance_unit: "document",
    run: { concurrency: 8, timeout_seconds: 60, retries: 0, repeats: 1 },
    judging: JUDGING,
    store: "/home/ada/rag/.oloproof/oloproof.db",
  });
});

Deno.test("every key of the project file arrives", () => {
  const text = `system:
  name: support-rag
  version: v2
  rag:
    object: src/rag/app.ts:supportRag
    depth: 6
    top_k: 2
    token_budget: null
    index_version: 2026-09-16
    params: {retrieve: {boost: 1.5}, generate: {model: {name: m, stop: [a, b]}}}
    identity: version
    files: [prompts/*.txt]
    runtime: python
    start_timeout_seconds: 300
cases: [a.jsonl, ../b.jsonl]
evaluators:
  - {type: contains, criterion: answer_correct, field: answer}
  - {type: ndcg, k: 6}
slices: [metadata.topic, input.user.plan, relevant_position, context_truncated]
min_slice_support: 1
relevance_unit: chunk
run: {concurrency: 1, timeout_seconds: 0.5, retries: 2, repeats: 3}
python: {command: [uv, run, python]}
store: runs.db
`;
  assert.deepEqual(projectOf(text), {
    root: "/home/ada/rag",
    file: "/home/ada/rag/oloproof.yaml",
    system: {
      kind: "module",
      object: "src/rag/app.ts:supportRag",
      files: ["prompts/*.txt"],
      identity: "version",
      runtime: "python",
      python: ["uv", "run", "python"],
      start_timeout_seconds: 300,
    },
    settings: {
      name: "support-rag",
      version: "v2",
      depth: 6,
      top_k: 2,
      token_budget: null,
      index_version: "2026-09-16",
      params: { retrieve: { boost: 1.5 }, generate: { model: { name: "m", stop: ["a", "b"] } } },
    },
    cases: { kind: "files", paths: ["/home/ada/rag/a.jsonl", "/home/ada/b.jsonl"] },
    evaluators: [
      { type: "contains", criterion: "answer_correct", parameters: { field: "answer", ignore_case: true } },
      { type: "ndcg", criterion: "ndcg_at_6", parameters: { k: 6, relevance_unit: "chunk" } },
    ],
    slices: ["metadata.topic", "input.user.plan", "relevant_position", "context_truncated"],
    min_slice_support: 1,
    relevance_unit: "chunk",
    run: { concurrency: 1, timeout_seconds: 0.5, retries: 2, repeats: 3 },
    judging: JUDGING,
    store: "/home/ada/rag/runs.db",
  });
});

Deno.test("the shipped example is right", () => {
  const text = Deno.readTextFileSync(new URL("../../examples/support_rag/oloproof.yaml", import.meta.url));
  assert.deepEqual(
    projectOf(text).evaluators.map(({ criterion }) => criterion),
    ["answer_correct", "hit_rate_at_2", "recall_at_2", "ndcg_at_6", "citations_valid"],
  );
});

Deno.test("a store is a path or a URL", () => {
  const stores = ["libsql://team.example", "https://db.example/x", "http://127.0.0.1:8080", "/var/runs.db"];
  for (const store of stores) assert.equal(projectOf(`${SYSTEM}store: ${store}\n`).store, store);
  assert.equal(projectOf(`${SYSTEM}store: data/runs.db\n`).store, "/home/ada/rag/data/runs.db");
});

Deno.test("an evaluator that states its unit keeps it", () => {
  const [evaluator] = projectOf(
    `${SYSTEM}relevance_unit: chunk\nevaluators: [{type: recall, k: 3, relevance_unit: document}]\n`,
  ).evaluators;
  assert.deepEqual(evaluator?.parameters, { k: 3, relevance_unit: "document" });
});

Deno.test("only evaluators of retrieval take the project's unit", () => {
  const [evaluator] =
    projectOf(`${SYSTEM}relevance_unit: chunk\nevaluators: [{type: completed}]\n`).evaluators;
  assert.deepEqual(evaluator?.parameters, {});
});

const TOP =
  "system, cases, corpus, evaluators, slices, min_slice_support, relevance_unit, run, python, judging, store";
const RAG = "object, records, command, url, request, response, headers, depth, top_k, token_budget, " +
  "index_version, params, reports, accepts_context, ranked, identity, files, runtime, start_timeout_seconds";
const EVALUATORS = "contains, equals, regex, number, token_f1, hit_rate, recall, precision, mrr, ndcg, " +
  "citation_validity, completed, function, judge, groundedness_judge, citation_support_judge";
const SLICES = "metadata.<path>, input.<path>, relevant_position or context_truncated";

/** What is written after the smallest project's first line, and the one issue that it makes. */
const ONE_MISTAKE: readonly (readonly [string, string])[] = [
  ["depth: 6", `2:1 unknown_key: Unknown key "depth"; allowed: ${TOP} ("depth" belongs under system.rag)`],
  [
    "retrieve: 6",
    `2:1 unknown_key: Unknown key "retrieve"; allowed: ${TOP} ` +
    '("retrieve" belongs under system.rag.params)',
  ],
  ["slice: []", `2:1 unknown_key: Unknown key "slice"; allowed: ${TOP} (did you mean "slices"?)`],
  [
    "topK: 1",
    `2:1 unknown_key: Unknown key "topK"; allowed: ${TOP} (did you mean "top_k" under system.rag?)`,
  ],
  ["zzzzzz: 1", `2:1 unknown_key: Unknown key "zzzzzz"; allowed: ${TOP}`],
  [
    "run: {concurency: 2}",
    '2:7 unknown_key: Unknown key "concurency" in run; allowed: concurrency, ' +
    'timeout_seconds, retries, repeats (did you mean "concurrency"?)',
  ],
  ["cases:", "2:1 invalid_type: cases must be non-empty text or a non-empty list, not null"],
  ["cases: ~", "2:8 invalid_type: cases must be non-empty text or a non-empty list, not null"],
  ["cases: ''", '2:8 invalid_value: cases must be non-empty text or a non-empty list, not ""'],
  ["cases: []", "2:8 invalid_value: cases must be non-empty text or a non-empty list, not []"],
  ["cases: [a, '']", '2:12 invalid_value: cases[1] must be non-empty text, not ""'],
  [
    "cases: 7",
    "2:8 invalid_type: cases must be non-empty text or a non-empty list, not 7 " +
    '(write it in quotes: "7")',
  ],
  ["slices: metadata.topic", '2:9 invalid_type: slices must be a list, not "metadata.topic"'],
  [
    "slices: [topic]",
    `2:10 invalid_value: slices[0] must be ${SLICES}, not "topic" ` +
    '(did you mean "metadata.topic"?)',
  ],
  [
    "slices:\n  - relevant_postion",
    `3:5 invalid_value: slices[0] must be ${SLICES}, not "relevant_postion" ` +
    '(did you mean "relevant_position"?)',
  ],
  ["slices: [metadata..a]", `2:10 invalid_value: slices[0] must be ${SLICES}, not "metadata..a"`],
  [
    "slices: [metadata]",
    `2:10 invalid_value: slices[0] must be ${SLICES}, not "metadata"`,
  ],
  [
    "min_slice_support: 0",
    "2:20 invalid_value: min_slice_support must be a whole number of at least 1, not 0",
  ],
  [
    "min_slice_support: 1.5",
    "2:20 invalid_type: min_slice_support must be a whole number of at least 1, not 1.5",
  ],
  [
    "relevance_unit: chunks",
    '2:17 invalid_value: relevance_unit must be "document" or "chunk", not "chunks" ' +
    '(did you mean "chunk"?)',
  ],
  [
    "run: {timeout_seconds: 0}",
    "2:24 invalid_value: run.timeout_seconds must be a number above 0 and at most " +
    "2147483, not 0",
  ],
  [
    "run: {timeout_seconds: '5'}",
    "2:24 invalid_type: run.timeout_seconds must be a number above 0 and at most " +
    '2147483, not "5" (write it without quotes: 5)',
  ],
  ["run: {retries: -1}", "2:16 invalid_value: run.retries must be a whole number of at least 0, not -1"],
  ["run: {repeats: 0}", "2:16 invalid_value: run.repeats must be a whole number of at least 1, not 0"],
  [
    "judging: {max_call: 2}",
    '2:11 unknown_key: Unknown key "max_call" in judging; allowed: concurrency, timeout_seconds, retries, ' +
    'requests_per_minute, max_calls, max_cost_usd, prices (did you mean "max_calls"?)',
  ],
  [
    "judging: {requests_per_minute: 0}",
    "2:32 invalid_value: judging.requests_per_minute must be a whole number of at least 1, not 0",
  ],
  [
    "judging: {max_cost_usd: 0}",
    "2:25 invalid_value: judging.max_cost_usd must be a number above 0, not 0",
  ],
  [
    "judging: {max_cost_usd: 1, prices: {m: {input: 1, output: 2}}}\n" +
    "evaluators: [{type: groundedness_judge, criterion: g, provider: openai, model: n}]",
    '2:25 model_without_price: judging.max_cost_usd needs the price of "n" ' +
    '(prices: {"n": {input: …, output: …}}, in dollars per million tokens)',
  ],
  [
    "evaluators: [{type: judge, criterion: g, provider: openai, model: m, object: 'a:b'}]",
    '2:78 invalid_value: evaluators[0].object is "a:b": belongs to the provider object alone',
  ],
  [
    "evaluators: [{type: judge, criterion: g, provider: object, object: 'a:b', api_key_env: K}]",
    '2:88 invalid_value: evaluators[0].api_key_env is "K": has no meaning for the provider object, which calls no API',
  ],
  [
    "store: postgres://x",
    "2:8 invalid_value: store must be a file path or a libsql://, https:// or http:// URL, " +
    'not "postgres://x"',
  ],
  [
    "store: file:runs.db",
    "2:8 invalid_value: store must be a file path or a libsql://, https:// or http:// URL, " +
    'not "file:runs.db"',
  ],
  [
    "python: {}",
    '2:1 missing_key: python needs the key "command": a list of words, as in [python3, server.py]',
  ],
  [
    "python: {command: python3}",
    "2:19 invalid_type: python.command must be a list of words, as in [python3, server.py], " +
    'not "python3"',
  ],
  ["corpus: 7", '2:9 invalid_type: corpus must be non-empty text, not 7 (write it in quotes: "7")'],
  ["evaluators: {}", "2:13 invalid_type: evaluators must be a list, not {}"],
  ["evaluators: [contains]", '2:14 invalid_type: evaluators[0] must be an object, not "contains"'],
  ["evaluators: [{k: 2}]", '2:14 missing_key: evaluators[0] needs the key "type": non-empty text'],
  [
    "evaluators: [{type: containz}]",
    `2:21 unknown_evaluator: Unknown evaluator "containz"; allowed: ${EVALUATORS} ` +
    '(did you mean "contains"?)',
  ],
  [
    "evaluators: [{type: recall}]",
    '2:14 missing_key: evaluators[0] needs the key "k": a whole number of at least 1',
  ],
  [
    "evaluators:\n  - type: recall\n    k: 0",
    "4:8 invalid_value: evaluators[0].k must be a whole number of at least 1, " +
    "not 0",
  ],
  [
    "evaluators: [{type: contains, feild: a}]",
    '2:31 unknown_key: Unknown key "feild" in evaluators[0]; allowed: type, ' +
    'criterion, field, expected_field, ignore_case (did you mean "field"?)',
  ],
  [
    "evaluators: [{type: contains, ignore_case: yes}]",
    "2:44 invalid_type: evaluators[0].ignore_case must be true or " +
    'false, not "yes" (write true)',
  ],
  [
    "evaluators: [{type: contains, criterion: a b}]",
    "2:42 invalid_value: evaluators[0].criterion must be a name of " +
    'letters, digits and the signs _ . -, not "a b"',
  ],
  [
    "evaluators: [{type: contains, criterion: 1}]",
    "2:42 invalid_type: evaluators[0].criterion must be a name of " +
    'letters, digits and the signs _ . -, not 1 (write it in quotes: "1")',
  ],
  [
    "evaluators: [{type: function, object: 'a:b c'}]",
    '2:14 invalid_value: "b c" cannot name a criterion; allowed: a name ' +
    "of letters, digits and the signs _ . - (give this evaluator a criterion of its own)",
  ],
  [
    "evaluators:\n- {type: mrr, k: 2}\n- {type: mrr, k: 2}",
    '4:3 duplicate_criterion: The criterion "mrr_at_2" is already ' +
    "that of the evaluator on line 3 (give one of the two another criterion)",
  ],
  [
    "evaluators:\n- {type: mrr, k: 2}\n- {type: contains, criterion: mrr_at_2}",
    "4:31 duplicate_criterion: The criterion " +
    '"mrr_at_2" is already that of the evaluator on line 3 (give one of the two another criterion)',
  ],
];

for (const [text, expected] of ONE_MISTAKE) {
  Deno.test(`one mistake: ${JSON.stringify(text)}`, () => {
    assert.deepEqual(issuesOf(`${SYSTEM}${text}\n`), [`oloproof.yaml:${expected}`]);
  });
}

/** What stands in `system.rag` besides its object, each on a line from line 5 on. */
const RAG_MISTAKES: readonly (readonly [string, string])[] = [
  ["depht: 4", `5:5 unknown_key: Unknown key "depht" in system.rag; allowed: ${RAG} (did you mean "depth"?)`],
  [
    "name: x",
    `5:5 unknown_key: Unknown key "name" in system.rag; allowed: ${RAG} ("name" belongs under system)`,
  ],
  ["depth: six", '5:12 invalid_type: system.rag.depth must be a whole number of at least 1, not "six"'],
  [
    'top_k: "2"',
    '5:12 invalid_type: system.rag.top_k must be a whole number of at least 1, not "2" ' +
    "(write it without quotes: 2)",
  ],
  [
    "token_budget: 0",
    "5:19 invalid_value: system.rag.token_budget must be a whole number of at least 1 or null, not 0",
  ],
  [
    "index_version: 1.0",
    "5:20 invalid_type: system.rag.index_version must be non-empty text, not 1 " +
    '(write it in quotes: "1.0")',
  ],
  [
    "params: {retrieve: {a: {b: .inf}}}",
    "5:32 invalid_type: system.rag.params.retrieve.a.b must be a JSON value, " +
    "not Infinity",
  ],
  [
    "params: {generat: {}}",
    '5:14 unknown_key: Unknown key "generat" in system.rag.params; allowed: retrieve, generate ' +
    '(did you mean "generate"?)',
  ],
  ["identity: code", '5:15 invalid_value: system.rag.identity must be "source" or "version", not "code"'],
  ["files: src/*.ts", '5:12 invalid_type: system.rag.files must be a list, not "src/*.ts"'],
  [
    "runtime: nod",
    '5:14 invalid_value: system.rag.runtime must be "auto" or "deno" or "node" or "python", not "nod" ' +
    '(did you mean "node"?)',
  ],
  [
    "command: [node]",
    '5:14 two_systems: system.rag names a system by "object" and by "command"; allowed: one of them',
  ],
  [
    "url: http://x",
    '5:10 two_systems: system.rag names a system by "object" and by "url"; allowed: one of them',
  ],
  [
    "request: {}",
    '5:14 setting_without_meaning: "request" belongs to "url"; beside "object" it has no meaning ' +
    "(take it away)",
  ],
  [
    "records: r.jsonl",
    '5:14 two_systems: system.rag names a system by "object" and by "records"; allowed: one of them',
  ],
  ["depth: 4\n    top_k: 6", "6:12 top_k_beyond_depth: top_k is 6, but depth is 4; allowed: top_k up to 4"],
  [
    "depth: 4\nevaluators:\n  - {type: nope}\n  - {type: hit_rate, k: 5}",
    `7:12 unknown_evaluator: Unknown evaluator ` +
    `"nope"; allowed: ${EVALUATORS}\n8:25 k_beyond_depth: hit_rate_at_5 reads the first 5 candidates, ` +
    "but depth is 4; allowed: k up to 4",
  ],
];

for (const [text, expected] of RAG_MISTAKES) {
  Deno.test(`a mistake in system.rag: ${JSON.stringify(text)}`, () => {
    const issues = issuesOf(`system:\n  version: v1\n  rag:\n    object: app:supportRag\n    ${text}\n`);
    assert.deepEqual(issues, expected.split("\n").map((line) => `oloproof.yaml:${line}`));
  });
}

Deno.test("k and top_k up to the depth are right", () => {
  const text = "system: {rag: {object: 'a:b', depth: 4, top_k: 4}}\nevaluators: [{type: hit_rate, k: 4}]\n";
  assert.deepEqual(issuesOf(text), []);
});

Deno.test("without a depth in the file, k and top_k wait for the system", () => {
  assert.deepEqual(
    issuesOf("system: {rag: {object: 'a:b', top_k: 40}}\nevaluators: [{type: hit_rate, k: 50}]\n"),
    [],
  );
});

Deno.test("the object is module:export, separated by the last colon", () => {
  for (const object of ["app:rag", "./a b/app.ts:rag_2", "C:/app.js:rag", "pkg/mod.py:αβγ"]) {
    assert.deepEqual(issuesOf(`system: {rag: {object: '${object}'}}`), [], object);
  }
  for (
    const object of ["app", ":rag", "app:", " app:rag", "app: rag", "app:a.b", "a:b:", "https://x/app.ts"]
  ) {
    const message = `system.rag.object must be module:export, as in "app:supportRag", not "${object}"`;
    assert.deepEqual(issuesOf(`system: {rag: {object: '${object}'}}`), [
      `oloproof.yaml:1:24 invalid_value: ${message}`,
    ]);
  }
});

Deno.test("absent keys are reported where their parent is", () => {
  assert.deepEqual(issuesOf(""), [
    'oloproof.yaml:1:1 missing_key: The project needs the key "system": an object',
  ]);
  assert.deepEqual(issuesOf("# nothing\n"), issuesOf(""));
  assert.deepEqual(issuesOf("slices: []\nsystem:\n  name: x\n"), [
    'oloproof.yaml:2:1 missing_key: system needs the key "rag": an object',
  ]);
  assert.deepEqual(issuesOf("system:\n  rag:\n    depth: 4\n"), [
    'oloproof.yaml:2:3 missing_key: system.rag needs the key "object": module:export, as in "app:supportRag" (or records (a JSONL file of recorded outputs), command (a program), or url (a service))',
  ]);
  assert.deepEqual(
    issuesOf("system:\n  rag:\n    records: r.jsonl\n    identity: version\n    files: [x]\n"),
    [
      'oloproof.yaml:4:15 setting_without_meaning: "identity" is about the system\'s code; beside "records" it has no meaning (take it away)',
      'oloproof.yaml:5:12 setting_without_meaning: "files" is about the system\'s code; beside "records" it has no meaning (take it away)',
    ],
  );
  assert.deepEqual(
    issuesOf("system: {rag: {records: r.jsonl, reports: [context], ranked: false}}\ncorpus: c.jsonl\n"),
    [],
  );
});

Deno.test("all mistakes are reported at once, sorted by place", () => {
  const text = `sytem: 3
cases: 4
evaluators:
  - {type: recall, k: 9, top: 1}
  - {type: equals, criterion: same}
  - {type: equals, criterion: same, feild: answer}
  - {type: ndgc, k: 2}
  - {type: mrr, k: 9, criterion: same}
  - {type: equals, criterion: same}
system:
  version: 2
  rag:
    depth: 4
    top_k: 5
    token_budget: many
slices: [topic]
`;
  assert.deepEqual(issuesOf(text).map((line) => line.split(": ", 1)[0]), [
    "oloproof.yaml:1:1 unknown_key",
    "oloproof.yaml:2:8 invalid_type",
    "oloproof.yaml:4:26 unknown_key",
    "oloproof.yaml:6:37 unknown_key",
    "oloproof.yaml:7:12 unknown_evaluator",
    "oloproof.yaml:8:20 k_beyond_depth",
    "oloproof.yaml:8:34 duplicate_criterion",
    "oloproof.yaml:9:31 duplicate_criterion",
    "oloproof.yaml:11:12 invalid_type",
    "oloproof.yaml:12:3 missing_key",
    "oloproof.yaml:14:12 top_k_beyond_depth",
    "oloproof.yaml:15:19 invalid_type",
    "oloproof.yaml:16:10 invalid_value",
  ]);
});

Deno.test("a byte-order mark and CRLF change neither result nor place", () => {
  const right = `${SYSTEM}cases: é.jsonl\n`;
  assert.deepEqual(projectOf(`\ufeff${right.replaceAll("\n", "\r\n")}`), projectOf(right));
  const wrong = `foo: 1\n${SYSTEM}run:\n  retries: x\n`;
  const places = issuesOf(wrong);
  assert.deepEqual(places.map((line) => line.split(" ", 1)[0]), ["oloproof.yaml:1:1", "oloproof.yaml:4:12"]);
  assert.deepEqual(issuesOf(`\ufeff${wrong.replaceAll("\n", "\r\n")}`), places);
});

Deno.test("columns count UTF-16 code units", () => {
  const text = "system: {rag: {object: 'a:b', params: {retrieve: {é: 日本, 😀: 1}}}, x: 1}\n";
  assert.deepEqual(issuesOf(text), [
    'oloproof.yaml:1:68 unknown_key: Unknown key "x" in system; allowed: name, version, rag',
  ]);
});

Deno.test("a value that is used through an alias is placed at the alias, its parts at the anchor", () => {
  const text = `${SYSTEM}min_slice_support: &none none\nrun: {retries: *none}\n`;
  assert.deepEqual(issuesOf(text).map((line) => line.split(" ", 1)[0]), [
    "oloproof.yaml:2:26",
    "oloproof.yaml:3:16",
  ]);
  const parts = `${SYSTEM}evaluators:\n  - &a {type: recall, k: 0, criterion: x}\n  - *a\n`;
  assert.deepEqual(issuesOf(parts).map((line) => line.split(" ", 1)[0]), [
    "oloproof.yaml:3:26",
    "oloproof.yaml:3:26",
  ]);
});

Deno.test("text that is no YAML is reported alone", () => {
  assert.deepEqual(issuesOf("depth: 1\nslices: [a\nfoo: 1\n"), [
    "oloproof.yaml:3:1 yaml_syntax: Invalid YAML: Flow sequence in block collection must be sufficiently " +
    "indented and end with a ]",
  ]);
});

Deno.test("what could not be read is one mistake, not two", () => {
  assert.deepEqual(issuesOf(`${SYSTEM}run: {retries: *x}\n`), [
    'oloproof.yaml:2:16 yaml_syntax: The alias "*x" has no anchor before it',
  ]);
});

Deno.test("what could not be read hides no other mistake of its line", () => {
  assert.deepEqual(issuesOf(`${SYSTEM}run: {retries: *x, concurrency: 0}\n`), [
    'oloproof.yaml:2:16 yaml_syntax: The alias "*x" has no anchor before it',
    "oloproof.yaml:2:33 invalid_value: run.concurrency must be a whole number of at least 1, not 0",
  ]);
  assert.deepEqual(
    issuesOf("system: {rag: {object: 'a:b', depth: 0}, name: *x}\nslices:\n       [topic, topic]\n").length,
    4,
  );
});

Deno.test("any text gives a project or issues with a place", () => {
  const pieces = fc.constantFrom(
    ...[
      "system:",
      "rag:",
      "object: a:b",
      "depth: 6",
      "evaluators:",
      "- ",
      "{type: recall, k: 2}",
      "criterion: x",
    ],
    ...[
      "slices:",
      "run:",
      "[",
      "]",
      "{",
      "}",
      ": ",
      "\n",
      "\n  ",
      "\n    ",
      "\t",
      "&a ",
      "*a",
      "!!str ",
      "!x ",
    ],
    ...[
      '"',
      "'",
      "|",
      ">",
      "#",
      "---\n",
      "...\n",
      "%YAML 1.1\n",
      "? ",
      "<<: ",
      "\r",
      "\ufeff",
      "\ud800",
      "é",
      "😀",
    ],
    ...[
      "null",
      "~",
      "yes",
      "1e400",
      ".nan",
      "0x1",
      "__proto__: ",
      "constructor: ",
      "toString",
      "\\ud800",
      ",",
    ],
  );
  const text = fc.oneof(
    fc.string({ unit: "binary", maxLength: 40 }),
    fc.array(pieces, { maxLength: 30 }).map((parts) => parts.join("")),
    fc.array(pieces, { maxLength: 12 }).map((parts) => SYSTEM + parts.join("")),
  );
  fc.assert(
    fc.property(text, (given) => {
      const parsed = parseProject(given, ORIGIN);
      if (parsed.ok) return;
      assert.ok(parsed.issues.length > 0);
      const lines = given.replace(/^\ufeff/, "").split("\n");
      for (const { line = 0, column = 0, message } of parsed.issues) {
        assert.ok(line >= 1 && line <= lines.length, `line ${line}: ${message}`);
        assert.ok(
          column >= 1 && column <= (lines[line - 1] ?? "").length + 1,
          `column ${column}: ${message}`,
        );
      }
    }),
    { seed: 20_261_130, numRuns: 3000 },
  );
});
