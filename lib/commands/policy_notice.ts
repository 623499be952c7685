/** Says, where a policy lies beside a project, that it cannot pass with the present cases. */
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { tooFewText } from "../domain/plan.ts";
import type { Project } from "../domain/project.ts";
import type { Notice } from "../domain/run_report.ts";
import { planPolicy } from "./plan.ts";
import { knownCriteria, numberCriteria, POLICY_FILE, readPolicy } from "./read_policy.ts";

/**
 * The notice about the project's own policy (`compare.yaml` beside the project file); none when there is no such file, when its
 * rules could pass, or when it is about other criteria.
 *
 * @param present How many cases each criterion can judge.
 * @param repeats How often each case is executed; as the project says by default.
 * @throws {OloproofError} Every mistake in the policy at once.
 */
export async function policyNotices(
  project: Project,
  present: ReadonlyMap<string, number>,
  cwd: string,
  repeats = project.run.repeats,
): Promise<readonly Notice[]> {
  if (project.file === undefined) return [];
  const path = join(project.root, POLICY_FILE);
  if (!await stat(path).then((found) => found.isFile(), () => false)) return [];
  const { policy, checkCriteria } = await readPolicy(path, undefined, cwd);
  const known = { ...project, repeats };
  if (checkCriteria(knownCriteria(known)).length > 0) return [];
  const plan = planPolicy(policy, present, numberCriteria(known), []);
  if (plan.too_few.length === 0) return [];
  return [{
    severity: "notice",
    code: "policy_cannot_pass",
    message: `${POLICY_FILE} cannot pass with the present cases: ${tooFewText(plan)}`,
    hint:
      `add cases, or widen the margins: \`oloproof plan --policy ${POLICY_FILE}\` tells what each would need`,
  }];
}
