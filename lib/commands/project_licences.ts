/** What is known of the judges of a project that is not run. No code of it is loaded. */
import type { JudgeLicence } from "../domain/comparison.ts";
import { OloproofError } from "../domain/error.ts";
import { judgeModelOf } from "../domain/judge.ts";
import type { Policy } from "../domain/policy.ts";
import type { Store } from "../domain/ports.ts";
import type { Project } from "../domain/project.ts";
import { openStore, TOKEN_VARIABLE } from "../store/open_store.ts";
import { resolveModule } from "../system/resolve_module.ts";
import { digestSource } from "../system/source_digest.ts";
import { evaluatorVersions } from "./judging_evaluators.ts";
import { licencesOf } from "./judge_licences.ts";
import type { Surroundings } from "./surroundings.ts";

/** The licences of the judges behind a policy's rules, from the project's store; none is measured where there is no store yet. */
export async function projectLicences(
  policy: Policy,
  project: Project,
  { env }: Pick<Surroundings, "env">,
): Promise<readonly JudgeLicence[]> {
  const criteria = new Set(policy.rules.map(({ criterion }) => criterion));
  const judged = project.evaluators.filter(({ criterion, parameters }) =>
    criteria.has(criterion) && judgeModelOf(parameters) !== undefined
  );
  if (judged.length === 0) return [];
  const function_digests: Record<string, string> = {};
  for (const { parameters: { object } } of judged) {
    if (typeof object !== "string") continue;
    const { path } = await resolveModule(object, project.root);
    function_digests[object] = await digestSource(path, project.root);
  }
  const store = await openIfThere(project.store, env(TOKEN_VARIABLE));
  try {
    const evaluator_versions = evaluatorVersions(project.evaluators);
    const judged = { evaluators: project.evaluators, function_digests, evaluator_versions };
    return await licencesOf(policy, judged, store === undefined ? [] : [store]);
  } finally {
    store?.close();
  }
}

async function openIfThere(location: string, token: string | undefined): Promise<Store | undefined> {
  try {
    return await openStore(location, { mode: "read", token });
  } catch (cause) {
    if (cause instanceof OloproofError && cause.code === "no_store") return undefined;
    throw cause;
  }
}
