/** The page of whatever is reported: its sheet, and its cases row by row. */
import type { Calibration } from "../domain/calibration.ts";
import type { Comparison } from "../domain/comparison.ts";
import type { DiagnosisReport } from "../domain/diagnosis.ts";
import type { RunReport } from "../domain/run_report.ts";
import type { Sweep } from "../domain/sweep.ts";
import { calibrationSheet } from "./calibration_sheet.ts";
import type { DetailMaker } from "./case_detail.ts";
import {
  comparisonColumns,
  comparisonRow,
  diagnosisColumns,
  diagnosisRow,
  type ReportedCase,
  type ReportedDiagnosis,
  type ReportedPair,
  runColumns,
  runRow,
} from "./case_rows.ts";
import { comparisonSheet } from "./comparison_sheet.ts";
import { diagnosisSheet } from "./diagnosis_sheet.ts";
import type { EvidenceRow } from "./evidence.ts";
import { PassagePool } from "./passage_pool.ts";
import type { ReportedCases } from "./packed_cases.ts";
import type { ReportPage } from "./report_page.ts";
import { runSheet } from "./run_sheet.ts";
import { type ReportedSweep, sweepColumns, sweepRow } from "./sweep_rows.ts";
import { sweepSheet } from "./sweep_sheet.ts";
import { comparisonWithoutText, runWithoutText, sweepWithoutText } from "./without_text.ts";

/** What is reported, with its cases. */
export type Reported =
  | {
    readonly kind: "run";
    readonly report: RunReport;
    readonly criteria: readonly string[];
    readonly cases: AsyncIterable<ReportedCase>;
  }
  | {
    readonly kind: "diagnosis";
    readonly report: DiagnosisReport;
    readonly cases: AsyncIterable<ReportedDiagnosis>;
  }
  | {
    readonly kind: "comparison";
    readonly comparison: Comparison;
    readonly cases: AsyncIterable<ReportedPair>;
  }
  | { readonly kind: "calibration"; readonly calibration: Calibration }
  | { readonly kind: "sweep"; readonly sweep: Sweep; readonly cases: AsyncIterable<ReportedSweep> };

/** The page of a run, a diagnosis, a comparison or a sweep, with or without inputs, passages and answers. */
export function reportOf(
  reported: Reported,
  { withText, made }: { readonly withText: boolean; readonly made: string },
): ReportPage {
  const maker: DetailMaker = { pool: new PassagePool(withText), withText };
  const remarks = withText ? [] : ["Inputs, passages and answers are left out of this report."];
  return { ...partsOf(reported, maker), remarks, made };
}

function partsOf(reported: Reported, maker: DetailMaker): Pick<ReportPage, "sheet" | "cases"> {
  const { pool, withText } = maker;
  const cases = <T>(
    columns: ReportedCases["columns"],
    from: AsyncIterable<T>,
    rowOf: (one: T) => EvidenceRow,
  ): ReportedCases => ({ heading: "Cases", columns, rows: mapEach(from, rowOf), pool });
  switch (reported.kind) {
    case "run": {
      const { report, criteria } = reported;
      return {
        sheet: runSheet(withText ? report : runWithoutText(report)),
        cases: cases(runColumns(criteria, maker), reported.cases, (one) => runRow(one, criteria, maker)),
      };
    }
    case "diagnosis": {
      const { report } = reported;
      return {
        sheet: diagnosisSheet(report),
        cases: cases(
          diagnosisColumns,
          reported.cases,
          (one) => diagnosisRow(one, report.diagnosis, maker),
        ),
      };
    }
    case "calibration":
      return { sheet: calibrationSheet(reported.calibration, withText), cases: undefined };
    case "sweep": {
      const sweep = withText ? reported.sweep : sweepWithoutText(reported.sweep);
      return {
        sheet: sweepSheet(sweep),
        cases: cases(
          sweepColumns(sweep, maker),
          reported.cases,
          (one) => sweepRow(one, sweep, maker),
        ),
      };
    }
    case "comparison": {
      const comparison = withText ? reported.comparison : comparisonWithoutText(reported.comparison);
      const criteria = comparison.content.metrics.map(({ criterion }) => criterion);
      return {
        sheet: comparisonSheet(comparison),
        cases: cases(
          comparisonColumns(criteria, maker),
          reported.cases,
          (one) => comparisonRow(one, criteria, maker),
        ),
      };
    }
  }
}

async function* mapEach<T, U>(items: AsyncIterable<T>, map: (item: T) => U): AsyncGenerator<U> {
  for await (const item of items) yield map(item);
}
