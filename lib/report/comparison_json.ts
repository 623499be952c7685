/** A comparison as one JSON document. */
import type { Comparison, ComparisonContent, Requirement, SettingChange } from "../domain/comparison.ts";
import { EXIT_OF_GATE } from "./gate_exit.ts";

/** What `compare` answers. Differences and bounds are fractions in [-1, 1]; null where there is none. */
export interface ComparisonDocument extends Omit<ComparisonContent, "schema"> {
  /** `sha256:` and 64 hexadecimal digits; the same runs under the same policy have the same id. */
  readonly comparison_id: string;
  /** The exit code that the gate stands for: 0, or 3 when it blocks. */
  readonly exit: number;
  /** System settings in which the runs differ. */
  readonly settings_changed: readonly SettingChange[];
  /** What would decide the undecided rules. */
  readonly requirements: readonly Requirement[];
}

/** The document of a comparison. */
export function comparisonJson(comparison: Comparison): ComparisonDocument {
  const { comparison_id, content, settings_changed, requirements } = comparison;
  const { schema: _schema, ...rest } = content;
  return {
    comparison_id,
    ...rest,
    exit: EXIT_OF_GATE[content.gate ?? "PASS"],
    settings_changed,
    requirements,
  };
}
