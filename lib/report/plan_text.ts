/** A plan as text. */
import { type Plan, type PlannedRule, tooFewText } from "../domain/plan.ts";
import { roundDecimal } from "../stats/round_decimal.ts";
import { licenceLine, shrunkText, testText } from "./comparison_text.ts";
import { counted } from "./run_text.ts";

/** What each rule needs, what there is, and whether the policy can pass at all. */
export function planText(plan: Plan): string {
  return `${
    [...plan.rules.flatMap((rule) => ruleLines(rule, plan)), ...tooFewLines(plan), ...refusedLines(plan)]
      .join("\n")
  }\n`;
}

function tooFewLines(plan: Plan): readonly string[] {
  return plan.too_few.length === 0
    ? []
    : [`This policy cannot pass with the present cases: ${tooFewText(plan)}`];
}

function refusedLines(plan: Plan): readonly string[] {
  const refused = plan.rules.filter(({ refused }) => refused !== undefined).map(({ name }) => name);
  return refused.length === 0 ? [] : [`This policy cannot pass: ${refused.join(", ")} cannot be decided`];
}

function ruleLines(
  { name, criterion, rule, ...planned }: PlannedRule,
  { judges = [] }: Plan,
): readonly string[] {
  const { present, needed_at_best, needed_at_churn, smallest_excluded_loss, shrunk_margin_points } = planned;
  const shrunk = shrunk_margin_points === undefined
    ? ""
    : ` (${shrunkText(shrunk_margin_points)} through its judge)`;
  const licence = judges.find((one) => one.criterion === criterion);
  const head = [
    [name, criterion, `${testText(rule)}${shrunk}`].join("  "),
    ...(licence === undefined ? [] : [`  ${licenceLine(licence)}`]),
  ];
  if (planned.refused === "judge_rate_is_biased") {
    return [...head, "  no number of cases is enough: a rate that a judge gives is biased by its errors"];
  }
  if (planned.refused !== undefined) {
    return [...head, "  no number of cases is enough while its judge may not gate"];
  }
  if (!("margin_points" in rule) && rule.test !== "threshold") {
    return [...head, `  counts these very cases (${present} present): any number can pass`];
  }
  const best = "margin_points" in rule ? "if no verdict changes" : "if every one passes";
  const loss = shrunk_margin_points === undefined ? "a loss" : "a true loss";
  const way = rule.test === "superiority"
    ? "all for the better"
    : "half for the better and half for the worse";
  return [
    ...head,
    rule.test === "superiority"
      ? `  ${counted(present, "case")} present; it passes only when verdicts improve; needed:`
      : `  ${counted(present, "case")} present; needed: ${needed_at_best ?? "no number is enough"} ${best}`,
    ...needed_at_churn.map(({ churn, needed }) =>
      `  ${needed ?? "no number is enough"} if ${percent(churn)} of the verdicts change, ${way}`
    ),
    ...(smallest_excluded_loss === null ? [] : [
      `  ${counted(present, "case")} can exclude ${loss} of ${points(smallest_excluded_loss)} points at best`,
    ]),
  ];
}

function percent(share: number): string {
  return `${Number((share * 100).toPrecision(6))}%`;
}

function points(loss: number): string {
  return roundDecimal(loss, { digits: 1, shift: 2, direction: "up" });
}
