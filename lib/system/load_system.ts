/** Loads the system under test and completes its settings. */
import { issuesError, OloproofError } from "../domain/error.ts";
import { identityOf } from "../domain/identity.ts";
import type { Project, SystemSource } from "../domain/project.ts";
import { completeSettings, mergeSettings, type PartialSettings } from "../domain/settings.ts";
import { type RagSystem, readSystem } from "../stages/rag_system.ts";
import type { RunnableSystem } from "../stages/run_case.ts";
import { loadExport } from "./load_export.ts";
import { digestFunctions, digestSource } from "./source_digest.ts";

/**
 * Loads a project's system. Its settings are the system's own, under the project's, under `overrides` (a run's `--set`).
 *
 * @throws {OloproofError} Whatever loading throws; `invalid_project` when a setting is absent or does not fit another.
 */
export async function loadSystem(project: Project, overrides: PartialSettings): Promise<RunnableSystem> {
  const { system, where, source_digest } = await readSource(project);
  const stated = mergeSettings(project.settings, overrides);
  const completed = completeSettings(system.settings, stated);
  if (!completed.ok) {
    throw issuesError(
      "Cannot run the system",
      completed.problems.map(({ code, message }) => ({
        code,
        message,
        file: where,
        hint: code === "top_k_beyond_depth"
          ? "raise depth, or lower top_k"
          : "state it in the system's settings or in the project file",
      })),
    );
  }
  const { settings } = completed;
  const counts = system.stages.countTokens !== undefined || system.stages.assemble !== undefined;
  if (settings.token_budget !== null && !counts) {
    throw new OloproofError("Cannot run the system: a token budget needs countTokens", {
      code: "no_token_counter",
      kind: "configuration",
      where,
      hint: "give the system countTokens(passage), or take token_budget away; tokens are never estimated",
    });
  }
  return { stages: system.stages, identity: { settings, source_digest } };
}

async function digestInline(
  { identity, module }: Extract<SystemSource, { kind: "inline" }>,
  system: RagSystem,
  root: string,
): Promise<string | null> {
  if (identity === "version") return null;
  return module === undefined ? digestFunctions(system.stages) : await digestSource(module, root);
}

async function readSource(
  project: Project,
): Promise<{ system: RagSystem; where: string; source_digest: string | null }> {
  const source = project.system;
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
