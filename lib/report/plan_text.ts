/** A plan as text. */
import type { Plan, PlannedRule } from "../domain/plan.ts";
import { roundDecimal } from "../stats/round_decimal.ts";
import { testText } from "./comparison_text.ts";
import { counted } from "./run_text.ts";

/** What each rule needs, what there is, and whether the policy can pass at all. */
export function planText(plan: Plan): string {
  return `${[...plan.rules.flatMap(ruleLines), ...cannotPassLines(plan)].join("\n")}\n`;
}

/** The one sentence about a policy that cannot pass; none when it can. */
export function cannotPassLines({ rules, cannot_pass }: Plan): readonly string[] {
  if (cannot_pass.length === 0) return [];
  const needed = rules.filter(({ cannot_pass }) => cannot_pass).map(({ name, present, needed_at_best }) =>
    `${name} has ${counted(present, "case")} and needs ${needed_at_best ?? "more than any number"}`
  );
  return [`This policy cannot pass with the present cases: ${needed.join("; ")}`];
}

function ruleLines({ name, criterion, rule, ...planned }: PlannedRule): readonly string[] {
  const { present, needed_at_best, needed_at_churn, smallest_excluded_loss } = planned;
  const head = [name, criterion, testText(rule)].join("  ");
  if (!("margin_points" in rule) && rule.test !== "threshold") {
    return [head, `  counts these very cases (${present} present): any number can pass`];
  }
  const best = "margin_points" in rule ? "if no verdict changes" : "if every one passes";
  return [
    head,
    `  ${counted(present, "case")} present; needed: ${needed_at_best ?? "no number is enough"} ${best}`,
    ...needed_at_churn.map(({ churn, needed }) =>
      `  ${needed ?? "no number is enough"} if ${
        percent(churn)
      } of the verdicts change, half for the better and half for the worse`
    ),
    ...(smallest_excluded_loss === null ? [] : [
      `  ${counted(present, "case")} can exclude a loss of ${points(smallest_excluded_loss)} points at best`,
    ]),
  ];
}

function percent(share: number): string {
  return `${Number((share * 100).toPrecision(6))}%`;
}

function points(loss: number): string {
  return roundDecimal(loss, { digits: 1, shift: 2, direction: "up" });
}
