import assert from "node:assert/strict";
import type { Json } from "../../lib/domain/json.ts";
import { readYaml } from "../../lib/config/yaml_text.ts";
import { showIssues } from "./show_issues.ts";

function valueOf(text: string): Json | undefined {
  const { value, issues } = readYaml(text, "f");
  assert.deepEqual(issues, []);
  return value;
}

function issuesOf(text: string): readonly string[] {
  return showIssues({ ok: false, issues: readYaml(text, "f").issues });
}

const VALUES: readonly (readonly [string, Json])[] = [
  ["", null],
  ["a: yes\nb: no\nc: on\nd: OFF", { a: "yes", b: "no", c: "on", d: "OFF" }],
  ["%YAML 1.1\n---\na: yes\n", { a: "yes" }],
  ["a: True\nb: ~\nc:\n", { a: true, b: null, c: null }],
  ["a: 012\nb: 0o14\nc: 0x10\nd: 1_000\ne: 1e3", { a: 12, b: 12, c: 16, d: "1_000", e: 1000 }],
  ["a: 2026-09-16\nb: 1.0.0\nc: 12:30:00", { a: "2026-09-16", b: "1.0.0", c: "12:30:00" }],
  ["a: !!str 1\nb: !!int '2'", { a: "1", b: 2 }],
  ["1: a\ntrue: b\nnull: c", { "1": "a", true: "b", null: "c" }],
  ["a: &x [1, 2]\nb: *x\nc: {d: *x}", { a: [1, 2], b: [1, 2], c: { d: [1, 2] } }],
  ["a: &x 1\nb: &x 2\nc: *x", { a: 1, b: 2, c: 2 }],
  ["a: &o {i: &x 1}\nb: &x 2\nc: *o\nd: *x", { a: { i: 1 }, b: 2, c: { i: 1 }, d: 2 }],
  ["a: |\n  x\n  y\nb: >-\n  x\n  y", { a: "x\ny\n", b: "x y" }],
  ["a:\t1", { a: 1 }],
  ["---\na: 1\n...\n", { a: 1 }],
  ["constructor: 1\ntoString: 2", { constructor: 1, toString: 2 }],
];

for (const [text, expected] of VALUES) {
  Deno.test(`YAML ${JSON.stringify(text)} is ${JSON.stringify(expected)}`, () => {
    assert.deepEqual(valueOf(text), expected);
  });
}

const MISTAKES: readonly (readonly [string, string])[] = [
  ["a:\n\tb: 1\n", "f:2:1 yaml_syntax: Invalid YAML: Tabs are not allowed as indentation"],
  ["a: b: c", "f:1:4 yaml_syntax: Invalid YAML: Nested mappings are not allowed in compact mappings"],
  ["a: @x", "f:1:4 yaml_syntax: Invalid YAML: Plain value cannot start with reserved character @"],
  ["a: 1\nb: 2\n'a': 3", 'f:3:1 duplicate_key: The key "a" is given twice'],
  ["{a: {b: 1, c: 2, b: 3}}", 'f:1:18 duplicate_key: The key "b" is given twice'],
  ["1: a\n'1': b", 'f:2:1 duplicate_key: The key "1" is given twice'],
  ["a: 1\n---\nb: 2\n", "f:2:1 yaml_syntax: A second YAML document begins here; the file holds one"],
  ["a: *x\nb: &x 1", 'f:1:4 yaml_syntax: The alias "*x" has no anchor before it'],
  ["a: &x [1, *x]", 'f:1:11 yaml_syntax: The alias "*x" stands inside its own anchor'],
  ["a: !env HOME", 'f:1:9 yaml_syntax: The tag "!env" is not supported'],
  ["a: !!binary aGk=", 'f:1:13 yaml_syntax: The tag "tag:yaml.org,2002:binary" is not supported'],
  ["a: !!set {x}", 'f:1:10 yaml_syntax: The tag "tag:yaml.org,2002:set" is not supported'],
  ["? [a, b]\n: 1", "f:1:3 yaml_syntax: A key must be plain text"],
  [
    "a: &x {b: 1}\nc:\n  <<: *x",
    'f:3:3 not_supported: The merge key "<<" is not part of YAML 1.2; repeat the keys, ' +
    "or use an alias",
  ],
  ["__proto__: {a: 1}", 'f:1:1 invalid_value: The key "__proto__" is not allowed'],
  ['a: "\\ud800"', "f:1:4 invalid_value: The text holds half of a surrogate pair"],
];

for (const [text, expected] of MISTAKES) {
  Deno.test(`YAML ${JSON.stringify(text)} has a mistake`, () => assert.deepEqual(issuesOf(text), [expected]));
}

Deno.test("several mistakes of syntax are all reported, one for a line", () => {
  assert.deepEqual(issuesOf("a: @x\nb: `y`\nkey: - a\n").map((line) => line.split(" ", 1)[0]), [
    "f:1:4",
    "f:2:4",
    "f:3:6",
  ]);
});

Deno.test("aliases of aliases end in an issue, soon", () => {
  const levels = Array.from(
    { length: 30 },
    (_, level) => level === 0 ? "a0: &a0 [x, x]" : `a${level}: &a${level} [*a${level - 1}, *a${level - 1}]`,
  );
  const { value, issues } = readYaml(levels.join("\n"), "f");
  assert.equal(value, undefined);
  assert.deepEqual(issues.map(({ code, message }) => [code, message]), [
    ["too_large", "More than 50000 values, counting each use of an alias"],
  ]);
});

Deno.test("deep nesting is an issue, whatever its depth", () => {
  assert.deepEqual(issuesOf(`${"[".repeat(101)}${"]".repeat(101)}`), [
    "f:1:101 too_deep: More than 100 levels deep",
  ]);
  assert.deepEqual(issuesOf(`${"[".repeat(99)}${"]".repeat(99)}`), []);
  assert.notDeepEqual(issuesOf("[".repeat(20_000)), []);
  assert.notDeepEqual(issuesOf("- ".repeat(20_000)), []);
});
