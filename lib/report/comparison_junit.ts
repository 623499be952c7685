/** A comparison as JUnit XML: a test case per rule, for the test panes of CI systems. */
import type { Comparison, Decision } from "../domain/comparison.ts";
import { askedText, regressedText } from "./comparison_text.ts";
import { escapeMarkup } from "./escape_markup.ts";

/** One suite with a test case per rule. A failed rule is a failure; an undecided one too, unless the policy lets it through. */
export function comparisonJunit({ comparison_id, content }: Comparison): string {
  const { decisions, policy, candidate, baseline } = content;
  const blocks = policy?.on_insufficient !== "allow";
  const failures = decisions.filter(({ decision }) => isFailure(decision, blocks)).length;
  const skipped =
    decisions.filter(({ decision }) => decision !== "PASS" && !isFailure(decision, blocks)).length;
  const suite = attributes({
    name: `oloproof ${candidate} against ${baseline ?? "no baseline"}`,
    tests: decisions.length,
    failures,
    skipped,
  });
  const cases = decisions.map((decision, index) => {
    const asked = askedText(decision, policy?.rules[index]);
    const head = attributes({ name: `${decision.name}: ${asked}`, classname: decision.criterion });
    const regressed = decision.regressed.length === 0 ? "" : `; ${regressedText(decision.regressed)}`;
    const said = attributes({ message: `${decision.decision} ${decision.reason}${regressed}` });
    if (decision.decision === "PASS") return `    <testcase${head}/>`;
    const result = isFailure(decision.decision, blocks) ? `<failure${said}/>` : `<skipped${said}/>`;
    return `    <testcase${head}>${result}</testcase>`;
  });
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${attributes({ name: comparison_id })}>`,
    `  <testsuite${suite}>`,
    ...cases,
    "  </testsuite>",
    "</testsuites>",
    "",
  ].join("\n");
}

function isFailure(verdict: Decision["decision"], blocks: boolean): boolean {
  return verdict === "FAIL" || (verdict === "INSUFFICIENT_EVIDENCE" && blocks);
}

function attributes(values: Readonly<Record<string, string | number>>): string {
  return Object.entries(values).map(([name, value]) => ` ${name}="${escapeMarkup(String(value))}"`).join("");
}
