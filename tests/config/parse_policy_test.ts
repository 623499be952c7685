import assert from "node:assert/strict";
import fc from "fast-check";
import { criterionIssues, type KnownCriterion, parsePolicy } from "../../lib/config/parse_policy.ts";
import type { Policy, Rule } from "../../lib/domain/policy.ts";
import { showIssues } from "./show_issues.ts";

const FILE = "compare.yaml";
const RULE = "rules:\n  - {name: no-worse, criterion: correct, test: non-inferiority, margin: 5}\n";

function issuesOf(text: string): readonly string[] {
  return showIssues(parsePolicy(text, FILE));
}

function policyOf(text: string): Policy {
  const parsed = parsePolicy(text, FILE);
  if (!parsed.ok) throw new Error(showIssues(parsed).join("\n"));
  return parsed.policy;
}

Deno.test("the smallest policy has every default", () => {
  assert.deepEqual(policyOf(RULE), {
    level: 0.95,
    on_insufficient: "block",
    rules: [{ name: "no-worse", criterion: "correct", test: "non-inferiority", margin_points: 5 }],
  });
});

Deno.test("every key of a policy arrives, and the rules keep their order", () => {
  const text = `level: 0.9
on_insufficient: allow
rules:
  - {name: z, criterion: correct, test: superiority}
  - {name: y, criterion: ndcg_at_6, test: superiority, margin: 0.5}
  - {name: x, criterion: correct, test: equivalence, margin: 2.5}
  - {name: w, criterion: correct, test: threshold, at_least: 0.9}
  - {name: v, criterion: correct, test: suite-threshold, at_least: 1}
  - {name: u, criterion: citations_valid, test: no-regression}
  - name: t
    test: no-regression
    cases: [refund, "12"]
    criterion: correct
  - {name: s.1_é, criterion: correct, test: no-regression, slice: metadata.topic=billing}
  - {name: r, criterion: correct, test: non-inferiority, margin: 5}
`;
  assert.deepEqual(policyOf(text), {
    level: 0.9,
    on_insufficient: "allow",
    rules: [
      { name: "z", criterion: "correct", test: "superiority", margin_points: 0 },
      { name: "y", criterion: "ndcg_at_6", test: "superiority", margin_points: 0.5 },
      { name: "x", criterion: "correct", test: "equivalence", margin_points: 2.5 },
      { name: "w", criterion: "correct", test: "threshold", at_least: 0.9 },
      { name: "v", criterion: "correct", test: "suite-threshold", at_least: 1 },
      { name: "u", criterion: "citations_valid", test: "no-regression" },
      { name: "t", criterion: "correct", test: "no-regression", cases: ["refund", "12"] },
      {
        name: "s.1_é",
        criterion: "correct",
        test: "no-regression",
        slice: { slice: "metadata.topic", value: "billing" },
      },
      { name: "r", criterion: "correct", test: "non-inferiority", margin_points: 5 },
    ],
  });
});

Deno.test("one criterion may have several rules", () => {
  const text = `${RULE}  - {name: better, criterion: correct, test: superiority}\n`;
  assert.deepEqual(policyOf(text).rules.map(({ criterion }) => criterion), ["correct", "correct"]);
});

/** The rest of a rule, and whether it is right: the ends of each range. */
const RANGES: readonly (readonly [string, boolean])[] = [
  ["test: non-inferiority, margin: 0", false],
  ["test: non-inferiority, margin: 1e-9", true],
  ["test: non-inferiority, margin: 100", true],
  ["test: non-inferiority, margin: 100.1", false],
  ["test: superiority, margin: -0.1", false],
  ["test: superiority, margin: 0", true],
  ["test: superiority, margin: 99.9", true],
  ["test: superiority, margin: 100", false],
  ["test: equivalence, margin: 0", false],
  ["test: equivalence, margin: 0.1", true],
  ["test: equivalence, margin: 100", true],
  ["test: equivalence, margin: 101", false],
  ["test: threshold, at_least: -0.01", false],
  ["test: threshold, at_least: 0", true],
  ["test: threshold, at_least: 1", true],
  ["test: threshold, at_least: 1.01", false],
  ["test: suite-threshold, at_least: -0.01", false],
  ["test: suite-threshold, at_least: 0", true],
  ["test: suite-threshold, at_least: 1.0", true],
  ["test: suite-threshold, at_least: 1.01", false],
];

for (const [rest, right] of RANGES) {
  Deno.test(`${right ? "in" : "out of"} range: ${rest}`, () => {
    assert.equal(parsePolicy(`rules: [{name: a, criterion: c, ${rest}}]`, FILE).ok, right);
  });
}

Deno.test("a level lies between 0 and 1, which are none", () => {
  for (const level of [0.001, 0.5, 0.999]) assert.equal(policyOf(`${RULE}level: ${level}`).level, level);
  for (const level of [-0.1, 0, 1, 1.1, ".inf", ".nan"]) {
    assert.equal(parsePolicy(`${RULE}level: ${level}`, FILE).ok, false, String(level));
  }
});

/** Slices as they are written, with what becomes of them. */
const SLICES: readonly (readonly [string, string, string])[] = [
  ["metadata.topic=billing", "metadata.topic", "billing"],
  ["input.user.plan=free tier", "input.user.plan", "free tier"],
  ["metadata.formula=a=b", "metadata.formula", "a=b"],
  ["metadata.note=", "metadata.note", ""],
  ["metadata.note= x", "metadata.note", " x"],
  ["relevant_position=12", "relevant_position", "12"],
  ["relevant_position=none", "relevant_position", "none"],
  ["relevant_position=unlabelled", "relevant_position", "unlabelled"],
  ["relevant_position=absent", "relevant_position", "absent"],
  ["context_truncated=true", "context_truncated", "true"],
  ["context_truncated=false", "context_truncated", "false"],
  ["context_truncated=absent", "context_truncated", "absent"],
];

for (const [written, slice, value] of SLICES) {
  Deno.test(`the slice ${JSON.stringify(written)}`, () => {
    const text = `rules: [{name: a, criterion: c, test: no-regression, slice: ${JSON.stringify(written)}}]`;
    const [rule] = policyOf(text).rules;
    assert.deepEqual(rule, { name: "a", criterion: "c", test: "no-regression", slice: { slice, value } });
  });
}

const TOP = "rules, level, on_insufficient, judges";
const LEVEL = "level must be a number above 0 and below 1";

/** What is written after one right rule, from line 3 on, and the one issue that it makes. */
const MISTAKES_AT_THE_TOP: readonly (readonly [string, string])[] = [
  ["level: 95", `3:8 invalid_value: ${LEVEL}, not 95 (write 0.95)`],
  ["level: 99.9", `3:8 invalid_value: ${LEVEL}, not 99.9 (write 0.999)`],
  ["level: 95%", `3:8 invalid_type: ${LEVEL}, not "95%" (write 0.95)`],
  ["level: '95 %'", `3:8 invalid_type: ${LEVEL}, not "95 %" (write 0.95)`],
  ["level: '0.95'", `3:8 invalid_type: ${LEVEL}, not "0.95" (write it without quotes: 0.95)`],
  // It may be meant as 1 − level, so there is nothing to suggest.
  ["level: 5", `3:8 invalid_value: ${LEVEL}, not 5`],
  ["level: 1", `3:8 invalid_value: ${LEVEL}, not 1`],
  ["level: 100", `3:8 invalid_value: ${LEVEL}, not 100`],
  ["level: 0", `3:8 invalid_value: ${LEVEL}, not 0`],
  ["level: high", `3:8 invalid_type: ${LEVEL}, not "high"`],
  ["level:", `3:1 invalid_type: ${LEVEL}, not null`],
  [
    "on_insufficient: blok",
    '3:18 invalid_value: on_insufficient must be "block" or "allow", not "blok" (did you mean "block"?)',
  ],
  ["on_insufficient: true", '3:18 invalid_value: on_insufficient must be "block" or "allow", not true'],
  [
    "judges: {correct: {min_sensitivity: 0.8, min_labels: 50}}",
    '3:10 missing_key: judges.correct needs the key "min_specificity": a fraction of at least 0 and at most 1',
  ],
  [
    "judges: {correct: {min_sensitivity: 80, min_specificity: 0.8, min_labels: 50}}",
    "3:37 invalid_value: judges.correct.min_sensitivity must be a fraction of at least 0 and at most 1, " +
    "not 80 (80 % is written 0.8)",
  ],
  [
    "judges: {correct: {min_sensitivity: 0.8, min_specificity: 0.8, min_labels: 0}}",
    "3:76 invalid_value: judges.correct.min_labels must be a whole number of at least 1, not 0",
  ],
  ["judges: []", "3:9 invalid_type: judges must be an object, not []"],
  [
    "on-insufficient: allow",
    `3:1 unknown_key: Unknown key "on-insufficient"; allowed: ${TOP} (did you mean "on_insufficient"?)`,
  ],
  ["alpha: 0.05", `3:1 unknown_key: Unknown key "alpha"; allowed: ${TOP}`],
  [
    "margin: 5",
    `3:1 unknown_key: Unknown key "margin"; allowed: ${TOP} ("margin" belongs in a rule, under rules)`,
  ],
  [
    "name: gate",
    `3:1 unknown_key: Unknown key "name"; allowed: ${TOP} ("name" belongs in a rule, under rules)`,
  ],
  ["level: 0.9\nlevel: 0.8", '4:1 duplicate_key: The key "level" is given twice'],
  // That null stands for what could not be read is no second mistake.
  ["level: !half 0.5", '3:14 yaml_syntax: The tag "!half" is not supported'],
];

for (const [text, expected] of MISTAKES_AT_THE_TOP) {
  Deno.test(`a mistake at the top: ${JSON.stringify(text)}`, () => {
    assert.deepEqual(issuesOf(`${RULE}${text}\n`), [`${FILE}:${expected}`]);
  });
}

const TESTS = "non-inferiority, superiority, equivalence, threshold, suite-threshold or no-regression";
const NAME = "a name of letters, digits and the signs _ . -";
const ABOVE_0 = "a number of percentage points above 0 and at most 100";
const FROM_0 = "a number of percentage points of at least 0 and below 100";
const FRACTION = "a fraction of at least 0 and at most 1";
const SLICE = 'a slice and its value, as in "metadata.topic=billing"; slices are metadata.<path>, ' +
  "input.<path>, relevant_position or context_truncated";
const TAKES_MARGIN = "margin belongs to non-inferiority, superiority, equivalence";
const TAKES_AT_LEAST = "at_least belongs to threshold, suite-threshold";

/** The lines of a rule that has a name and a criterion, from line 4 on, and the one issue that they make. */
const MISTAKES_IN_A_RULE: readonly (readonly [string, string])[] = [
  ["margin: 5", `2:5 missing_key: rules[0] needs the key "test": ${TESTS}`],
  ["test: non-inferiority", `2:5 missing_key: rules[0] needs the key "margin": ${ABOVE_0}`],
  ["test: equivalence", `2:5 missing_key: rules[0] needs the key "margin": ${ABOVE_0}`],
  ["test: threshold", `2:5 missing_key: rules[0] needs the key "at_least": ${FRACTION}`],
  ["test: suite-threshold", `2:5 missing_key: rules[0] needs the key "at_least": ${FRACTION}`],

  ["test:", `4:5 invalid_value: rules[0].test must be ${TESTS}, not null`],
  ["test: 5", `4:11 invalid_value: rules[0].test must be ${TESTS}, not 5`],
  ["test: t-test", `4:11 invalid_value: rules[0].test must be ${TESTS}, not "t-test"`],
  ...["non_inferiority", "noninferiority", "Non Inferiority", "inferiority"].map((test) =>
    [
      `test: ${test}`,
      `4:11 invalid_value: rules[0].test must be ${TESTS}, not "${test}" (did you mean "non-inferiority"?)`,
    ] as const
  ),
  ...["suite_threshold", "suiteThreshold"].map((test) =>
    [
      `test: ${test}`,
      `4:11 invalid_value: rules[0].test must be ${TESTS}, not "${test}" (did you mean "suite-threshold"?)`,
    ] as const
  ),
  [
    "test: no_regression",
    `4:11 invalid_value: rules[0].test must be ${TESTS}, not "no_regression" (did you mean "no-regression"?)`,
  ],
  [
    "test: Threshold",
    `4:11 invalid_value: rules[0].test must be ${TESTS}, not "Threshold" (did you mean "threshold"?)`,
  ],

  [
    "test: threshold\n    at_least: 0.9\n    margin: 5",
    `6:5 unknown_key: Unknown key "margin" in rules[0]: ${TAKES_MARGIN}; threshold takes at_least`,
  ],
  [
    "test: suite-threshold\n    at_least: 0.9\n    margin: 5",
    `6:5 unknown_key: Unknown key "margin" in rules[0]: ${TAKES_MARGIN}; suite-threshold takes at_least`,
  ],
  [
    "test: no-regression\n    margin: 0",
    `5:5 unknown_key: Unknown key "margin" in rules[0]: ${TAKES_MARGIN}; no-regression takes cases or slice`,
  ],
  [
    "test: superiority\n    at_least: 90",
    `5:5 unknown_key: Unknown key "at_least" in rules[0]: ${TAKES_AT_LEAST}; superiority takes margin`,
  ],
  [
    "test: equivalence\n    margin: 1\n    slice: metadata.a=b",
    '6:5 unknown_key: Unknown key "slice" in rules[0]: slice belongs to no-regression; equivalence takes margin',
  ],
  [
    "test: threshold\n    at_least: 0.9\n    cases: [a, a]",
    '6:5 unknown_key: Unknown key "cases" in rules[0]: cases belongs to no-regression; threshold takes at_least',
  ],
  [
    "test: superiority\n    level: 0.9",
    '5:5 unknown_key: Unknown key "level" in rules[0]; allowed: name, criterion, test, margin ' +
    '("level" belongs at the top)',
  ],
  [
    "test: superiority\n    margn: 5",
    '5:5 unknown_key: Unknown key "margn" in rules[0]; allowed: name, criterion, test, margin ' +
    '(did you mean "margin"?)',
  ],
  [
    "test: superiority\n    critereon: c",
    '5:5 unknown_key: Unknown key "critereon" in rules[0]; allowed: name, criterion, test, margin ' +
    '(did you mean "criterion"?)',
  ],
  [
    "test: no-regression\n    toString: 1",
    '5:5 unknown_key: Unknown key "toString" in rules[0]; allowed: name, criterion, test, cases, slice',
  ],

  [
    "test: non-inferiority\n    margin: 0",
    `5:13 invalid_value: rules[0].margin must be ${ABOVE_0}, not 0`,
  ],
  [
    "test: non-inferiority\n    margin: -5",
    `5:13 invalid_value: rules[0].margin must be ${ABOVE_0}, not -5`,
  ],
  ["test: non-inferiority\n    margin:", `5:5 invalid_type: rules[0].margin must be ${ABOVE_0}, not null`],
  [
    "test: non-inferiority\n    margin: '5'",
    `5:13 invalid_type: rules[0].margin must be ${ABOVE_0}, not "5" (write it without quotes: 5)`,
  ],
  ...["5%", "5 %", "5 points", "5 pp"].map((margin) =>
    [
      `test: equivalence\n    margin: ${margin}`,
      `5:13 invalid_type: rules[0].margin must be ${ABOVE_0}, not "${margin}" ` +
      "(write 5: a margin is in percentage points)",
    ] as const
  ),
  [
    "test: superiority\n    margin: 100",
    `5:13 invalid_value: rules[0].margin must be ${FROM_0}, not 100`,
  ],
  ["test: superiority\n    margin: -1", `5:13 invalid_value: rules[0].margin must be ${FROM_0}, not -1`],

  [
    "test: threshold\n    at_least: 90",
    `5:15 invalid_value: rules[0].at_least must be ${FRACTION}, not 90 (90 % is written 0.9)`,
  ],
  [
    "test: suite-threshold\n    at_least: 99.9",
    `5:15 invalid_value: rules[0].at_least must be ${FRACTION}, not 99.9 (99.9 % is written 0.999)`,
  ],
  [
    "test: threshold\n    at_least: 85%",
    `5:15 invalid_type: rules[0].at_least must be ${FRACTION}, not "85%" (85 % is written 0.85)`,
  ],
  [
    "test: threshold\n    at_least: 900",
    `5:15 invalid_value: rules[0].at_least must be ${FRACTION}, not 900 (90 % is written 0.9)`,
  ],
  [
    "test: threshold\n    at_least: '0.9'",
    `5:15 invalid_type: rules[0].at_least must be ${FRACTION}, not "0.9" (write it without quotes: 0.9)`,
  ],
  ["test: threshold\n    at_least: -1", `5:15 invalid_value: rules[0].at_least must be ${FRACTION}, not -1`],

  [
    "test: no-regression\n    cases: []",
    "5:12 invalid_value: rules[0].cases must be a non-empty list of case ids, not []",
  ],
  [
    "test: no-regression\n    cases: refund",
    '5:12 invalid_type: rules[0].cases must be a non-empty list of case ids, not "refund"',
  ],
  [
    "test: no-regression\n    cases: [a, 007]",
    '5:16 invalid_type: rules[0].cases[1] must be non-empty text, not 7 (write it in quotes: "007")',
  ],
  [
    "test: no-regression\n    cases: ['']",
    '5:13 invalid_value: rules[0].cases[0] must be non-empty text, not ""',
  ],
  [
    "test: no-regression\n    cases:\n      - a\n      - b\n      - a",
    '8:9 duplicate_id: The case "a" is already in the list, on line 6 (leave it out)',
  ],
  [
    "test: no-regression\n    slice: metadata.a=b\n    cases: [a]",
    "6:5 cases_and_slice: rules[0] has both cases and slice; allowed: one of them, or neither for every case",
  ],
  [
    "test: no-regression\n    cases: [a]\n    slice: metadata.a=b",
    "6:5 cases_and_slice: rules[0] has both cases and slice; allowed: one of them, or neither for every case",
  ],
  [
    "test: no-regression\n    slice: topic=billing",
    `5:12 invalid_value: rules[0].slice must be ${SLICE}, not "topic=billing" (did you mean "metadata.topic"?)`,
  ],
  [
    "test: no-regression\n    slice: relevant_postion=1",
    `5:12 invalid_value: rules[0].slice must be ${SLICE}, not "relevant_postion=1" ` +
    '(did you mean "relevant_position"?)',
  ],
  [
    "test: no-regression\n    slice: metadata.topic",
    `5:12 invalid_value: rules[0].slice must be ${SLICE}, not "metadata.topic" ` +
    '(add the value: "metadata.topic=…")',
  ],
  [
    "test: no-regression\n    slice: metadata.topic = billing",
    `5:12 invalid_value: rules[0].slice must be ${SLICE}, not "metadata.topic = billing" (no blanks before the =)`,
  ],
  [
    "test: no-regression\n    slice: metadata=billing",
    `5:12 invalid_value: rules[0].slice must be ${SLICE}, not "metadata=billing"`,
  ],
  ...["0", "01", "first", ""].map((position) =>
    [
      `test: no-regression\n    slice: relevant_position=${position}`,
      `5:12 invalid_value: rules[0].slice must be ${SLICE}, not "relevant_position=${position}" ` +
      "(relevant_position is a position from 1, none, unlabelled or absent)",
    ] as const
  ),
  [
    "test: no-regression\n    slice: context_truncated=yes",
    `5:12 invalid_value: rules[0].slice must be ${SLICE}, not "context_truncated=yes" ` +
    "(context_truncated is true, false or absent)",
  ],
  [
    "test: no-regression\n    slice: {metadata.topic: billing}",
    `5:12 invalid_type: rules[0].slice must be ${SLICE}, not {"metadata.topic":"billing"}`,
  ],
];

for (const [text, expected] of MISTAKES_IN_A_RULE) {
  Deno.test(`a mistake in a rule: ${JSON.stringify(text)}`, () => {
    const issues = issuesOf(`rules:\n  - name: a\n    criterion: c\n    ${text}\n`);
    assert.deepEqual(issues, [`${FILE}:${expected}`]);
  });
}

/** Rules, from line 2 on, and the one issue that they make. */
const MISTAKES_OF_NAMES: readonly (readonly [string, string])[] = [
  ["- {criterion: c, test: superiority}", `2:3 missing_key: rules[0] needs the key "name": ${NAME}`],
  ["- {name: a, test: superiority}", `2:3 missing_key: rules[0] needs the key "criterion": ${NAME}`],
  [
    "- {name: a b, criterion: c, test: superiority}",
    `2:10 invalid_value: rules[0].name must be ${NAME}, not "a b"`,
  ],
  [
    "- {name: 1.0, criterion: c, test: superiority}",
    `2:10 invalid_type: rules[0].name must be ${NAME}, not 1 (write it in quotes: "1.0")`,
  ],
  [
    "- {name: a, criterion: 'ndcg@6', test: superiority}",
    `2:24 invalid_value: rules[0].criterion must be ${NAME}, not "ndcg@6"`,
  ],
  [
    "- criterion: c\n  test: superiority\n  name: a\n- {criterion: d, name: a, test: superiority}",
    '5:24 duplicate_rule: The name "a" is already that of the rule on line 4 ' +
    "(give one of the two another name)",
  ],
  ["- superiority", '2:3 invalid_type: rules[0] must be an object, not "superiority"'],
];

for (const [text, expected] of MISTAKES_OF_NAMES) {
  Deno.test(`a mistake of names: ${JSON.stringify(text)}`, () => {
    assert.deepEqual(issuesOf(`rules:\n${text}\n`), [`${FILE}:${expected}`]);
  });
}

Deno.test("a name that is used three times is reported twice, each time with the first", () => {
  const rule = "- {name: a, criterion: c, test: superiority}\n";
  assert.deepEqual(
    issuesOf(`rules:\n${rule}${rule}${rule}`),
    [3, 4].map((line) =>
      `${FILE}:${line}:10 duplicate_rule: The name "a" is already that of the rule on line 2 ` +
      "(give one of the two another name)"
    ),
  );
});

Deno.test("a name that is no name is not compared with others", () => {
  const rule = "- {name: a b, criterion: c, test: superiority}\n";
  assert.deepEqual(issuesOf(`rules:\n${rule}${rule}`), [
    `${FILE}:2:10 invalid_value: rules[0].name must be ${NAME}, not "a b"`,
    `${FILE}:3:10 invalid_value: rules[1].name must be ${NAME}, not "a b"`,
  ]);
});

Deno.test("a policy needs at least one rule", () => {
  const missing = `${FILE}:1:1 missing_key: The policy needs the key "rules": a non-empty list`;
  assert.deepEqual(issuesOf(""), [missing]);
  assert.deepEqual(issuesOf("# none yet\n"), [missing]);
  assert.deepEqual(issuesOf("level: 0.9\n"), [missing]);
  assert.deepEqual(issuesOf("rules: []\n"), [
    `${FILE}:1:8 invalid_value: rules must be a non-empty list, not []`,
  ]);
  assert.deepEqual(issuesOf("rules:\n"), [
    `${FILE}:1:1 invalid_type: rules must be a non-empty list, not null`,
  ]);
  assert.deepEqual(issuesOf("rules: {}\n"), [
    `${FILE}:1:8 invalid_type: rules must be a non-empty list, not {}`,
  ]);
  assert.deepEqual(issuesOf("[]"), [`${FILE}:1:1 invalid_type: The policy must be an object, not []`]);
});

Deno.test("text that is no YAML is reported alone", () => {
  const issues = issuesOf("level: 95\nrules: [\n");
  assert.equal(issues.length, 1);
  assert.match(issues[0] ?? "", /^compare\.yaml:\d+:\d+ yaml_syntax: /);
});

Deno.test("all mistakes are reported at once, sorted by place", () => {
  const text = `margin: 5
rules:
  - {name: a, criterion: c, test: threshold, margin: 5}
  - {name: a, criterion: c d, test: superiority, margin: -1, level: 0.9}
  - nothing
  - {criterion: c, test: no-regression, slice: topic, cases: [a, a, 5]}
  - {name: b, test: non_inferiority, margn: 5, at_least: 90}
  - {name: d, criterion: c, test: equivalence, margin: 0}
judges: {}
level: 95
on_insufficient: stop
`;
  assert.deepEqual(issuesOf(text).map((line) => line.split(": ", 1)[0]), [
    "compare.yaml:1:1 unknown_key",
    "compare.yaml:3:5 missing_key",
    "compare.yaml:3:46 unknown_key",
    "compare.yaml:4:12 duplicate_rule",
    "compare.yaml:4:26 invalid_value",
    "compare.yaml:4:58 invalid_value",
    "compare.yaml:4:62 unknown_key",
    "compare.yaml:5:5 invalid_type",
    "compare.yaml:6:5 missing_key",
    "compare.yaml:6:48 invalid_value",
    "compare.yaml:6:55 cases_and_slice",
    "compare.yaml:6:66 duplicate_id",
    "compare.yaml:6:69 invalid_type",
    "compare.yaml:7:5 missing_key",
    "compare.yaml:7:21 invalid_value",
    "compare.yaml:7:38 unknown_key",
    "compare.yaml:8:56 invalid_value",
    "compare.yaml:10:8 invalid_value",
    "compare.yaml:11:18 invalid_value",
  ]);
});

Deno.test("without a known test, keys that some test takes are left alone", () => {
  assert.deepEqual(issuesOf("rules: [{name: a, criterion: c, test: x, margin: -1, slice: y, zzz: 1}]"), [
    `${FILE}:1:39 invalid_value: rules[0].test must be ${TESTS}, not "x"`,
    `${FILE}:1:64 unknown_key: Unknown key "zzz" in rules[0]; ` +
    "allowed: name, criterion, test, margin, at_least, cases, slice",
  ]);
});

Deno.test("a byte-order mark and CRLF change neither result nor place", () => {
  const right = `${RULE}level: 0.9\n`;
  assert.deepEqual(policyOf(`\ufeff${right.replaceAll("\n", "\r\n")}`), policyOf(right));
  const wrong = `level: 95\n${RULE}  - {name: é, criterion: c, test: threshold, at_least: 90}\n`;
  const issues = issuesOf(wrong);
  assert.deepEqual(issues.map((line) => line.split(" ", 1)[0]), ["compare.yaml:1:8", "compare.yaml:4:56"]);
  assert.deepEqual(issuesOf(`\ufeff${wrong.replaceAll("\n", "\r\n")}`), issues);
});

const MANY = `rules:
  - {name: a, criterion: answer_corect, test: superiority}
  - name: b
    test: no-regression
    criterion: ndcg_at_6
  - {name: d, criterion: ndcg_at_6, test: suite-threshold, at_least: 0.5}
  - {name: e, criterion: ndcg_at_6, test: threshold, at_least: 0.5}
  - {name: f, criterion: answer_correct, test: no-regression}
  - {name: g, criterion: tone, test: no-regression}
  - {name: h, criterion: zzz, test: no-regression}
`;

function criterionIssuesOf(text: string, known: readonly KnownCriterion[]): readonly string[] {
  const parsed = parsePolicy(text, FILE);
  if (!parsed.ok) throw new Error(showIssues(parsed).join("\n"));
  return showIssues({ ok: false, issues: criterionIssues(parsed.policy, parsed.places, known) });
}

Deno.test("criteria are checked against those of the runs, at the rule's criterion", () => {
  const known: readonly KnownCriterion[] = [
    { criterion: "answer_correct", observes: "pass" },
    { criterion: "ndcg_at_6", observes: "number" },
    { criterion: "tone", observes: "either" },
  ];
  const having = "the runs have answer_correct, ndcg_at_6, tone";
  const hint = "(non-inferiority, superiority, equivalence and threshold take numbers)";
  assert.deepEqual(criterionIssuesOf(MANY, known), [
    `${FILE}:2:26 unknown_criterion: Unknown criterion "answer_corect" in the rule "a"; ${having} ` +
    '(did you mean "answer_correct"?)',
    `${FILE}:5:16 not_pass_fail: The values of "ndcg_at_6" are numbers; no-regression needs pass/fail ${hint}`,
    `${FILE}:6:26 not_pass_fail: The values of "ndcg_at_6" are numbers; suite-threshold needs pass/fail ${hint}`,
    `${FILE}:10:26 unknown_criterion: Unknown criterion "zzz" in the rule "h"; ${having}`,
  ]);
});

Deno.test("runs without any criterion are said to have none", () => {
  assert.deepEqual(criterionIssuesOf(RULE, []), [
    `${FILE}:2:33 unknown_criterion: Unknown criterion "correct" in the rule "no-worse"; the runs have none`,
  ]);
});

Deno.test("the places of a policy lead to the parts of its rules", () => {
  const parsed = parsePolicy(
    "rules:\n- {name: a, criterion: c, test: no-regression, cases: [x, y]}\n- name: b\n" +
      "  criterion: c\n  test: no-regression\n  slice: metadata.a=b\n",
    FILE,
  );
  assert.ok(parsed.ok);
  assert.deepEqual(parsed.places.value(["rules", 0, "cases", 1]), { line: 2, column: 59 });
  assert.deepEqual(parsed.places.value(["rules", 1, "slice"]), { line: 6, column: 10 });
});

const word = fc.stringMatching(/^[a-z_.-]{1,8}$/).filter((text) => /[a-z]/.test(text));
const above0 = fc.double({ min: 0, max: 100, minExcluded: true, noNaN: true });
const fraction = fc.double({ min: 0, max: 1, noNaN: true }).map(Math.abs);

/** A rule with a name still to be given. */
const anyRule: fc.Arbitrary<(name: string) => Rule> = fc.tuple(
  word,
  fc.oneof(
    fc.record({ test: fc.constantFrom("non-inferiority", "equivalence"), margin_points: above0 }),
    fc.record({ test: fc.constant("superiority" as const), margin_points: fraction }),
    fc.record({ test: fc.constantFrom("threshold", "suite-threshold"), at_least: fraction }),
    fc.record(
      { test: fc.constant("no-regression" as const), cases: fc.uniqueArray(word, { minLength: 1 }) },
      { requiredKeys: ["test"] },
    ),
    fc.record({
      test: fc.constant("no-regression" as const),
      slice: fc.record({ slice: fc.constantFrom("metadata.a", "input.b.c"), value: fc.string() }),
    }),
  ),
).map(([criterion, body]) => (name: string) => ({ name, criterion, ...body }));

const anyPolicy: fc.Arbitrary<Policy> = fc.record({
  level: fc.double({ min: 0.01, max: 0.999, noNaN: true }),
  on_insufficient: fc.constantFrom("block", "allow"),
  rules: fc.array(anyRule, { minLength: 1, maxLength: 6 })
    .map((rules) => rules.map((named, index) => named(`rule-${index}`))),
});

/** A policy as a file states it; JSON is YAML. */
function fileOf({ rules, ...rest }: Policy): string {
  const written = rules.map((rule) => {
    if ("margin_points" in rule) {
      const { margin_points: margin, ...others } = rule;
      return { ...others, margin };
    }
    if (!("slice" in rule) || rule.slice === undefined) return rule;
    return { ...rule, slice: `${rule.slice.slice}=${rule.slice.value}` };
  });
  return JSON.stringify({ ...rest, rules: written });
}

Deno.test("what a policy states is what is read, every number as it is written", () => {
  fc.assert(
    fc.property(anyPolicy, (policy) => {
      // fast-check's records have no prototype.
      assert.deepEqual(policyOf(fileOf(policy)), structuredClone(policy));
    }),
    { seed: 20_261_130, numRuns: 300 },
  );
});

Deno.test("any text gives a policy or issues with a place", () => {
  const pieces = fc.constantFrom(
    ...["rules:", "- ", "name: a", "criterion: c", "test: ", "margin: ", "at_least: ", "cases: ", "slice: "],
    ...["non-inferiority", "superiority", "threshold", "no-regression", "metadata.a=b", "5", "0.9", "-1"],
    ...["level: 95", "level: 0.9", "on_insufficient: allow", "judges: {}", "toString: 1", "__proto__: 1"],
    ...["{name: a, criterion: c, test: superiority}", "&a ", "*a", "!x ", "<<: *a", "\t", "'", '"', "#"],
    ...[
      "\n",
      "\n  ",
      "\n    ",
      "\r\n",
      "\ufeff",
      "---\n",
      "é",
      "😀",
      "\ud800",
      "{",
      "}",
      "[",
      "]",
      ",",
      ": ",
    ],
  );
  const text = fc.oneof(
    fc.string({ unit: "binary", maxLength: 40 }),
    fc.array(pieces, { maxLength: 30 }).map((parts) => parts.join("")),
    fc.array(pieces, { maxLength: 12 }).map((parts) => RULE + parts.join("")),
    fc.json().map((json) => `{"level": 0.9, "rules": ${json}}`),
    fc.dictionary(
      fc.constantFrom("name", "criterion", "test", "margin", "at_least", "cases", "slice"),
      fc.jsonValue(),
    )
      .map((rule) => JSON.stringify({ rules: [rule, { ...rule, test: "no-regression" }] })),
  );
  fc.assert(
    fc.property(text, (given) => {
      const parsed = parsePolicy(given, FILE);
      if (parsed.ok) return assert.ok(parsed.policy.rules.length > 0);
      assert.ok(parsed.issues.length > 0);
      const lines = given.replace(/^\ufeff/, "").split("\n");
      let before = { line: 0, column: 0 };
      for (const { line = 0, column = 0, message } of parsed.issues) {
        assert.ok(line >= 1 && line <= lines.length, `line ${line}: ${message}`);
        assert.ok(
          column >= 1 && column <= (lines[line - 1] ?? "").length + 1,
          `column ${column}: ${message}`,
        );
        assert.ok(line > before.line || (line === before.line && column >= before.column), "sorted by place");
        before = { line, column };
      }
    }),
    { seed: 20_261_130, numRuns: 3000 },
  );
});
