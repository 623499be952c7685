import assert from "node:assert/strict";
import type { RunHeader, StoredCase } from "../../lib/domain/run.ts";
import { runJunit } from "../../lib/report/run_junit.ts";
import { evaluator, finishedCase } from "../metrics/judged_case.ts";
import { reportOf } from "./run_report.ts";

const header: RunHeader = {
  run_id: "run_A",
  kind: "run",
  status: "complete",
  started_at: "2026-09-17T10:00:00.000Z",
  oloproof_version: "1",
  system: reportOf().system,
  source_digest: null,
  evaluators: [evaluator("right"), evaluator("ndcg")],
  slices: [],
  min_slice_support: 1,
  relevance_unit: "document",
  selection: [],
  cases: 1,
  repeats: 1,
  function_digests: {},
  evaluator_versions: {},
};

async function junitOf(
  cases: readonly StoredCase[],
  { change = {}, tests = true }: { readonly change?: Partial<RunHeader>; readonly tests?: boolean } = {},
): Promise<string> {
  const pieces = runJunit({
    header: { ...header, cases: cases.length, ...change },
    report: reportOf(),
    tests: tests
      ? [{
        criterion: "right",
        place: 0,
        describe: ({ record }) => ({
          case_id: record.case.id,
          expected: "30 <days>",
          got: record.output ?? null,
          details: null,
          relevant_position: "none",
        }),
      }]
      : [],
    cases: async function* () {
      await Promise.resolve();
      yield* cases;
    },
  });
  return (await Array.fromAsync(pieces)).join("");
}

const error = { stage: "generate", kind: "timeout", message: "too slow" } as const;
const five: readonly StoredCase[] = [
  finishedCase({ id: "pass", judgments: [{ status: "observed", value: true }] }),
  finishedCase({ id: "fail", output: "14 & more", judgments: [{ status: "observed", value: false }] }),
  finishedCase({ id: "broken", error, judgments: [{ status: "missing", reason: "execution_failed" }] }),
  finishedCase({
    id: "unjudged",
    judgments: [{ status: "missing", reason: "output_field_absent", message: "no answer" }],
  }),
  finishedCase({ id: "open", judgments: [{ status: "excluded", reason: "no_expected_value" }] }),
];

Deno.test("junit: fails are failures, what is missing is an error, what is excluded is skipped", async () => {
  const xml = await junitOf(five);
  assert.match(xml, /<testsuite name="right" tests="5" failures="1" errors="2" skipped="1">/);
  assert.match(xml, /<testcase name="pass" classname="right"\/>/);
  assert.match(
    xml,
    /name="fail" classname="right"><failure message="expected &quot;30 &lt;days&gt;&quot;, got &quot;14 &amp; more&quot;" type="fail"\/>/,
  );
  assert.match(xml, /name="broken" classname="right"><error message="too slow" type="generate timeout"\/>/);
  assert.match(
    xml,
    /name="unjudged" classname="right"><error message="no answer" type="output_field_absent"\/>/,
  );
  assert.match(xml, /name="open" classname="right"><skipped message="no_expected_value"\/>/);
});

Deno.test("junit: figures are properties and no tests", async () => {
  const xml = await junitOf(five);
  assert.equal(xml.match(/<testsuite /g)?.length, 1);
  assert.match(xml, /<property name="system" value="help"\/>/);
});

Deno.test("junit: without any pass/fail criterion the executions are the tests", async () => {
  const xml = await junitOf(five, { tests: false });
  assert.match(xml, /<testsuite name="executions" tests="5" failures="0" errors="1" skipped="0">/);
});

Deno.test("junit: a run that is not whole does not pass", async () => {
  const unfinished = await junitOf(five.slice(0, 1), { change: { cases: 2, status: "interrupted" } });
  assert.match(unfinished, /<testsuite name="run" tests="1" failures="0" errors="1" skipped="0">/);
  assert.match(unfinished, /1 of 2 executions are finished: the run is interrupted/);
  assert.doesNotMatch(await junitOf(five.slice(0, 1)), /name="run"/);
});

Deno.test("junit: a case executed twice is two tests", async () => {
  const [pass] = five;
  assert.ok(pass !== undefined);
  const xml = await junitOf([pass, { ...pass, repeat: 2 }], { change: { cases: 1, repeats: 2 } });
  assert.match(xml, /name="pass, repeat 1"/);
  assert.match(xml, /name="pass, repeat 2"/);
});

Deno.test("junit: text of others stays text", async () => {
  const hostile = finishedCase({
    id: `"/><x>`,
    output: "\u0000\u001b]]>\ufffe",
    judgments: [{ status: "observed", value: false }],
  });
  const xml = await junitOf([hostile]);
  assert.doesNotMatch(xml, /<x>|(?!\n)\p{Cc}|\ufffe/u);
  assert.match(xml, /name="&quot;\/&gt;&lt;x&gt;"/);
});
