/** Loads the system under test and completes its settings. */
import { OloproofError } from "../domain/error.ts";
import type { Project } from "../domain/project.ts";
import { mergeSettings, type PartialSettings, type SystemSettings } from "../domain/settings.ts";
import type { RunnableSystem } from "../stages/case_execution.ts";
import { type AnswerStage, isOneStage, type RagStages } from "../stages/rag_system.ts";
import { type OpenSystem, openSystem, type SystemSurroundings } from "./open_system.ts";
import { settleSettings } from "./settle_settings.ts";

/**
 * Loads a project's system. Its settings are the system's own, under the project's, under `overrides` (a run's `--set`). Whoever
 * loads it closes it.
 *
 * @throws {OloproofError} Whatever loading throws; `invalid_project` when a setting is absent or does not fit another.
 */
export async function loadSystem(
  project: Project,
  overrides: PartialSettings,
  outside: SystemSurroundings = {},
): Promise<RunnableSystem> {
  const stated = mergeSettings(project.settings, overrides);
  const opened = await openSystem(project, stated, outside);
  const { system: { stages }, source_digest, caller } = opened;
  try {
    const settings = settle(opened, stated);
    return {
      stages,
      identity: { settings, source_digest },
      ...(caller === undefined ? {} : { notices: () => caller.notices(), close: () => caller.close() }),
    };
  } catch (cause) {
    await caller?.close();
    throw cause;
  }
}

function settle(
  { system: { settings: own, stages }, where }: OpenSystem,
  stated: PartialSettings,
): SystemSettings {
  const settings = settleSettings(own, stated, isOneStage(stages) ? "one_stage" : "two_stage", where);
  checkTokenCounter(settings, stages, where);
  return settings;
}

/** A budget needs somebody who counts. @throws {OloproofError} `no_token_counter`. */
export function checkTokenCounter(
  { token_budget }: Pick<SystemSettings, "token_budget">,
  stages: RagStages | AnswerStage,
  where: string,
): void {
  if (token_budget === null || canCount(stages)) return;
  throw new OloproofError("Cannot run the system: a token budget needs countTokens", {
    code: "no_token_counter",
    kind: "configuration",
    where,
    hint: "give the system countTokens(passage), or take token_budget away; tokens are never estimated",
  });
}

/** Whether a context within a budget can be assembled. */
function canCount(stages: RagStages | AnswerStage): boolean {
  return isOneStage(stages) || stages.countTokens !== undefined || stages.assemble !== undefined;
}
