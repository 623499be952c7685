/** Who reads what judges are asked, and what is hidden of how they are asked. */
import { judgeModelOf } from "../domain/judge.ts";
import type { EvaluatorSpec } from "../domain/project.ts";
import type { Notice } from "../domain/run_report.ts";
import { hostOf, keyVariableOf } from "../judges/endpoint.ts";
import type { Surroundings } from "./surroundings.ts";

/** Names the hosts that receive inputs, answers and passages, a notice each. */
export function judgeNotices(evaluators: readonly EvaluatorSpec[]): readonly Notice[] {
  const asked = evaluators.flatMap(({ criterion, parameters }) => {
    const model = judgeModelOf(parameters);
    const host = model === undefined ? undefined : hostOf(model);
    return host === undefined ? [] : [{ host, criterion }];
  });
  return [...Map.groupBy(asked, ({ host }) => host)].map(([host, list]) => ({
    severity: "notice",
    code: "judge_host",
    message: `Inputs, answers and passages are sent to ${host}, which judges ${
      list.map(({ criterion }) => criterion).join(", ")
    }`,
  }));
}

/** The values of the keys that judges are asked with, by the names of their variables. */
export function judgeSecrets(
  evaluators: readonly EvaluatorSpec[],
  { env }: Pick<Surroundings, "env">,
): ReadonlyMap<string, string | undefined> {
  const names = evaluators.flatMap(({ parameters }) => {
    const model = judgeModelOf(parameters);
    if (model === undefined) return [];
    const { api_key_env } = parameters;
    return keyVariableOf(model.provider, typeof api_key_env === "string" ? api_key_env : undefined) ?? [];
  });
  return new Map(names.map((name) => [name, env(name)]));
}
