import assert from "node:assert/strict";
import { parseLabelLine } from "../../lib/config/parse_label.ts";

const at = { file: "labels.jsonl", line: 3 };

/** The label of a line, or its mistakes as `line:column code: message`. */
function read(line: string): unknown {
  const parsed = parseLabelLine(line, at);
  if (parsed === undefined || parsed.ok) return parsed?.label;
  return parsed.issues.map(({ line, column, code, message }) => `${line}:${column} ${code}: ${message}`);
}

Deno.test("a label is about a case or about a record", () => {
  assert.deepEqual(read('{"case_id": "a", "label": "pass"}'), { case_id: "a", label: "pass" });
  assert.deepEqual(read('{"case_id": "a", "label": false}'), { case_id: "a", label: "fail" });
  assert.deepEqual(read('{"label": true, "record": {"output": 1}}'), {
    record: { output: 1 },
    label: "pass",
  });
  assert.equal(read("  "), undefined);
});

const ROWS: readonly (readonly [string, string])[] = [
  [
    '{"label": "pass"}',
    "3:1 invalid_label: The label needs case_id, a case of the run, or record, what was answered",
  ],
  [
    '{"case_id": "a", "record": {}, "label": "pass"}',
    "3:1 invalid_label: The label has both case_id and record; allowed: one of them",
  ],
  [
    '{"case_id": "a"}',
    '3:1 missing_key: The label needs the key "label": "pass" or "fail" (or true or false)',
  ],
  [
    '{"case_id": "a", "label": "PASS"}',
    '3:27 invalid_type: label must be "pass" or "fail" (or true or false), not "PASS"',
  ],
  [
    '{"case_id": "a", "label": 1}',
    '3:27 invalid_type: label must be "pass" or "fail" (or true or false), not 1',
  ],
  ['{"case_id": "", "label": true}', '3:13 invalid_value: case_id must be non-empty text, not ""'],
  [
    '{"case": "a", "label": true}',
    '3:2 unknown_key: Unknown key "case"; allowed: case_id, record, label',
  ],
  [
    '{"record": [], "label": true}',
    "3:12 invalid_type: record must be an object: { input, output, context?, expected? }, not []",
  ],
];

for (const [line, mistake] of ROWS) {
  Deno.test(`a mistake in the label ${line}`, () => assert.deepEqual(read(line), [mistake]));
}

Deno.test("what is no JSON is told with its place", () => {
  assert.match(String(read('{"case_id": "a", "label": pass}')), /^3:27 /);
  assert.match(String(read('{"label": "pass", "label": "fail", "case_id": "a"}')), /duplicate|twice|already/);
});
