/** A calibration as one JSON document. */
import { type Calibration, type CalibrationContent, disagreements } from "../domain/calibration.ts";

/** What `judge calibrate` answers. Rates are fractions; null where no label tells. */
export interface CalibrationDocument extends Omit<CalibrationContent, "schema"> {
  /** `sha256:` and 64 hexadecimal digits; the same rows, judged with the same result, have the same id. */
  readonly calibration_id: string;
  /** The run that labelled cases are of; null when every row brought its record. */
  readonly run_id: string | null;
  /** The rows on which judge and people disagree. */
  readonly disagreements: readonly string[];
  /** What the judge gave as its reason, by row. */
  readonly reasons: Calibration["reasons"];
  /** How many calibrations of this very judge were made before. */
  readonly earlier: number;
}

/** The document of a calibration. */
export function calibrationJson(calibration: Calibration): CalibrationDocument {
  const { calibration_id, content, run_id, reasons, earlier } = calibration;
  const { schema: _schema, ...rest } = content;
  return {
    calibration_id,
    run_id,
    ...rest,
    disagreements: disagreements(content.rows).map(({ row }) => row),
    reasons,
    earlier,
  };
}
