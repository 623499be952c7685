/** Markdown for pull requests: a comparison, or the metrics of a run. */
import type { Comparison } from "../domain/comparison.ts";
import type { RunReport } from "../domain/run_report.ts";
import { askedText, differenceText, gateText, noteLines } from "./comparison_text.ts";
import { casesText, estimateText, intervalText } from "./metric_text.ts";
import { oneLine } from "./printable.ts";

/** A comparison: the gate first, then decisions, differences and notes. */
export function comparisonMarkdown(comparison: Comparison): string {
  const { content, comparison_id } = comparison;
  const { gate, decisions, policy, metrics, candidate, baseline } = content;
  const sections = [
    `### ${gate === null ? "Comparison" : gateText(gate, decisions)}`,
    `${candidate}${baseline === null ? "" : ` against ${baseline} · ${content.paired} paired cases`}`,
    ...(policy === null || decisions.length === 0 ? [] : [table(
      ["Rule", "Criterion", "Test", "Decision", "Reason"],
      decisions.map((decision, index) => {
        const asked = askedText(decision, policy.rules[index]);
        return [decision.name, decision.criterion, asked, decision.decision, decision.reason];
      }),
    )]),
    ...(metrics.length === 0 ? [] : [table(
      ["Metric", "Difference", "Paired", "Missing", "Excluded"],
      metrics.map((metric) => [
        metric.criterion,
        differenceText(metric, []),
        String(metric.paired),
        String(metric.missing),
        String(metric.excluded),
      ]),
    )]),
    noteLines(comparison).map((note) => `- ${escapeMarkdown(note)}`).join("\n"),
    `<sub>${comparison_id}</sub>`,
  ];
  return `${sections.filter((section) => section !== "").join("\n\n")}\n`;
}

/** The metrics of a run. */
export function runMarkdown({ run_id, metrics, cases, planned_cases, forgotten_cases }: RunReport): string {
  const rows = metrics.map((metric) => [
    metric.criterion,
    estimateText(metric),
    intervalText(metric),
    casesText(metric),
  ]);
  const left = [
    ...(cases < planned_cases ? [`${cases} of ${planned_cases} cases are in it`] : []),
    ...(forgotten_cases > 0 ? [`${forgotten_cases} forgotten since`] : []),
  ];
  const note = left.length === 0 ? "" : `\n${left.join(", ")}\n`;
  return `### ${run_id}\n\n${table(["Metric", "Estimate", "95% interval", "Cases"], rows)}\n${note}`;
}

function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(escapeMarkdown).join(" | ")} |`;
  return [line(header), `|${" --- |".repeat(header.length)}`, ...rows.map(line)].join("\n");
}

/** Text of others in one cell or line: no markup of Markdown or HTML survives. */
function escapeMarkdown(text: string): string {
  return oneLine(text, 1000).replace(/[\\`*_{}[\]<>|#~]/g, (character) => `\\${character}`);
}
