/** A calibration as text: the table first, kappa last. */
import {
  type Calibration,
  type CalibrationFigures,
  type CalibrationRow,
  disagreements,
  type JudgeRate,
} from "../domain/calibration.ts";
import { judgeModelOf, judgeName } from "../domain/judge.ts";
import { formatNumber } from "../stats/format_number.ts";
import { labelsNeeded } from "../stats/labels_needed.ts";
import { ABSENT } from "./metric_text.ts";
import { oneLine } from "./printable.ts";
import { counted } from "./run_text.ts";
import { textTable } from "./text_table.ts";

/** Disagreements that `calibrate` names; `inspect` names all. */
const MAX_NAMED = 10;

/** Lower bounds that policies ask for, most often. */
const COMMON_TERMS = [0.8, 0.9, 0.95] as const;

/** A calibration as `judge calibrate` prints it. */
export function calibrationText(calibration: Calibration, program = "oloproof"): string {
  const { calibration_id, content, earlier } = calibration;
  const { figures, rows, level, repeats } = content;
  const differing = disagreements(rows);
  const lines = [
    headOf(calibration),
    tableText(figures),
    ...rateLines(figures),
    ...(figures.prevalence === null
      ? []
      : [`Prevalence: ${share(figures.prevalence)} of the labels are passes`]),
    consistencyLine(figures, repeats),
    ...absenceLines(figures),
    ...kappaLines(figures),
    ...neededLines(figures, level),
    `Disagreements: ${differing.length === 0 ? "none" : differing.length}`,
    ...differing.slice(0, MAX_NAMED).map((row) => `  ${rowLine(row, calibration)}`),
    ...(differing.length > MAX_NAMED ? [`  … ${differing.length - MAX_NAMED} more`] : []),
    ...(earlier === 0
      ? []
      : [`This very judge was calibrated ${times(earlier)} before: the newest calibration counts`]),
    `Calibration ${calibration_id}`,
    `Rows: ${program} inspect ${calibration_id}`,
  ];
  return `${lines.join("\n")}\n`;
}

/** A calibration as `inspect` prints it: every row, those on which judge and people disagree first. */
export function calibratedRowsText(calibration: Calibration): string {
  const { calibration_id, content } = calibration;
  const differing = disagreements(content.rows);
  const others = content.rows.filter((row) => !differing.includes(row));
  return `${
    [
      `Calibration ${calibration_id}`,
      headOf(calibration),
      `Disagreements: ${differing.length === 0 ? "none" : differing.length}`,
      ...differing.map((row) => `  ${rowLine(row, calibration)}`),
      `Others: ${others.length}`,
      ...others.map((row) => `  ${rowLine(row, calibration)}`),
    ].join("\n")
  }\n`;
}

function headOf({ content, run_id }: Calibration): string {
  const { criterion, judge, figures, rows } = content;
  const model = judgeModelOf(judge.parameters);
  const name = model === undefined ? judge.type : `${oneLine(judgeName(model))} (${judge.type})`;
  return [
    `Judge of ${criterion}: ${name}`,
    `${counted(rows.length, "labelled row")}, ${figures.labels} with a verdict`,
    ...(run_id === null ? [] : [run_id]),
  ].join(" · ");
}

function tableText({ table }: CalibrationFigures): string {
  return textTable(["", "Judge passes", "Judge fails"], [
    ["People pass", String(table.human_pass_judge_pass), String(table.human_pass_judge_fail)],
    ["People fail", String(table.human_fail_judge_pass), String(table.human_fail_judge_fail)],
  ]);
}

function rateLines({ sensitivity, specificity, agreement }: CalibrationFigures): readonly string[] {
  return [
    `Sensitivity: ${rateText(sensitivity, "that people pass")}`,
    `Specificity: ${rateText(specificity, "that people fail")}`,
    `Agreement: ${rateText(agreement, "labels")}`,
  ];
}

/** `94.4% [72.7%, 99.9%] · 17 of 18 that people pass`. */
export function rateText(rate: JudgeRate | null, of: string): string {
  if (rate === null) return `${ABSENT} (no label tells)`;
  return `${share(rate.value)} ${rateInterval(rate)} · ${rate.successes} of ${rate.trials} ${of}`;
}

function rateInterval({ lower, upper }: JudgeRate): string {
  const bound = (value: number, role: "lower" | "upper") => formatNumber(value, { style: "percent", role });
  return `[${bound(lower, "lower")}, ${bound(upper, "upper")}]`;
}

function share(value: number): string {
  return formatNumber(value, { style: "percent", role: "estimate" });
}

function consistencyLine({ consistency }: CalibrationFigures, repeats: number): string {
  return consistency === null
    ? "Repeat consistency: not measured (--repeats 2 judges every row twice)"
    : `Repeat consistency: ${rateText(consistency, `rows had one verdict in ${repeats} repeats`)}`;
}

function absenceLines({ without_verdict }: CalibrationFigures): readonly string[] {
  return without_verdict.map(({ reason, rows }) =>
    `Without a verdict (${oneLine(reason)}): ${counted(rows, "row")}, in no figure`
  );
}

function kappaLines({ kappa, pabak, gwet_ac1 }: CalibrationFigures): readonly string[] {
  const number = (value: number | null) => value === null ? ABSENT : value.toFixed(2);
  return [
    `Kappa: ${number(kappa)} (PABAK ${number(pabak)}, AC1 ${
      number(gwet_ac1)
    }); kappa depends on how common passes ` +
    "are, not only on how often the judge errs: it decides nothing",
  ];
}

/** What more labels could do, for the bounds that policies ask for most often. */
function neededLines(
  { table, sensitivity, specificity }: CalibrationFigures,
  level: number,
): readonly string[] {
  const passes = {
    agreeing: sensitivity?.successes ?? 0,
    labels: table.human_pass_judge_pass + table.human_pass_judge_fail,
  };
  const fails = {
    agreeing: specificity?.successes ?? 0,
    labels: table.human_fail_judge_pass + table.human_fail_judge_fail,
  };
  return [
    "Further labels until both lower bounds reach, if the judge agrees on every one of them:",
    ...COMMON_TERMS.map((least) => {
      const more = (present: typeof passes, one: string, many: string) => {
        const needed = labelsNeeded(least, present, { level });
        if (needed === undefined) return `no number of ${many}`;
        const count = needed - present.labels;
        return `${count} ${count === 1 ? one : many}`;
      };
      return `  ${least.toFixed(2)}: ${more(passes, "pass", "passes")}, ${more(fails, "fail", "fails")}`;
    }),
  ];
}

function rowLine({ row, label, verdicts, reason }: CalibrationRow, { reasons }: Calibration): string {
  const said = verdicts.length > 1 && new Set(verdicts).size > 1
    ? verdicts.join(", then ")
    : verdicts[0] ?? "";
  const why = reasons[row] ?? "";
  return `${oneLine(row, 100)}: people ${label}, judge ${said}${
    reason === undefined ? "" : ` (${oneLine(reason)})`
  }${why === "" ? "" : `: ${oneLine(why, 200)}`}`;
}

function times(count: number): string {
  return count === 1 ? "once" : `${count} times`;
}
