/** Loads the system under test and completes its settings. */
import { OloproofError } from "../domain/error.ts";
import { identityOf } from "../domain/identity.ts";
import type { Project, SystemSource } from "../domain/project.ts";
import { mergeSettings, type PartialSettings } from "../domain/settings.ts";
import {
  type AnswerStage,
  isOneStage,
  type OneStageSystem,
  type RagStages,
  type RagSystem,
  readSystem,
} from "../stages/rag_system.ts";
import type { RunnableSystem } from "../stages/case_execution.ts";
import { loadExport } from "./load_export.ts";
import { settleSettings } from "./settle_settings.ts";
import { digestFunctions, digestSource } from "./source_digest.ts";

/**
 * Loads a project's system. Its settings are the system's own, under the project's, under `overrides` (a run's `--set`).
 *
 * @throws {OloproofError} Whatever loading throws; `invalid_project` when a setting is absent or does not fit another.
 */
export async function loadSystem(project: Project, overrides: PartialSettings): Promise<RunnableSystem> {
  const { system, where, source_digest } = await readSource(project);
  const stated = mergeSettings(project.settings, overrides);
  const { stages } = system;
  const settings = settleSettings(
    system.settings,
    stated,
    isOneStage(stages) ? "one_stage" : "two_stage",
    where,
  );
  if (settings.token_budget !== null && !canCount(stages)) {
    throw new OloproofError("Cannot run the system: a token budget needs countTokens", {
      code: "no_token_counter",
      kind: "configuration",
      where,
      hint: "give the system countTokens(passage), or take token_budget away; tokens are never estimated",
    });
  }
  return { stages, identity: { settings, source_digest } };
}

/** Whether a context within a budget can be assembled. */
function canCount(stages: RagStages | AnswerStage): boolean {
  return isOneStage(stages) || stages.countTokens !== undefined || stages.assemble !== undefined;
}

async function digestInline(
  { identity, module }: Extract<SystemSource, { kind: "inline" }>,
  system: RagSystem | OneStageSystem,
  root: string,
): Promise<string | null> {
  if (identity === "version") return null;
  return module === undefined ? digestFunctions(system.stages) : await digestSource(module, root);
}

async function readSource(
  project: Project,
): Promise<{ system: RagSystem | OneStageSystem; where: string; source_digest: string | null }> {
  const source = project.system;
  if (source.kind === "records") throw new TypeError("recorded outputs are no code that could be loaded");
  if (source.kind === "inline") {
    const system = readSystem(source.system, "the project's system");
    return {
      system,
      where: "the project's system",
      source_digest: await digestInline(source, system, project.root),
    };
  }
  const loaded = await loadExport(source.object, project.root, source.files);
  return {
    system: readSystem(loaded.value, loaded.where),
    where: loaded.where,
    // Two systems of one module are two systems.
    source_digest: source.identity === "version"
      ? null
      : identityOf([nameOf(source.object), loaded.source_digest]),
  };
}

/** The export that `module:export` names. */
function nameOf(object: string): string {
  return object.slice(object.lastIndexOf(":") + 1);
}
