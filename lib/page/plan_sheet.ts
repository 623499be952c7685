/** A plan as a table and a picture. */
import { type Plan, tooFewText } from "../domain/plan.ts";
import { planPicture } from "../picture/plan_picture.ts";
import { testText } from "../report/comparison_text.ts";
import { ABSENT } from "../report/metric_text.ts";
import { countCell, numberCell } from "./metric_table.ts";
import { section, type Sheet } from "./sheet.ts";

/** A plan: what each rule needs, and whether it can pass with what there is. */
export function planSheet(plan: Plan): Sheet {
  const churns = [
    ...new Set(plan.rules.flatMap(({ needed_at_churn }) => needed_at_churn.map(({ churn }) => churn))),
  ];
  const needed = (cases: number | null | undefined) =>
    cases === undefined || cases === null
      ? numberCell(cases === null ? "no number" : ABSENT, Infinity)
      : countCell(cases);
  return {
    title: plan.too_few.length === 0 ? "Plan" : "Plan: this policy cannot pass with the present cases",
    facts: [],
    sections: [
      section("Cases", {
        tables: [{
          caption: "Cases that the rules need",
          columns: [
            { name: "Rule" },
            { name: "Criterion" },
            { name: "Test" },
            { name: "Present", numeric: true },
            { name: "Needed at best", numeric: true },
            ...churns.map((churn) => ({
              name: `Needed if ${Number((churn * 100).toPrecision(6))}% change`,
              numeric: true,
            })),
          ],
          rows: plan.rules.map(({ name, criterion, rule, present, needed_at_best, needed_at_churn }) => [
            name,
            criterion,
            testText(rule),
            countCell(present),
            "margin_points" in rule || rule.test === "threshold" ? needed(needed_at_best) : needed(undefined),
            ...churns.map((churn) => needed(needed_at_churn.find((one) => one.churn === churn)?.needed)),
          ]),
        }],
        pictures: plan.rules.length === 0 ? [] : [planPicture(plan)],
        lines: plan.too_few.length === 0 ? [] : [tooFewText(plan)],
      }),
    ],
  };
}
