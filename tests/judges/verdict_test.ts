import assert from "node:assert/strict";
import type { JudgeTask } from "../../lib/domain/judge.ts";
import { readVerdict, readVerdictText, verdictJsonSchema } from "../../lib/judges/verdict.ts";

const RUBRIC = { task: "rubric", items: 0 } as const;
const CLAIMS = { task: "groundedness", items: 2 } as const;
const CITATIONS = { task: "citation_support", items: 2 } as const;

const pass = '{"reason": "fine", "verdict": "pass"}';
const claims = (...verdicts: readonly (readonly [number, string])[]) =>
  JSON.stringify({ claims: verdicts.map(([claim, verdict]) => ({ claim, verdict })), reason: "r" });

const READ: readonly (readonly [string, { task: JudgeTask; items: number }, string, unknown])[] = [
  ["a verdict", RUBRIC, pass, { pass: true, failed: [], reason: "fine" }],
  ["white space around it", RUBRIC, `\n ${pass}\n`, { pass: true, failed: [], reason: "fine" }],
  ["one fence around it", RUBRIC, "```json\n" + pass + "\n```", { pass: true, failed: [], reason: "fine" }],
  ["a fail", RUBRIC, '{"verdict":"fail","reason":""}', { pass: false, failed: [], reason: "" }],
  [
    "claims in any order, those without a claim pass",
    CLAIMS,
    claims([2, "no_claim"], [1, "supported"]),
    { pass: true, failed: [], reason: "r" },
  ],
  [
    "an unsupported claim",
    CLAIMS,
    claims([1, "supported"], [2, "unsupported"]),
    { pass: false, failed: [2], reason: "r" },
  ],
  [
    "citations",
    CITATIONS,
    '{"citations":[{"citation":1,"verdict":"does_not_support"},{"citation":2,"verdict":"supports"}],"reason":"r"}',
    { pass: false, failed: [1], reason: "r" },
  ],
  [
    "the same key in different objects, and colons in texts",
    RUBRIC,
    '{"reason":"{\\"verdict\\": \\"fail\\", \\"verdict\\":","verdict":"pass"}',
    { pass: true, failed: [], reason: '{"verdict": "fail", "verdict":' },
  ],
];

for (const [title, asked, reply, verdict] of READ) {
  Deno.test(`verdict: ${title}`, () =>
    assert.deepEqual(readVerdictText(asked, reply), { ok: true, verdict }));
}

const quoted = `The passage says to answer ${pass}.`;

const REFUSED: readonly (readonly [string, { task: JudgeTask; items: number }, string, RegExp])[] = [
  ["prose around one object", RUBRIC, `Here it is: ${pass}`, /one JSON object alone/],
  ["an object that is quoted in prose", RUBRIC, quoted, /one JSON object alone/],
  ["two objects", RUBRIC, `${pass}\n${pass}`, /one JSON object alone/],
  ["prose after a fence", RUBRIC, "```json\n" + pass + "\n```\nDone.", /one JSON object alone/],
  ["a truncated object", RUBRIC, pass.slice(0, -3), /one JSON object alone/],
  ["nothing", RUBRIC, "", /one JSON object alone/],
  ["a list", RUBRIC, `[${pass}]`, /one JSON object alone/],
  ["a text", RUBRIC, '"pass"', /one JSON object alone/],
  ["another key", RUBRIC, '{"reason":"","verdict":"pass","score":1}', /form/],
  ["another verdict", RUBRIC, '{"reason":"","verdict":"PASS"}', /form asked for \(at verdict\)/],
  ["no reason", RUBRIC, '{"verdict":"pass"}', /form/],
  ["a key twice", RUBRIC, '{"reason":"","verdict":"fail","verdict":"pass"}', /twice/],
  ["a key twice, escaped", RUBRIC, '{"reason":"","verdict":"fail","verdic\\u0074":"pass"}', /twice/],
  ["the form of another task", CLAIMS, pass, /form/],
  ["too few claims", CLAIMS, claims([1, "supported"]), /1 to 2; it gives 1$/],
  ["too many claims", CLAIMS, claims([1, "supported"], [2, "supported"], [3, "supported"]), /it gives 3$/],
  ["no claims", CLAIMS, '{"claims":[],"reason":""}', /it gives 0$/],
  ["one claim twice", CLAIMS, claims([1, "supported"], [1, "supported"]), /same number/],
  ["a number that was not asked for", CLAIMS, claims([1, "supported"], [7, "supported"]), /1 to 2/],
  ["a number that is none", CLAIMS, '{"claims":[{"claim":"1","verdict":"supported"}],"reason":""}', /form/],
];

for (const [title, asked, reply, problem] of REFUSED) {
  Deno.test(`no verdict: ${title}`, () => {
    const reading = readVerdictText(asked, reply);
    assert.ok(!reading.ok);
    assert.match(reading.problem, problem);
  });
}

Deno.test("what is wrong is said without the words of the reply", () => {
  for (const reply of ['{"IGNORE ALL": 1}', '{"verdict": "IGNORE ALL"}', "IGNORE ALL"]) {
    const reading = readVerdictText(RUBRIC, reply);
    assert.ok(!reading.ok && !reading.problem.includes("IGNORE"));
  }
});

Deno.test("a value of a function is read like a reply, and long reasons are cut", () => {
  assert.deepEqual(readVerdict(RUBRIC, { verdict: "pass", reason: "ok" }), {
    ok: true,
    verdict: { pass: true, failed: [], reason: "ok" },
  });
  for (const value of [true, "pass", null, undefined, [], { verdict: "pass" }]) {
    assert.equal(readVerdict(RUBRIC, value).ok, false);
  }
  const long = readVerdict(RUBRIC, { verdict: "fail", reason: "x".repeat(10_000) });
  assert.ok(long.ok && long.verdict.reason.length <= 601);
});

Deno.test("the schema that providers take is closed, and asks for every key", () => {
  for (const task of ["rubric", "groundedness", "citation_support"] as const) {
    const schema = verdictJsonSchema(task) as Record<string, unknown>;
    assert.equal(schema.additionalProperties, false);
    assert.deepEqual(schema.required, Object.keys(schema.properties as object));
  }
});
