/** The settings that hold: the system's own, under what the project and the run state. */
import { issuesError } from "../domain/error.ts";
import {
  completeSettings,
  type PartialSettings,
  type SettingsProblem,
  type SystemSettings,
  type SystemShape,
} from "../domain/settings.ts";

const hints: Readonly<Record<SettingsProblem["code"], string>> = {
  setting_absent: "state it in the system's settings or in the project file",
  top_k_beyond_depth: "raise depth, or lower top_k",
  setting_without_meaning: "take it away: it would be read by nobody",
};

/**
 * Completes settings.
 *
 * @param where How messages name the system.
 * @throws {OloproofError} `invalid_project` with everything that is absent, does not fit, or has no meaning for such a system.
 */
export function settleSettings(
  own: PartialSettings,
  stated: PartialSettings,
  shape: SystemShape,
  where: string,
): SystemSettings {
  const completed = completeSettings(own, stated, shape);
  if (completed.ok) return completed.settings;
  throw issuesError(
    "Cannot run the system",
    completed.problems.map(({ code, message }) => ({ code, message, file: where, hint: hints[code] })),
  );
}
