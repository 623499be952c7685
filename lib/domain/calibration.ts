/** A calibration: a judge measured against people. */
import type { JsonObject } from "./json.ts";

/** A verdict of people, or of a judge. */
export type PassOrFail = "pass" | "fail";

/** What a judge said of a row: a verdict, or that there is none. */
export type JudgedOutcome = PassOrFail | "missing" | "excluded";

/** Which judge was measured. Another version, parameter or code is another judge. */
export interface CalibratedJudge {
  /** The evaluator that asks it, such as `groundedness_judge`. */
  readonly type: string;
  /** The version of the evaluator and of its prompt. */
  readonly version: number;
  /** All parameters of the evaluator, provider and model among them; where a key is looked for aside. */
  readonly parameters: JsonObject;
  /** The digest of the function's code, of a judge that is one; else null. */
  readonly source_digest: string | null;
}

/** One labelled row. */
export interface CalibrationRow {
  /** The id of the case, or `line 7` of the labels for a record that names none; unique. */
  readonly row: string;
  /** The hash of the record that was judged. */
  readonly record: string;
  /** What people say. */
  readonly label: PassOrFail;
  /** What the judge says, once for each repeat; the first counts, the others tell whether it says the same again. */
  readonly verdicts: readonly JudgedOutcome[];
  /** Why the first is none, as a stable word; absent when it is one. */
  readonly reason?: string;
}

/** The four cells of a 2×2 table, each a count of rows. */
export interface VerdictCounts {
  /** People pass it, and so does the judge. */
  readonly human_pass_judge_pass: number;
  /** People pass it, the judge fails it. */
  readonly human_pass_judge_fail: number;
  /** People fail it, the judge passes it. */
  readonly human_fail_judge_pass: number;
  /** People fail it, and so does the judge. */
  readonly human_fail_judge_fail: number;
}

/** A share of rows with its exact interval, unrounded fractions in [0, 1]. */
export interface JudgeRate {
  /** The observed share. */
  readonly value: number;
  /** How many of `trials` came out so. */
  readonly successes: number;
  /** The rows that it is a share of, at least 1. */
  readonly trials: number;
  /** Lower Clopper–Pearson bound. */
  readonly lower: number;
  /** Upper Clopper–Pearson bound. */
  readonly upper: number;
}

/** What the rows come to; null where there are no rows to tell it. */
export interface CalibrationFigures {
  /** Rows with a verdict. */
  readonly table: VerdictCounts;
  /** The sum of the table. */
  readonly labels: number;
  /** Rows without a verdict by their reason, sorted; they are in no other figure. */
  readonly without_verdict: readonly { readonly reason: string; readonly rows: number }[];
  /** Of the rows that people pass, the share that the judge passes. */
  readonly sensitivity: JudgeRate | null;
  /** Of the rows that people fail, the share that the judge fails. */
  readonly specificity: JudgeRate | null;
  /** Share of rows with the same verdict. */
  readonly agreement: JudgeRate | null;
  /** Share of rows that people pass. */
  readonly prevalence: number | null;
  /** Share of rows of which every repeat has the same verdict; null when each was judged once. */
  readonly consistency: JudgeRate | null;
  /** Cohen's kappa; null also when both give one verdict throughout. */
  readonly kappa: number | null;
  /** 2 × agreement − 1. */
  readonly pabak: number | null;
  /** Gwet's AC1. */
  readonly gwet_ac1: number | null;
}

/** What identifies a calibration: the same rows judged by the same judge with the same result have the same id. */
export interface CalibrationContent {
  /** The form of this document; another form has another number. */
  readonly schema: "oloproof/calibration/1";
  /** The criterion whose judge it is. */
  readonly criterion: string;
  /** The judge that was measured. */
  readonly judge: CalibratedJudge;
  /** How often each row was judged. */
  readonly repeats: number;
  /** The confidence of the intervals, two-sided. */
  readonly level: number;
  /** Sorted by `row`. */
  readonly rows: readonly CalibrationRow[];
  /** What they come to. */
  readonly figures: CalibrationFigures;
}

/** A stored calibration: its content, and what stands beside it outside the id. */
export interface Calibration {
  /** `sha256:` and 64 hexadecimal digits. */
  readonly calibration_id: string;
  /** What the id is the hash of. */
  readonly content: CalibrationContent;
  /** The run that labelled cases are of; null when every row brought its record. */
  readonly run_id: string | null;
  /** What the judge gave as its reason, by row; as far as it gave one. */
  readonly reasons: { readonly [row: string]: string };
  /** How many calibrations of this very judge were made before: the newest one counts, not the best. */
  readonly earlier: number;
  /** ISO 8601, UTC. */
  readonly created_at: string;
}

/** The rows on which the judge and people disagree, in their order. */
export function disagreements(rows: readonly CalibrationRow[]): readonly CalibrationRow[] {
  return rows.filter(({ label, verdicts: [first] }) =>
    (first === "pass" || first === "fail") && first !== label
  );
}
