/** A run as JUnit XML: a suite a pass/fail criterion, a test a case, for the test panes of CI systems. */
import type { Json } from "../domain/json.ts";
import type { RunHeader, StoredCase } from "../domain/run.ts";
import type { FailedCase, RunReport } from "../domain/run_report.ts";
import { escapeMarkup } from "./escape_markup.ts";
import { casesText, estimateText, intervalText } from "./metric_text.ts";
import { oneLine } from "./printable.ts";

/** A run with what its tests are made of. */
export interface JunitRun {
  readonly header: RunHeader;
  readonly report: RunReport;
  /** The criteria that pass or fail; the others are figures and no tests. */
  readonly tests: readonly JunitCriterion[];
  /** Reads the finished cases from the first; called for each suite, so that a run of any size fits in memory. */
  readonly cases: () => AsyncIterable<StoredCase>;
}

/** A criterion whose judgments are tests. */
export interface JunitCriterion {
  readonly criterion: string;
  /** Its place among the judgments of a case. */
  readonly place: number;
  /** What a failed case was expected to be, and what came instead. */
  readonly describe: (stored: StoredCase) => FailedCase;
}

type Outcome = "pass" | "failure" | "error" | "skipped";

/** One testcase: what became of it and, unless it passed, why. */
interface Test {
  readonly outcome: Outcome;
  readonly type?: string;
  readonly message?: string;
}

interface Suite {
  readonly name: string;
  test(stored: StoredCase): Test;
}

/**
 * The document in pieces. An observed fail is a failure; a missing judgment, a failed execution's too, is an error: nobody knows
 * whether the case would have passed; an excluded one is skipped. Figures stand in the properties of every suite. Without any
 * pass/fail criterion the executions are the tests, and what the run did not finish is an error of its own.
 */
export async function* runJunit(run: JunitRun): AsyncGenerator<string> {
  const suites = suitesOf(run);
  const counts = suites.map(() => ({ tests: 0, failure: 0, error: 0, skipped: 0, pass: 0 }));
  let finished = 0;
  for await (const stored of run.cases()) {
    finished++;
    for (const [index, count] of counts.entries()) {
      count.tests++;
      count[suites[index]?.test(stored).outcome ?? "error"]++;
    }
  }
  yield `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites${attributes({ name: run.header.run_id })}>\n`;
  yield unfinishedSuite(run, finished);
  const properties = propertiesOf(run);
  for (const [index, suite] of suites.entries()) {
    const { tests, failure = 0, error = 0, skipped = 0 } = counts[index] ?? { tests: 0 };
    const head = attributes({ name: suite.name, tests, failures: failure, errors: error, skipped });
    yield `  <testsuite${head}>\n${properties}`;
    for await (const stored of run.cases()) yield testcase(run.header, suite, stored);
    yield "  </testsuite>\n";
  }
  yield "</testsuites>\n";
}

function suitesOf({ tests }: JunitRun): readonly Suite[] {
  if (tests.length === 0) return [{ name: "executions", test: executionTest }];
  return tests.map(({ criterion, place, describe }) => ({
    name: criterion,
    test(stored) {
      const judgment = stored.judgments[place];
      if (judgment?.status === "excluded") return { outcome: "skipped", message: judgment.reason };
      if (judgment?.status === "observed") {
        if (judgment.value === true) return { outcome: "pass" };
        return { outcome: "failure", type: "fail", message: failureText(describe(stored)) };
      }
      const { outcome, ...failed } = executionTest(stored);
      if (outcome === "error" && judgment?.reason === "execution_failed") return { outcome, ...failed };
      const { reason, message = reason } = judgment ?? { reason: "there is no judgment" };
      return { outcome: "error", type: reason, message };
    },
  }));
}

/** What some evaluators compare with stands in no case: null then, and not said. */
function failureText({ expected, got, details }: FailedCase): string {
  return [
    ...(expected === null ? [] : [`expected ${shown(expected)}`]),
    `got ${shown(got)}`,
    ...(details === null ? [] : [shown(details)]),
  ].join(", ");
}

function executionTest({ record: { error } }: StoredCase): Test {
  if (error === undefined) return { outcome: "pass" };
  return { outcome: "error", type: `${error.stage} ${error.kind}`, message: error.message };
}

function testcase({ repeats }: RunHeader, suite: Suite, stored: StoredCase): string {
  const { id } = stored.record.case;
  const name = repeats === 1 ? id : `${id}, repeat ${stored.repeat}`;
  const { outcome, type, message } = suite.test(stored);
  const head = `    <testcase${attributes({ name, classname: suite.name })}`;
  if (outcome === "pass") return `${head}/>\n`;
  const said = { message: oneLine(message ?? "", 1000), ...(type === undefined ? {} : { type }) };
  return `${head}><${outcome}${attributes(said)}/></testcase>\n`;
}

/** A part must not pass for a whole, least of all where only the number of failures is read. */
function unfinishedSuite({ header }: JunitRun, finished: number): string {
  const planned = header.cases * header.repeats;
  if (header.status === "complete" && finished >= planned) return "";
  const { status, forgotten_cases = 0 } = header;
  const forgotten = forgotten_cases === 0 ? "" : `; cases forgotten since: ${forgotten_cases}`;
  const message = `${finished} of ${planned} executions are finished: the run is ${status}${forgotten}`;
  return [
    `  <testsuite${attributes({ name: "run", tests: 1, failures: 0, errors: 1, skipped: 0 })}>`,
    `    <testcase${attributes({ name: "every case is finished", classname: "run" })}>` +
    `<error${attributes({ message, type: "unfinished_run" })}/></testcase>`,
    "  </testsuite>\n",
  ].join("\n");
}

function propertiesOf({ header: { system }, report: { metrics } }: JunitRun): string {
  const properties = [
    ["system", system.name],
    ["version", system.version],
    ...metrics.map((metric) => [
      metric.criterion,
      `${estimateText(metric)} ${intervalText(metric)} · ${casesText(metric)}`,
    ]),
  ];
  const lines = properties.map(([name = "", value = ""]) =>
    `      <property${attributes({ name, value })}/>\n`
  );
  return `    <properties>\n${lines.join("")}    </properties>\n`;
}

function shown(value: Json): string {
  return oneLine(typeof value === "string" ? `"${value}"` : JSON.stringify(value));
}

function attributes(values: Readonly<Record<string, string | number>>): string {
  return Object.entries(values).map(([name, value]) => ` ${name}="${escapeMarkup(String(value))}"`).join("");
}
