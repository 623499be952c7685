/** Values that show themselves in a notebook and are plain data everywhere else. */
import type { Calibration } from "../domain/calibration.ts";
import type { Comparison } from "../domain/comparison.ts";
import type { DiagnosisReport } from "../domain/diagnosis.ts";
import type { Plan } from "../domain/plan.ts";
import type { RunReport } from "../domain/run_report.ts";
import type { Sweep } from "../domain/sweep.ts";
import type { Inspection } from "../commands/inspect.ts";
import { calibrationSheet } from "../page/calibration_sheet.ts";
import { caseSheet } from "../page/case_sheet.ts";
import { comparisonSheet } from "../page/comparison_sheet.ts";
import { diagnosisSheet } from "../page/diagnosis_sheet.ts";
import { failedSheet } from "../page/failed_sheet.ts";
import { type MediaBundle, notebookBundle } from "../page/notebook.ts";
import { planSheet } from "../page/plan_sheet.ts";
import { runSheet } from "../page/run_sheet.ts";
import { sweepSheet } from "../page/sweep_sheet.ts";
import { calibratedRowsText, calibrationText } from "../report/calibration_text.ts";
import { changedCasesText, comparisonText } from "../report/comparison_text.ts";
import { diagnosedCasesText, diagnosisText } from "../report/diagnosis_text.ts";
import { caseText, failedText, inspectedRunText } from "../report/inspect_text.ts";
import { planText } from "../report/plan_text.ts";
import { runText } from "../report/run_text.ts";
import { sweepText } from "../report/sweep_text.ts";

/** What Jupyter kernels ask a value for. */
const DISPLAY: unique symbol = Symbol.for("Jupyter.display") as never;

/**
 * Gives a value its look in notebooks. The method is not enumerable: a spread, `JSON.stringify`, `structuredClone` and comparisons see
 * the data alone. Nothing is drawn, and no plotting code is loaded, before the value is shown.
 */
function shown<T extends object>(value: T, display: () => Promise<MediaBundle>): T {
  return Object.defineProperty(value, DISPLAY, { value: display, enumerable: false, configurable: true });
}

/** A run's report that shows itself. */
export function shownRun(report: RunReport): RunReport {
  return shown(report, () => notebookBundle(runSheet(report), runText(report, { next: false })));
}

/** A diagnosis's document that shows itself. */
export function shownDiagnosis<T extends object>(document: T, report: DiagnosisReport): T {
  return shown(document, () => notebookBundle(diagnosisSheet(report), diagnosisText(report)));
}

/** A comparison's document that shows itself. */
export function shownComparison<T extends object>(document: T, comparison: Comparison): T {
  return shown(document, () => notebookBundle(comparisonSheet(comparison), comparisonText(comparison)));
}

/** A plan that shows itself. */
export function shownPlan(plan: Plan): Plan {
  return shown(plan, () => notebookBundle(planSheet(plan), planText(plan)));
}

/** A calibration's document that shows itself. */
export function shownCalibration<T extends object>(document: T, calibration: Calibration): T {
  return shown(document, () => notebookBundle(calibrationSheet(calibration), calibrationText(calibration)));
}

/** A sweep's document that shows itself. */
export function shownSweep<T extends object>(document: T, sweep: Sweep): T {
  return shown(document, () => notebookBundle(sweepSheet(sweep), sweepText(sweep)));
}

/** Whatever was inspected, showing itself. */
export function shownInspection(found: Inspection): Inspection {
  return shown(found, () => inspectionBundle(found));
}

function inspectionBundle(found: Inspection): Promise<MediaBundle> {
  switch (found.kind) {
    case "run":
      return notebookBundle(runSheet(found.report), inspectedRunText(found.report));
    case "case":
      return notebookBundle(caseSheet(found.found, found.repeats), caseText(found.found, found.repeats));
    case "failed":
      return notebookBundle(failedSheet(found), failedText(found));
    case "diagnosis":
      return notebookBundle(diagnosisSheet(found.report), diagnosedCasesText(found.report));
    case "calibration":
      return notebookBundle(
        calibrationSheet(found.calibration),
        calibratedRowsText(found.calibration),
      );
    case "sweep":
      return notebookBundle(sweepSheet(found.sweep), sweepText(found.sweep));
    case "comparison":
      return notebookBundle(
        comparisonSheet(found.comparison, found.changed),
        found.comparison.content.baseline === null
          ? comparisonText(found.comparison)
          : changedCasesText(found.comparison, found.changed),
      );
  }
}
