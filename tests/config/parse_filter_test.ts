import assert from "node:assert/strict";
import type { Case } from "../../lib/domain/case.ts";
import { matchesFilter, parseFilter } from "../../lib/config/parse_filter.ts";
import { showIssues } from "./show_issues.ts";

const CASE: Case = {
  id: "a",
  input: { user: { plan: "pro" }, turns: ["first", "second"] },
  metadata: {
    topic: "billing",
    level: 3,
    hard: true,
    owner: null,
    tags: ["x"],
    "": "e",
    empty: "",
    eq: "a=b",
  },
};

const MATCHES: readonly (readonly [string, boolean])[] = [
  ["metadata.topic=billing", true],
  ["metadata.topic=Billing", false],
  ["metadata.topic=", false],
  ["metadata.topic= billing", false],
  ["metadata.level=3", true],
  ["metadata.level=3.0", false],
  ["metadata.hard=true", true],
  ["metadata.owner=null", true],
  ["metadata.empty=", true],
  ["metadata.eq=a=b", true],
  ["metadata.tags=x", false],
  ['metadata.tags=["x"]', false],
  ["metadata.tags.0=x", true],
  ["metadata.absent=undefined", false],
  ["metadata.absent=absent", false],
  ["metadata.toString=x", false],
  ["input.user.plan=pro", true],
  ["input.user=pro", false],
  ["input.turns.1=second", true],
];

for (const [text, matches] of MATCHES) {
  Deno.test(`--where ${text} ${matches ? "matches" : "does not match"}`, () => {
    const parsed = parseFilter(text);
    assert.ok(parsed.ok);
    assert.equal(matchesFilter(CASE, parsed.filter), matches);
  });
}

Deno.test("a case without metadata matches no filter of metadata", () => {
  assert.equal(matchesFilter({ id: "a", input: "x" }, { path: "metadata.topic", value: "x" }), false);
});

Deno.test("the path is one of metadata or input", () => {
  const allowed = "A filter must be metadata.<path>=<value> or input.<path>=<value>";
  const wrong: readonly (readonly [string, string])[] = [
    ["topic=billing", ' (did you mean "metadata.topic=billing"?)'],
    ["metadata.topic", ""],
    ["metadata=x", ""],
    ["metadata.=x", ""],
    ["metadata.a..b=x", ""],
    ["expected.answer=x", ""],
    ["metadatas.a=x", ""],
    ["=x", ""],
    ["", ""],
  ];
  for (const [text, hint] of wrong) {
    assert.deepEqual(showIssues(parseFilter(text)), [
      `--where invalid_filter: ${allowed}, not ${JSON.stringify(text)}${hint}`,
    ]);
  }
});
