import assert from "node:assert/strict";
import type { CaseRecord } from "../../lib/domain/record.ts";
import type { Judgment } from "../../lib/domain/judgment.ts";
import { bind, judgeCase, mistakesOf } from "./judge_case.ts";

const OBJECT = "scoring:isShort";

function judgeReturned(value: unknown): Promise<Judgment> {
  return judgeCase("function", { object: OBJECT }, {}, { callFunction: () => Promise.resolve(value) });
}

for (const value of [true, false, 0, 0.5, 1]) {
  Deno.test(`function: ${value} is observed`, async () => {
    assert.deepEqual(await judgeReturned(value), { status: "observed", value });
  });
}

const INVALID: readonly (readonly [value: unknown, described: string])[] = [
  [1.5, "1.5"],
  [-0.1, "-0.1"],
  [NaN, "NaN"],
  [Infinity, "Infinity"],
  [1n, "1n"],
  [undefined, "undefined"],
  [null, "null"],
  ["yes", 'the text "yes"'],
  ["\u0000\ud800", 'the text "\\u0000\\ud800"'],
  ["😀".repeat(99), `the text "${"😀".repeat(60)}…"`],
  [[1, 2], "a list of 2"],
  [[], "an empty list"],
  [{}, "an object without fields"],
  [{ value: 1, why: "" }, 'an object with "value", "why"'],
  [{ a: 1, b: 1, c: 1, d: 1, e: 1 }, 'an object with "a", "b", "c", "d", …'],
  [() => 1, "a function"],
  [Symbol("s"), "a symbol"],
];

for (const [value, described] of INVALID) {
  Deno.test(`function: ${described} is invalid`, async () => {
    assert.deepEqual(await judgeReturned(value), {
      status: "missing",
      reason: "invalid_value",
      message: `The function ${OBJECT} returned ${described}; expected a boolean or a number in [0, 1]`,
    });
  });
}

Deno.test("function: is called with the object and the whole record", async () => {
  const calls: (readonly [string, CaseRecord])[] = [];
  await judgeCase("function", { object: OBJECT }, { output: "a", expected: "b" }, {
    callFunction(object, record) {
      calls.push([object, record]);
      return Promise.resolve(true);
    },
  });
  assert.deepEqual(calls, [[OBJECT, {
    case: { id: "a", input: null, expected: "b" },
    candidates: [],
    context: [],
    output: "a",
  }]]);
});

Deno.test("function: what it throws is a fault of the judging", async () => {
  const callFunction = () => Promise.reject(new Error("No such label"));
  assert.deepEqual(await judgeCase("function", { object: OBJECT }, {}, { callFunction }), {
    status: "missing",
    reason: "evaluator_failed",
    message: "No such label",
  });
});

Deno.test("function: parameters", () => {
  assert.equal(bind("function", { object: OBJECT }).criterion, "isShort");
  for (const object of ["", "scoring", ":isShort", "scoring:", "a:b:c"]) {
    assert.deepEqual(mistakesOf("function", { object }), [
      "object: Expected module:export, such as scoring:isPolite",
    ]);
  }
});
