import assert from "node:assert/strict";
import fc from "fast-check";
import { relevanceLabels } from "../../lib/domain/case.ts";
import { parseCaseLine, parseCaseObject } from "../../lib/config/parse_case.ts";
import { showIssues } from "./show_issues.ts";

const PLACE = { file: "cases.jsonl", line: 7 };

function issuesOf(line: string): readonly string[] {
  return showIssues(parseCaseLine(line, PLACE, "document"));
}

Deno.test("a case has the values of its line and nothing else", () => {
  const values = {
    id: "é 1",
    input: { question: "?", history: [null, 1.5, { constructor: "x" }] },
    expected: {
      answer: ["a", "b"],
      relevant: [{ doc_id: "d" }, { doc_id: "d", chunk_id: "c", grade: 0 }],
      gold_context: [],
    },
    metadata: { topic: "billing", nested: { a: [1] } },
  };
  assert.deepEqual(parseCaseLine(JSON.stringify(values), PLACE, "document"), { ok: true, case: values });
});

Deno.test("expected and metadata may be absent, and every input is one", () => {
  for (const input of [null, false, 0, "", [], {}]) {
    assert.deepEqual(parseCaseLine(JSON.stringify({ id: "a", input }), PLACE, "document"), {
      ok: true,
      case: { id: "a", input },
    });
  }
});

Deno.test("an expectation that is no object is any value", () => {
  for (const expected of [null, "30 days", 4, ["a"], [{ relevant: 3 }]]) {
    const parsed = parseCaseLine(JSON.stringify({ id: "a", input: 1, expected }), PLACE, "chunk");
    assert.deepEqual(parsed, { ok: true, case: { id: "a", input: 1, expected } });
  }
});

Deno.test("a label without a grade has grade 1, though its case is as it was written", () => {
  const parsed = parseCaseLine(
    '{"id":"a","input":1,"expected":{"relevant":[{"doc_id":"d"}]}}',
    PLACE,
    "document",
  );
  assert.ok(parsed?.ok);
  assert.deepEqual(parsed.case.expected, { relevant: [{ doc_id: "d" }] });
  assert.deepEqual(relevanceLabels(parsed.case.expected), [{ doc_id: "d", grade: 1 }]);
});

Deno.test("blank lines are no cases", () => {
  for (const line of ["", "  \t", "\r"]) assert.equal(parseCaseLine(line, PLACE, "document"), undefined);
  assert.equal(parseCaseLine("\ufeff", { file: "c", line: 1 }, "document"), undefined);
});

Deno.test("a byte-order mark at the start of the file and a carriage return change nothing", () => {
  const first = { file: "cases.jsonl", line: 1 };
  const right = '{"id":"a","input":1}';
  assert.deepEqual(
    parseCaseLine(`\ufeff${right}\r`, first, "document"),
    parseCaseLine(right, first, "document"),
  );
  const wrong = '{"id":"a","inptu":1}';
  assert.deepEqual(
    parseCaseLine(`\ufeff${wrong}\r`, first, "document"),
    parseCaseLine(wrong, first, "document"),
  );
  assert.deepEqual(showIssues(parseCaseLine(`\ufeff${right}`, PLACE, "document")), [
    "cases.jsonl:7:1 invalid_json: Invalid JSON: expected a value, near \\ufeff" + '{"id":"a","input":1…',
  ]);
});

const KEYS = "id, input, expected, metadata";
const ID = "id must be non-empty text without control characters";

const MISTAKES: readonly (readonly [string, ...string[]])[] = [
  ["[1]", "1 invalid_type: A case must be an object, not [1]"],
  ['"x"', '1 invalid_type: A case must be an object, not "x"'],
  [" null", "2 invalid_type: A case must be an object, not null"],
  ['{"input":1}', `1 missing_key: A case needs the key "id": non-empty text without control characters`],
  ['{"id":"a"}', '1 missing_key: A case needs the key "input": a JSON value'],
  ['{"id":17,"input":1}', `7 invalid_type: ${ID}, not 17 (write it in quotes: "17")`],
  ['{"id":1.0,"input":1}', `7 invalid_type: ${ID}, not 1 (write it in quotes: "1.0")`],
  ['{"id":"","input":1}', `7 invalid_value: ${ID}, not ""`],
  ['{"id":"a\\nb","input":1}', `7 invalid_value: ${ID}, not "a\\u000ab"`],
  ['{"id":"a\\u009b","input":1}', `7 invalid_value: ${ID}, not "a\\u009b"`],
  [
    '{"id":"a","inptu":1}',
    '1 missing_key: A case needs the key "input": a JSON value',
    `11 unknown_key: Unknown key "inptu"; allowed: ${KEYS} (did you mean "input"?)`,
  ],
  [
    '{"id":"a","input":1,"meta":{}}',
    `21 unknown_key: Unknown key "meta"; allowed: ${KEYS} (did you mean "metadata"?)`,
  ],
  [
    '{"id":"a","input":1,"relevant":[]}',
    `21 unknown_key: Unknown key "relevant"; allowed: ${KEYS} ` +
    '("relevant" belongs under expected)',
  ],
  ['{"id":"a","input":1,"metadata":[]}', "32 invalid_type: metadata must be an object, not []"],
  [
    '{"id":"a","input":1,"expected":{"relevant":"d"}}',
    '44 invalid_type: expected.relevant must be a list, not "d"',
  ],
  [
    '{"id":"a","input":1,"expected":{"relevant":["d"]}}',
    '45 invalid_type: expected.relevant[0] must be an object, not "d"',
  ],
  [
    '{"id":"a","input":1,"expected":{"relevant":[{"doc_id":""}]}}',
    "55 invalid_value: expected.relevant[0].doc_id must be " +
    'non-empty text, not ""',
  ],
  [
    '{"id":"a","input":1,"expected":{"relevant":[{"doc_id":7}]}}',
    "55 invalid_type: expected.relevant[0].doc_id must be " +
    'non-empty text, not 7 (write it in quotes: "7")',
  ],
  [
    '{"id":"a","input":1,"expected":{"relevant":[{"grade":1}]}}',
    "45 missing_key: expected.relevant[0] needs the key " +
    '"doc_id": non-empty text',
  ],
  [
    '{"id":"a","input":1,"expected":{"relevant":[{"doc_id":"d","grade":-1},{"doc_id":"d","grade":0.5}]}}',
    "67 invalid_value: expected.relevant[0].grade must be a whole number of at least 0, not -1",
    "93 invalid_type: expected.relevant[1].grade must be a whole number of at least 0, not 0.5",
  ],
  [
    '{"id":"a","input":1,"expected":{"relevant":[{"doc_id":"d","garde":1}]}}',
    '59 unknown_key: Unknown key "garde" in ' +
    'expected.relevant[0]; allowed: doc_id, chunk_id, grade (did you mean "grade"?)',
  ],
  [
    '{"id":"a","input":1,"expected":{"gold_context":[{"doc_id":"d"}]}}',
    "49 missing_key: expected.gold_context[0] needs " +
    'the key "text": text',
  ],
  [
    '{"id":"a","input":1,"expected":{"gold_context":[{"doc_id":"d","text":"t","title":"x"}]}}',
    "74 unknown_key: Unknown " +
    'key "title" in expected.gold_context[0]; allowed: doc_id, chunk_id, text',
  ],
  [
    '{"id":"a","input":NaN}',
    "19 invalid_json: Invalid JSON: NaN is not a JSON number; write null or leave the key out, " +
    'near {"id":"a","input":NaN}',
  ],
  [
    '{"id":"a","input":1} {"id":"b","input":2}',
    "22 invalid_json: Invalid JSON: the line goes on after its value, near " +
    '…"id":"a","input":1} {"id":"b","input":2}',
  ],
  [
    '{"id":"a","id":"b","input":1}',
    '11 duplicate_key: The key "id" is given twice, near {"id":"a","id":"b","input":1}',
  ],
  [
    '{"id":"a","input":"\\ud83d"}',
    "19 invalid_value: The text holds half of a surrogate pair, near " +
    '{"id":"a","input":"\\ud83d"}',
  ],
  ['{"id":"😀","input":"日本","é":1}', `25 unknown_key: Unknown key "é"; allowed: ${KEYS}`],
];

for (const [line, ...expected] of MISTAKES) {
  Deno.test(`a mistake in ${line}`, () => {
    assert.deepEqual(issuesOf(line), expected.map((issue) => `cases.jsonl:7:${issue}`));
  });
}

Deno.test("with unit chunk a label needs its chunk_id, gold context does not", () => {
  const line =
    '{"id":"a","input":1,"expected":{"relevant":[{"doc_id":"d"}],"gold_context":[{"doc_id":"d","text":""}]}}';
  assert.deepEqual(showIssues(parseCaseLine(line, PLACE, "document")), []);
  assert.deepEqual(showIssues(parseCaseLine(line, PLACE, "chunk")), [
    'cases.jsonl:7:45 missing_key: expected.relevant[0] needs the key "chunk_id": non-empty text, ' +
    "since relevance_unit is chunk",
  ]);
});

Deno.test("the piece of text never ends in half a character", () => {
  const [issue] = issuesOf(`{"id":"${"😀".repeat(20)}","input":x${"😀".repeat(20)}}`);
  assert.doesNotMatch(issue ?? "", /\\ud/);
  assert.match(issue ?? "", /near …(😀){5}","input":x(😀){9}…$/u);
});

Deno.test("cases of a calling program are checked alike, without places", () => {
  assert.deepEqual(parseCaseObject({ id: "a", input: 1, expected: undefined }, "cases[3]", "document"), {
    ok: true,
    case: { id: "a", input: 1 },
  });
  assert.deepEqual(showIssues(parseCaseObject({ id: 3, input: 1 }, "cases[3]", "document")), [
    `cases[3] invalid_type: ${ID}, not 3 (write it in quotes: "3")`,
  ]);
  assert.deepEqual(showIssues(parseCaseObject({ id: "a", input: { x: NaN } }, "cases[3]", "document")), [
    "cases[3] invalid_value: A case must be a JSON value; case.input.x: NaN is not a JSON number",
  ]);
});

Deno.test("any JSON value as input comes back as JSON.parse gives it", () => {
  fc.assert(
    fc.property(fc.json(), (input) => {
      if (input.includes("__proto__")) return;
      const parsed = parseCaseLine(`{"id":"a","input":${input}}`, PLACE, "document");
      assert.deepEqual(parsed, { ok: true, case: { id: "a", input: JSON.parse(input) } });
    }),
    { seed: 20_261_130, numRuns: 500 },
  );
});

Deno.test("any line gives nothing, a case, or issues with a column in the line", () => {
  const pieces = fc.constantFrom(
    ...[
      '{"id":"a"',
      ',"input":',
      "1",
      '"x"',
      "null",
      ',"expected":',
      '{"relevant":[',
      '{"doc_id":"d"}',
      "]",
      "}",
      "{",
      "[",
    ],
    ...[
      ',"metadata":',
      '"grade":-1',
      ",",
      ":",
      "NaN",
      "\\",
      '"',
      "\ud800",
      "\ufeff",
      "😀",
      " ",
      "\r",
      "\u0000",
      "1e999",
    ],
  );
  const line = fc.oneof(
    fc.string({ unit: "binary", maxLength: 30 }),
    fc.array(pieces, { maxLength: 14 }).map((parts) => parts.join("")),
    fc.array(pieces, { maxLength: 8 }).map((parts) => `{"id":"a","input":1${parts.join("")}}`),
  );
  fc.assert(
    fc.property(line, fc.constantFrom("document" as const, "chunk" as const), (given, unit) => {
      const parsed = parseCaseLine(given, PLACE, unit);
      if (parsed === undefined) return assert.equal(given.trim(), "");
      if (parsed.ok) return assert.equal(typeof parsed.case.id, "string");
      assert.ok(parsed.issues.length > 0);
      for (const { column = 0, message } of parsed.issues) {
        assert.ok(column >= 1 && column <= given.length + 1, `column ${column}: ${message}`);
        assert.ok(message.isWellFormed());
      }
    }),
    { seed: 20_261_130, numRuns: 3000 },
  );
});
