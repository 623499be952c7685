/** Loads what is to be run: the project's code, or the outputs that were recorded of it. */
import type { Project } from "../domain/project.ts";
import { mergeSettings, type PartialSettings } from "../domain/settings.ts";
import type { RunnableSystem } from "../stages/case_execution.ts";
import { loadSystem } from "../system/load_system.ts";
import { settleSettings } from "../system/settle_settings.ts";
import { readRecords } from "./read_records.ts";
import { showPath } from "./show_path.ts";
import type { Surroundings } from "./surroundings.ts";

/**
 * Loads a project's system. Its settings are the system's own, under the project's, under `overrides` (a run's `--set`). Recorded
 * outputs report what any record tells, unless the project states what they report. What is started for it ends with the command.
 *
 * @throws {OloproofError} Whatever loading throws; every mistake in a file of records; settings that do not fit.
 */
export async function loadRunnable(
  project: Project,
  overrides: PartialSettings,
  { cwd, stop, env, onSystemLog, systems }: Surroundings,
): Promise<RunnableSystem> {
  if (project.system.kind !== "records") {
    if (systems === undefined) throw new TypeError("nobody would close the system");
    const outside = { stop, env, ...(onSystemLog === undefined ? {} : { onSystemLog }) };
    return systems.add(await loadSystem(project, overrides, outside));
  }
  const stated = mergeSettings(project.settings, overrides);
  const shown = showPath(project.system.path, cwd);
  const records = await readRecords(project.system.path, shown, stated.reports);
  const settings = settleSettings({ reports: records.reports }, stated, "recorded", shown);
  return { stages: records, identity: { settings, source_digest: records.digest } };
}
