import assert from "node:assert/strict";
import { assertOfCell, counterpartOf } from "../../lib/importers/promptfoo_assert.ts";
import { importPromptfoo } from "../../lib/importers/promptfoo.ts";
import type { ResultChoice } from "../../lib/importers/promptfoo_results.ts";
import { readAll, sourceOf } from "./read_source.ts";

function read(
  text: string,
  { name = "promptfooconfig.yaml", beside = {}, choice = {} }: {
    readonly name?: string;
    readonly beside?: Readonly<Record<string, string>>;
    readonly choice?: ResultChoice;
  } = {},
) {
  return readAll(importPromptfoo(sourceOf(name, text, beside), "bot", choice));
}

Deno.test("promptfoo: assertions with a counterpart become expectations and evaluators", async () => {
  const { cases, draft, issues } = await read(`
tests:
  - description: trial
    vars: {question: How long?}
    metadata: {topic: time}
    assert:
      - {type: contains, value: 30}
      - {type: contains, value: days}
      - {type: icontains-any, value: [month, DAYS]}
      - {type: contains-all, value: [a, b]}
      - {type: equals, value: {n: 1}}
`);
  assert.deepEqual(issues, []);
  assert.deepEqual(cases.map(({ id: _id, ...rest }) => rest), [{
    input: { question: "How long?" },
    expected: {
      contains: "30",
      contains_2: "days",
      icontains_any: ["month", "DAYS"],
      contains_all: "a",
      contains_all_2: "b",
      equals: { n: 1 },
    },
    metadata: { description: "trial", topic: "time" },
  }]);
  assert.deepEqual(
    draft.evaluators.map(({ type, criterion, ignore_case }) => [type, criterion, ignore_case]),
    [
      ["contains", "contains", false],
      ["contains", "contains_2", false],
      ["contains", "icontains_any", true],
      ["contains", "contains_all", false],
      ["contains", "contains_all_2", false],
      ["equals", "equals", false],
    ],
  );
});

Deno.test("promptfoo: what has no counterpart is listed with its place, never dropped in silence", async () => {
  const { cases, notices } = await read(`
providers: [x]
tests:
  - vars: {q: a}
    threshold: 0.5
    assert:
      - {type: llm-rubric, value: polite}
      - {type: not-contains, value: x}
      - {type: contains, value: "{{q}}"}
      - {type: contains, value: y, transform: output.z}
      - {type: contains, value: y, weight: 0}
`);
  assert.equal(cases[0]?.expected, undefined);
  assert.deepEqual(notices.map((notice) => notice.replace(/^.*?: (?=Not|Left)/, "")), [
    "Not read: parts of the configuration that the system under test takes the place of: 1 (providers at promptfooconfig.yaml:2)",
    "Not read: threshold of tests: 1 (promptfooconfig.yaml:4:5)",
    "Left out: assertions llm-rubric: 1 (promptfooconfig.yaml:4:5)",
    "Left out: assertions not-contains: 1 (promptfooconfig.yaml:4:5)",
    "Left out: assertions contains with a template or a file: 1 (promptfooconfig.yaml:4:5)",
    "Left out: assertions contains with transform: 1 (promptfooconfig.yaml:4:5)",
    "Left out: assertions contains with weight: 1 (promptfooconfig.yaml:4:5)",
  ]);
});

Deno.test("promptfoo: a pattern that every test asks for is an evaluator, one that some ask for is none", async () => {
  const { draft, notices } = await read(`
defaultTest: {assert: [{type: regex, value: "\\\\w"}], vars: {tone: kind}}
tests:
  - {vars: {q: a}}
  - {vars: {q: b}, assert: [{type: regex, value: "^b"}]}
`);
  assert.deepEqual(draft.evaluators, [{
    type: "regex",
    criterion: "regex",
    field: "answer",
    pattern: "\\w",
  }]);
  assert.ok(notices.some((notice) => /regex "\^b", since a regex here judges every case: 1/.test(notice)));
});

Deno.test("promptfoo: lists of variables are a case each, defaults are in all", async () => {
  const { cases } = await read(`
defaultTest: {vars: {tone: kind, q: none}}
tests: [{vars: {q: [a, b], r: [c, d], list: [1, 2]}}]
`);
  assert.deepEqual(cases.map(({ input }) => input), [
    { tone: "kind", q: "a", r: "c", list: [1, 2] },
    { tone: "kind", q: "a", r: "d", list: [1, 2] },
    { tone: "kind", q: "b", r: "c", list: [1, 2] },
    { tone: "kind", q: "b", r: "d", list: [1, 2] },
  ]);
});

Deno.test("promptfoo: tests in files beside the configuration", async () => {
  const { cases, issues, notices } = await read(
    "tests: [file://a.csv, b.yaml, file://c.jsonl, file://made.py, 'd/*.yaml']",
    {
      beside: {
        "a.csv":
          'q,__expected,__expected2,__description,__metadata:topic,__threshold\nx,"contains-any: 1, 2",plain,first,t,0.5\n',
        "b.yaml": "- {vars: {q: y}}\n- nonsense\n",
        "c.jsonl": '{"vars": {"q": "z"}}\n',
      },
    },
  );
  assert.deepEqual(cases.map(({ id: _id, ...rest }) => rest), [
    {
      input: { q: "x" },
      expected: { contains_any: ["1", "2"], equals: "plain" },
      metadata: { description: "first", topic: "t" },
    },
    { input: { q: "y" } },
    { input: { q: "z" } },
  ]);
  assert.deepEqual(issues, ["b.yaml:2:3 invalid_type"]);
  assert.deepEqual(notices.slice(1).map((notice) => notice.split(":")[0]), [
    "part_not_read",
    "tests_not_read",
  ]);
});

Deno.test("promptfoo: broken YAML, and variables that are read from files", async () => {
  assert.deepEqual((await read("tests: [")).issues, ["promptfooconfig.yaml:1:9 yaml_syntax"]);
  assert.deepEqual((await read("tests:\n  - {vars: {q: file://x.txt}}\n")).issues, [
    "promptfooconfig.yaml:2:5 not_supported",
  ]);
});

const result = (question: string, change: Readonly<Record<string, unknown>> = {}) => ({
  provider: { id: "openai:a", label: "" },
  promptIdx: 0,
  vars: { question },
  testCase: { vars: { question: ["several", question] }, assert: [{ type: "contains", value: "z" }] },
  response: { output: "zed" },
  ...change,
});

const results = (...list: readonly unknown[]) =>
  JSON.stringify({ version: 3, results: { results: list } }, null, 1);

Deno.test("promptfoo results: an error is a failure, a failed assertion an answer like any other", async () => {
  const { cases, records, issues } = await read(
    results(
      result("a", {
        response: { output: "zed", tokenUsage: { prompt: 2, completion: 1, total: 3 }, cost: 0.5 },
        latencyMs: 9,
      }),
      result("b", { response: { output: "no" }, failureReason: 1, error: "Expected output to contain z" }),
      result("c", { response: { error: "500" }, failureReason: 2, error: "500" }),
    ),
    { name: "results.json" },
  );
  assert.deepEqual(issues, []);
  assert.deepEqual(cases.map(({ input, expected }) => [input, expected]), [
    [{ question: "a" }, { contains: "z" }],
    [{ question: "b" }, { contains: "z" }],
    [{ question: "c" }, { contains: "z" }],
  ]);
  assert.deepEqual(records.map(({ case_id: _id, ...rest }) => rest), [
    { output: { answer: "zed" }, usage: { input_tokens: 2, output_tokens: 1, cost_usd: 0.5 } },
    { output: { answer: "no" } },
    { error: { stage: "answer", kind: "exception", message: "500" } },
  ]);
});

Deno.test("promptfoo results: of several systems one must be chosen", async () => {
  const text = results(result("a"), result("a", { provider: "other" }), result("a", { promptIdx: 1 }));
  const of = (choice: ResultChoice) => read(text, { name: "results.json", choice });
  const { mistakes } = await of({});
  assert.match(
    mistakes[0]?.message ?? "",
    /of 3 systems.*"openai:a" with prompt 0, "other" with prompt 0, "openai:a" with prompt 1/,
  );
  assert.equal((await of({ provider: "openai:a" })).mistakes.length, 1);
  assert.equal((await of({ provider: "openai:a", prompt: 1 })).cases.length, 1);
  assert.match(
    (await of({ provider: "none" })).mistakes[0]?.message ?? "",
    /No result is of --provider "none"; there are/,
  );
});

Deno.test("promptfoo: cells of CSV and values without a counterpart", () => {
  assert.deepEqual(assertOfCell("similar(0.8): hello"), {
    type: "similar",
    value: "hello",
    rest: { threshold: 0.8 },
  });
  assert.deepEqual(assertOfCell("icontains: a: b"), { type: "icontains", value: "a: b", rest: {} });
  assert.deepEqual(assertOfCell("containsomething"), { type: "equals", value: "containsomething", rest: {} });
  assert.deepEqual(assertOfCell("is-json"), { type: "is-json", rest: {} });
  for (const value of [[], ["a"], null, undefined]) {
    assert.equal(
      counterpartOf({ type: "equals", ...(value === undefined ? {} : { value }), rest: {} }),
      undefined,
    );
  }
  assert.equal(counterpartOf({ type: "regex", value: "(", rest: {} }), undefined);
  assert.equal(counterpartOf({ type: "contains", value: " ", rest: {} }), undefined);
});
