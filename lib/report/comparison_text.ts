/** A comparison as text: differences, decisions, the gate, and what must be known beside them. */
import type {
  ChangedCase,
  Comparison,
  ComparisonContent,
  Decision,
  Gate,
  JudgeLicence,
  MetricDifference,
  Requirement,
  SliceDifference,
} from "../domain/comparison.ts";
import type { JudgeRate } from "../domain/calibration.ts";
import type { Rule } from "../domain/policy.ts";
import { formatNumber } from "../stats/format_number.ts";
import type { Json } from "../domain/json.ts";
import { roundDecimal } from "../stats/round_decimal.ts";
import { ABSENT } from "./metric_text.ts";
import { oneLine } from "./printable.ts";
import { counted } from "./run_text.ts";

/** Slice lines that are printed when not all are asked for. */
const MAX_SLICE_LINES = 20;
/** Regressed cases that are named on one line. */
const MAX_NAMED = 10;

/** A comparison as `compare` prints it. */
export function comparisonText(
  comparison: Comparison,
  options: { readonly allSlices?: boolean } = {},
): string {
  const { content, comparison_id } = comparison;
  const { candidate, baseline, paired } = content;
  const head = baseline === null
    ? `Comparison ${comparison_id} of ${candidate} alone`
    : `Comparison ${comparison_id} of ${candidate} against ${baseline} · ${counted(paired, "paired case")}`;
  const margins = marginsOf(comparison);
  const lines = [
    head,
    ...content.metrics.map((metric) => metricLine(metric, margins)),
    ...sliceLines(comparison, options.allSlices ?? false),
    ...decisionLines(comparison),
  ];
  const notes = noteLines(comparison);
  return `${
    [...lines, ...(notes.length === 0 ? [] : ["Notes", ...notes.map((note) => `  ${note}`)])].join("\n")
  }\n`;
}

/** `answer_correct: +0.0 points [-33.6, +33.6] · 13 paired · 0 missing · 0 excluded` */
function metricLine(metric: MetricDifference, margins: ReadonlyMap<string, readonly number[]>): string {
  const { criterion, paired, missing, excluded } = metric;
  const figures = differenceText(metric, margins.get(criterion) ?? []);
  return `${criterion}: ${figures} · ${paired} paired · ${missing} missing · ${excluded} excluded`;
}

/** `+0.0 points [-33.6, +33.6]`; `—` without an observed pair. */
export function differenceText(
  { difference, lower, upper }: MetricDifference,
  margins: readonly number[],
): string {
  if (difference === null || lower === null || upper === null) return ABSENT;
  const estimate = formatNumber(difference, { style: "points", role: "estimate" });
  return `${estimate} points [${boundText(lower, "lower", margins)}, ${boundText(upper, "upper", margins)}]`;
}

/** A bound in points, with as many digits as it takes to print it on its own side of each margin. */
function boundText(bound: number, role: "lower" | "upper", margins: readonly number[]): string {
  const direction = role === "lower" ? "down" : "up";
  for (let digits = 1;; digits++) {
    const text = roundDecimal(bound, { digits, shift: 2, direction });
    const misleads = digits < 9 &&
      margins.some((margin) => Math.sign(Number(text) - margin) !== Math.sign(bound - margin / 100));
    if (!misleads) return text.startsWith("-") ? text : `+${text}`;
  }
}

/** The margins, in points and with both signs, of the rules about each criterion. */
export function marginsOf({ content }: Pick<Comparison, "content">): ReadonlyMap<string, readonly number[]> {
  const margins = new Map<string, readonly number[]>();
  for (const rule of content.policy?.rules ?? []) {
    if (!("margin_points" in rule)) continue;
    const { criterion, margin_points } = rule;
    margins.set(criterion, [...margins.get(criterion) ?? [], margin_points, -margin_points]);
  }
  for (const { criterion, shrunk_margin_points: shrunk } of content.decisions) {
    if (shrunk === undefined) continue;
    margins.set(criterion, [...margins.get(criterion) ?? [], shrunk, -shrunk]);
  }
  return margins;
}

function sliceLines({ content, min_slice_support }: Comparison, all: boolean): readonly string[] {
  const slices = Map.groupBy(content.slices, ({ slice }) => slice);
  const lines = [...slices.values()].flatMap((values) =>
    content.metrics.flatMap((_metric, index) =>
      values.flatMap((value) => sliceLine(value, index, min_slice_support))
    )
  );
  if (all || lines.length <= MAX_SLICE_LINES) return lines;
  const rest = lines.length - MAX_SLICE_LINES;
  return [
    ...lines.slice(0, MAX_SLICE_LINES),
    `… ${counted(rest, "more slice line")}; print them with --slices all`,
  ];
}

function sliceLine(
  { slice, value, cases, metrics }: SliceDifference,
  index: number,
  support: number,
): readonly string[] {
  const name = `${oneLine(slice)}=${oneLine(value, 60)}`;
  if (metrics === null) {
    return index === 0
      ? [`${name}: ${counted(cases, "paired case")}, below min_slice_support ${support}`]
      : [];
  }
  const metric = metrics[index];
  if (metric === undefined) return [];
  return [
    `${name} · ${metric.criterion}: ${differenceText(metric, [])} · ${metric.paired} paired (exploratory)`,
  ];
}

function decisionLines({ content }: Comparison): readonly string[] {
  const { decisions, policy, gate } = content;
  if (policy === null || gate === null) return [];
  return [
    "Decisions",
    ...decisions.map((decision, index) => {
      const test = askedText(decision, policy.rules[index]);
      return `  ${[decision.name, decision.criterion, test, decision.decision, decision.reason].join("  ")}`;
    }),
    gateText(gate, decisions),
  ];
}

/** What a rule asked, with the margin that decided where the errors of a judge shrink it. */
export function askedText({ test, shrunk_margin_points: shrunk }: Decision, rule: Rule | undefined): string {
  const asked = rule === undefined ? test : testText(rule);
  return shrunk === undefined ? asked : `${asked} (${shrunkText(shrunk)} through its judge)`;
}

/** A margin that was shrunk, never printed wider than it is. */
export function shrunkText(points: number): string {
  return roundDecimal(points, { digits: 1, shift: 0, direction: "down" });
}

/** What a rule asks: `non-inferiority, margin 5.0 points`. */
export function testText(rule: Rule): string {
  switch (rule.test) {
    case "threshold":
      return `threshold, at least ${shareText(rule.at_least)}`;
    case "suite-threshold":
      return `suite-threshold, at least ${shareText(rule.at_least)} of these cases`;
    case "no-regression":
      if (rule.cases !== undefined) return `no-regression, ${counted(rule.cases.length, "named case")}`;
      return `no-regression, ${
        rule.slice === undefined
          ? "all cases"
          : `${oneLine(rule.slice.slice)}=${oneLine(rule.slice.value, 60)}`
      }`;
    default:
      return `${rule.test}, margin ${pointsText(rule.margin_points)} points`;
  }
}

/** A share as a policy states it: one digit, more only where they were written. */
function shareText(share: number): string {
  return `${pointsText(Number((share * 100).toPrecision(12)))}%`;
}

/** Points as a policy states them: one digit, more only where they were written. */
export function pointsText(points: number): string {
  const written = String(points);
  if (written.includes("e")) return written;
  const [, decimals = ""] = written.split(".");
  return points.toFixed(Math.max(1, decimals.length));
}

/** What the gate says, with its exit code. */
export function gateText(gate: Gate, decisions: readonly Decision[]): string {
  const undecided = decisions.filter(({ decision }) => decision === "INSUFFICIENT_EVIDENCE").length;
  switch (gate) {
    case "PASS":
      return "Gate: PASS (exit 0)";
    case "BLOCK":
      return "Gate: BLOCK (exit 3)";
    case "NOT_BLOCKED":
      return `Gate: NOT BLOCKED (exit 0); nothing was shown for ${undecided} of ${
        counted(decisions.length, "rule")
      }`;
  }
}

/** What must be known beside the figures, a line each. */
export function noteLines(comparison: Comparison): readonly string[] {
  const { content, criteria_in_one, earlier_policies, requirements } = comparison;
  return [
    ...comparison.run_notes.map((note) => oneLine(note)),
    ...(content.level === 0.95 ? [] : [`Intervals at level ${content.level}`]),
    ...unpairedLines(comparison),
    ...content.metrics.filter(({ mcnemar_p }) => mcnemar_p !== null).map(changesLine),
    ...verdictLines(content.decisions),
    ...requirements.flatMap((requirement) => requirementLines(requirement, comparison)),
    ...content.decisions.flatMap(decisionNotes),
    ...judgeNotes(content),
    ...settingLines(comparison),
    ...(criteria_in_one.length === 0 ? [] : [`Only in one of the runs: ${criteria_in_one.join(", ")}`]),
    ...(earlier_policies === 0 ? [] : [
      `These runs were compared before under ${
        earlier_policies === 1 ? "another policy" : `${earlier_policies} other policies`
      }: ` +
      "the promise holds for one policy, fixed before the first look",
    ]),
  ];
}

function unpairedLines({ content }: Comparison): readonly string[] {
  const { only_in_candidate, only_in_baseline, changed } = content.unpaired;
  const parts = [
    ...(only_in_baseline > 0 ? [`${only_in_baseline} only in the baseline`] : []),
    ...(only_in_candidate > 0 ? [`${only_in_candidate} only in the candidate`] : []),
    ...(changed > 0 ? [`${changed} with another input or expectation`] : []),
  ];
  return parts.length === 0 ? [] : [`Unpaired cases: ${parts.join(", ")}`];
}

function changesLine({ criterion, better, worse, tied, mcnemar_p }: MetricDifference): string {
  const counts = `${criterion}: ${better} better, ${worse} worse, ${tied} tied`;
  return better + worse === 0 || mcnemar_p === null
    ? counts
    : `${counts}; exact McNemar p ${Number(mcnemar_p.toPrecision(3))}`;
}

function verdictLines(decisions: readonly Decision[]): readonly string[] {
  if (decisions.length === 0) return [];
  const count = (verdict: Decision["decision"]) =>
    decisions.filter(({ decision }) => decision === verdict).length;
  const [failed, undecided] = [count("FAIL"), count("INSUFFICIENT_EVIDENCE")];
  const first = failed === 0 ? "No rule failed" : `${counted(failed, "rule")} failed`;
  if (undecided === 0) return failed === 0 ? [] : [first];
  return [`${first}; ${undecided} ${undecided === 1 ? "is" : "are"} undecided`];
}

function requirementLines(requirement: Requirement, { content }: Comparison): readonly string[] {
  const rule = content.policy?.rules.find(({ name }) => name === requirement.name);
  if (rule === undefined) return [];
  const { present, needed_at_best, needed_at_churn } = requirement;
  const isDifference = "margin_points" in rule;
  const noun = isDifference ? "pair" : "case";
  const shrunk = content.decisions.find(({ name }) => name === requirement.name)?.shrunk_margin_points;
  const aim = isDifference
    ? `clear ${
      shrunk === undefined ? pointsText(rule.margin_points) : shrunkText(shrunk)
    } points even with no verdict changed`
    : `show ${"at_least" in rule ? shareText(rule.at_least) : ""} even if every one passed`;
  const atBest = needed_at_best === undefined
    ? []
    : needed_at_best === null
    ? [`${rule.name}: no number of ${noun}s can ${aim}`]
    : present < needed_at_best
    ? [`${rule.name}: ${counted(present, noun)} cannot ${aim}; ${needed_at_best} such ${noun}s would`]
    : [];
  if (needed_at_churn === undefined) return atBest;
  const atChurn = needed_at_churn === null
    ? `${rule.name}: at the observed churn no number of pairs would`
    : `${rule.name}: at the observed churn ${needed_at_churn} pairs would`;
  return [...atBest, atChurn];
}

/** The cases that went from pass to fail, the first of them by name. */
export function regressedText(regressed: readonly string[]): string {
  const named = regressed.slice(0, MAX_NAMED).map((id) => oneLine(id, 60)).join(", ");
  return `regressed: ${named}${regressed.length > MAX_NAMED ? `, … (${regressed.length} in all)` : ""}`;
}

function decisionNotes(decision: Decision): readonly string[] {
  const { name, test, reason, unobserved, regressed } = decision;
  return [
    ...(regressed.length === 0 ? [] : [`${name}: ${regressedText(regressed)}`]),
    ...(reason === "missing_outcomes"
      ? [`${name}: ${counted(unobserved, "unobserved outcome")} could decide it: run what is missing`]
      : []),
    ...(test === "suite-threshold"
      ? [`${name}: a share of these very cases, without interval or claim about others`]
      : []),
  ];
}

/** Who judged, how well that was measured, and what follows for margins and rates. */
function judgeNotes({ judges = [], decisions, policy }: ComparisonContent): readonly string[] {
  return judges.flatMap((licence) => [
    licenceLine(licence),
    ...decisions.filter(({ criterion }) => criterion === licence.criterion).flatMap((decision) => {
      const rule = policy?.rules.find(({ name }) => name === decision.name);
      return [...shrunkLines(decision, rule, licence), ...biasLines(decision)];
    }),
  ]);
}

/** `grounded is judged by openai gpt-x: sensitivity …, specificity …, 54 labels (calibration sha256:…)`. */
export function licenceLine(licence: JudgeLicence): string {
  const { criterion, judge, calibration_id, labels, problem } = licence;
  const rate = (name: string, { value, lower, upper }: JudgeRate) => {
    const text = (part: number, role: "lower" | "estimate" | "upper") =>
      formatNumber(part, { style: "percent", role });
    return `${name} ${text(value, "estimate")} [${text(lower, "lower")}, ${text(upper, "upper")}]`;
  };
  const rates = [
    ...(licence.sensitivity === null ? [] : [rate("sensitivity", licence.sensitivity)]),
    ...(licence.specificity === null ? [] : [rate("specificity", licence.specificity)]),
    ...(calibration_id === null ? [] : [`${counted(labels, "label")} (calibration ${calibration_id})`]),
  ];
  const measured = rates.length === 0 ? "" : `: ${rates.join(", ")}`;
  return `${criterion} is judged by ${oneLine(judge)}${measured}${
    problem === null ? "" : `; it may not gate: ${problem}`
  }`;
}

function shrunkLines(
  { name, shrunk_margin_points: shrunk }: Decision,
  rule: Rule | undefined,
  { margin_factor }: JudgeLicence,
): readonly string[] {
  if (shrunk === undefined || margin_factor === null || rule === undefined || !("margin_points" in rule)) {
    return [];
  }
  const factor = roundDecimal(margin_factor, { digits: 3, shift: 0, direction: "down" });
  return [
    `${name}: a judge that errs shrinks true differences, so ${pointsText(rule.margin_points)} points × ` +
    `${factor} = ${shrunkText(shrunk)} points decide, assuming that it errs equally on both runs`,
  ];
}

function biasLines({ name, reason, judged_share: share }: Decision): readonly string[] {
  if (reason !== "judge_rate_is_biased") return [];
  const percent = (value: number) => formatNumber(value, { style: "percent", role: "estimate" });
  const stands = share === undefined
    ? ""
    : share.corrected === null
    ? `: ${percent(share.observed)} passed`
    : `: ${percent(share.observed)} passed, which would stand for ${
      percent(share.corrected)
    } (Rogan–Gladen, without interval)`;
  return [`${name}: a rate that a judge gives is biased by its errors and decides nothing${stands}`];
}

function settingLines({ settings_changed }: Comparison): readonly string[] {
  const changes = settings_changed.map(({ setting, baseline, candidate }) =>
    setting === "source_code"
      ? "the code"
      : `${oneLine(setting)} ${oneLine(baseline, 60)} → ${oneLine(candidate, 60)}`
  );
  if (changes.length === 0) return [];
  return changes.length === 1 ? [`Changed: ${changes[0]}`] : [
    `More than one setting changed at once: ${
      changes.join("; ")
    }; the difference belongs to all of them together`,
  ];
}

/** A comparison as `inspect` prints it: the cases whose verdict changed, with both answers. */
export function changedCasesText(comparison: Comparison, changed: readonly ChangedCase[]): string {
  const { comparison_id, content } = comparison;
  const head = `Comparison ${comparison_id} of ${content.candidate} against ${content.baseline} · ${
    counted(changed.length, "case")
  } with a changed verdict`;
  const lines = changed.flatMap(({ case_id, changes, baseline_output, candidate_output }) => [
    `${oneLine(case_id, 100)}: ${
      changes.map(({ criterion, change }) => `${criterion} ${change}`).join(", ")
    }`,
    `  baseline:  ${outputText(baseline_output)}`,
    `  candidate: ${outputText(candidate_output)}`,
  ]);
  return `${[head, ...lines].join("\n")}\n`;
}

function outputText(output: Json | undefined): string {
  return output === undefined ? "(none in this store)" : oneLine(JSON.stringify(output), 300);
}
